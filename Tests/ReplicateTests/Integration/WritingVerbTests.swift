import TestSupport
import TestThreads
import Testing

@testable import replicate

/// The verbs that change a document once, on a file each.
@Suite(.ownThreads) struct WritingVerbTests {
  /// A write that succeeds: what it prints, and what the file holds then.
  struct Change: CustomTestStringConvertible, Sendable {
    var words: [String]
    var before: String
    var after: String
    var output = ""
    var input = ""

    init(_ words: [String], _ before: String, _ after: String, output: String = "", input: String = "") {
      self.words = words
      self.before = before
      self.after = after
      self.output = output
      self.input = input
    }

    var testDescription: String { "\(words) on \(before)" }
  }

  @Test(arguments: [
    Change(["set", "/a", "2"], #"{"a": 1}"#, #"{"a": 2}"#),
    Change(["set", "/b", "[1, 2]"], #"{"a": 1}"#, #"{"a": 1, "b": [1, 2]}"#),
    Change(["set", "", "[]"], #"{"a": 1}"#, "[]"),
    Change(["set", "/0", "9"], "[1, 2]", "[9, 2]"),
    Change(["set", "/-", "3"], "[1, 2]", "[1, 2, 3]"),
    Change(["set", "/2", "3"], "[1, 2]", "[1, 2, 3]"),
    Change(["set", "-s", "/a", "2"], #"{"a": 1}"#, #"{"a": "2"}"#),
    Change(["set", "-s", "/a", ""], #"{"a": 1}"#, #"{"a": ""}"#),
    Change(["set", "-p", "/a/b/c", "2"], #"{"z": 1}"#, #"{"z": 1, "a": {"b": {"c": 2}}}"#),
    Change(["set", "/a", "-1"], #"{"a": 1}"#, #"{"a": -1}"#),
    Change(["set", "/a", "-"], #"{"a": 1}"#, #"{"a": {"b": 1.50}}"#, input: " {\"b\": 1.50}\n"),
    Change(["set", "-s", "/a", "-"], #"{"a": 1}"#, #"{"a": "x\n"}"#, input: "x\n"),
    Change(["set", "/a~1b~0", "2"], #"{"a/b~": 1}"#, #"{"a/b~": 2}"#),
    Change(["set", "/", "2"], #"{"": 1}"#, #"{"": 2}"#),
    Change(["set", "/a", "1.0"], #"{"a": 1}"#, #"{"a": 1.0}"#),
  ])
  func `set puts a value in its place`(change: Change) throws { try check(change) }

  @Test(arguments: [
    Change(["remove", "/a"], #"{"a": 1, "b": 2}"#, #"{"b": 2}"#),
    Change(["remove", "/0"], "[1, 2]", "[2]"),
    Change(
      ["patch", #"[{"op": "test", "path": "/a", "value": 1.0}, {"op": "move", "from": "/a", "path": "/c"}]"#],
      #"{"a": 1, "b": 2}"#, #"{"b": 2, "c": 1}"#),
    Change(["patch"], #"{"a": 1}"#, #"{"a": 2}"#, input: #"[{"op": "replace", "path": "/a", "value": 2}]"#),
    Change(["patch", "-"], "[1]", "[0, 1]", input: #"[{"op": "add", "path": "/0", "value": 0}]"#),
    Change(["patch", "[]"], #"{"a": 1}"#, #"{"a": 1}"#),
    Change(["merge", #"{"a": null, "c": {"d": 1, "e": null}}"#], #"{"a": 1, "b": 2}"#, #"{"b": 2, "c": {"d": 1}}"#),
    Change(["merge"], #"{"a": 1}"#, #"{"a": 2}"#, input: #"{"a": 2}"#),
    Change(["merge", "-"], #"{"a": 1}"#, "7", input: "7"),
  ])
  func `remove, patch and merge change what they name`(change: Change) throws { try check(change) }

  @Test(arguments: [
    Change(["increment", "/n"], #"{"n": 1}"#, #"{"n": 2}"#, output: "2\n"),
    Change(["increment", "/n", "0.2"], #"{"n": 0.1}"#, #"{"n": 0.3}"#, output: "0.3\n"),
    Change(["increment", "/n", "-0.5"], #"{"n": 0.50}"#, #"{"n": 0.00}"#, output: "0.00\n"),
    Change(["increment", "/n"], #"{"n": 1e3}"#, #"{"n": 1001}"#, output: "1001\n"),
    Change(["increment", "/n", "1e-3"], #"{"n": 1}"#, #"{"n": 1.001}"#, output: "1.001\n"),
    Change(
      ["increment", "/n"], #"{"n": 99999999999999999999}"#, #"{"n": 100000000000000000000}"#,
      output: "100000000000000000000\n"),
    Change(["increment", "-p", "/m"], #"{"n": 1}"#, #"{"n": 1, "m": 1}"#, output: "1\n"),
    Change(["increment", "-p", "/m/k", "-2"], #"{"n": 1}"#, #"{"n": 1, "m": {"k": -2}}"#, output: "-2\n"),
    Change(["increment", "-p", "/n"], #"{"n": 1}"#, #"{"n": 2}"#, output: "2\n"),
    Change(["increment", "/n", "0"], #"{"n": 1.0}"#, #"{"n": 1.0}"#, output: "1.0\n"),
  ])
  func `increment is exact`(change: Change) throws { try check(change) }

  private func check(_ change: Change) throws {
    let place = try Workplace("f", change.before)
    let words = [change.words[0], "f"] + change.words.dropFirst()
    #expect(try place.run(words, input: change.input) == .printed(change.output))
    #expect(try place.text(of: "f") == change.after)
    #expect(try place.names == ["f"])
  }

  @Test(arguments: [
    (["set", "/3", "0"], 1, "replicate: '/3' leads nowhere: the root is an array of 2 elements\n"),
    (
      ["set", "/1/b/c", "0"], 1,
      "replicate: '/1/b/c' leads nowhere: '/1' has no member \"b\"; -p makes what is missing\n"
    ),
    (["set", "-p", "/0/b", "0"], 1, "replicate: '/0/b' leads nowhere: '/0' is a number\n"),
    (["set", "/01", "0"], 1, "replicate: '/01' leads nowhere: the root is an array of 2 elements\n"),
    (["remove", "/2"], 1, "replicate: '/2' leads nowhere: the root is an array of 2 elements\n"),
    (["remove", "/-"], 1, "replicate: '/-' leads nowhere: the root is an array of 2 elements\n"),
    (["remove", ""], 2, "replicate: the root can't be removed; 'set' replaces it\n"),
    (
      ["increment", "/1/x"], 1, "replicate: '/1/x' leads nowhere: '/1' has no member \"x\"; -p makes what is missing\n"
    ),
    (["increment", "/1"], 3, "replicate: '/1' is an object, not a number\n"),
    (["increment", "-p", "/1/s"], 3, "replicate: '/1/s' is a string, not a number\n"),
    (["increment", "/0", "1e1000"], 3, "replicate: '/0': the sum of 1 and 1e1000 has more than 1000 digits\n"),
    (
      ["increment", "/0", "1e999999999999999999999"], 3,
      "replicate: '/0': the sum of 1 and 1e999999999999999999999 has more than 1000 digits\n"
    ),
    (["increment", "/0", "one"], 2, "replicate: BY is a JSON number, not 'one'\n"),
    (
      ["patch", #"[{"op": "remove", "path": "/0"}, {"op": "test", "path": "/0", "value": 5}]"#], 1,
      "replicate: operation 1 (test '/0'): the value is {\"s\":\"x\"}, not 5\n"
    ),
    (
      ["patch", #"[{"op": "remove", "path": "/0"}, {"op": "remove", "path": "/7"}]"#], 1,
      "replicate: operation 1 (remove '/7'): '/7' leads nowhere: the root is an array of 1 element\n"
    ),
  ])
  func `a write that can't be done says why and changes nothing`(words: [String], code: Int32, message: String) throws {
    let place = try Workplace("f", #"[1, {"s": "x"}]"#)
    let before = try place.status(of: "f")
    #expect(try place.run([words[0], "f"] + words.dropFirst()) == .failed(code, message))
    #expect(try place.status(of: "f") == before)
    #expect(try place.names == ["f"])
  }

  @Test func `a sum of more than 1,000 digits is refused, one of 1,000 is not`() throws {
    let digits = String(repeating: "9", count: 1_000)
    let place = try Workplace("f", "[\(digits), \(digits.dropLast())]")
    let message = "replicate: '/0': the sum of \(digits.prefix(39))… and 1 has more than 1000 digits\n"
    #expect(try place.run("increment", "f", "/0") == .failed(3, message))
    #expect(try place.run("increment", "f", "/1") == .printed("1" + String(repeating: "0", count: 999) + "\n"))
  }

  // MARK: Nothing more than asked for

  @Test(arguments: [
    ["set", "/a", "1"], ["set", "-s", "/s", "x"], ["merge", #"{"a": 1}"#], ["merge", "{}"], ["patch", "[]"],
    ["increment", "/a", "0"], ["patch", #"[{"op": "test", "path": "/a", "value": 1}]"#],
    ["patch", #"[{"op": "add", "path": "/t", "value": 0}, {"op": "remove", "path": "/t"}]"#],
    ["update", "--", "cat"], ["update", "--", "jq", "-S", "."], ["update", "/f", "--", "sed", "s/1.0/1/"],
  ])
  func `a write that changes nothing doesn't touch the file`(words: [String]) throws {
    let place = try Workplace("f", #"{"s": "x",  "a":1, "f": 1.0}"#)
    let before = try place.status(of: "f")
    let run = try place.run([words[0], "f"] + words.dropFirst())
    #expect(run.messages == "")
    #expect(run.outcome == .exited(0))
    #expect(try place.status(of: "f") == before)
    #expect(try place.text(of: "f") == #"{"s": "x",  "a":1, "f": 1.0}"#)
  }

  @Test(arguments: [
    (["set", "/search/isOpen", "true"], #"    "isOpen": false,"#, #"    "isOpen": true,"#),
    (["increment", "/schemaVersion"], #"  "schemaVersion": 3,"#, #"  "schemaVersion": 4,"#),
    (
      ["merge", #"{"loading": {"details": false}}"#],
      #"  "loading": { "episodes": false, "details": true, "comments": false },"#,
      #"  "loading": { "episodes": false, "details": false, "comments": false },"#
    ),
    (["update", "/show", "--", "jq", ".weight += 1"], #"    "weight": 1.0,"#, #"    "weight": 2,"#),
  ])
  func `one field of the sample is one line of the diff`(words: [String], old: String, new: String) throws {
    let sample = try Workplace.sample()
    let place = try Workplace("f", sample)
    #expect(try place.run([words[0], "f"] + words.dropFirst()).outcome == .exited(0))
    func lines(_ text: String) -> [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    let (before, after) = (lines(sample), lines(try place.text(of: "f")))
    #expect(before.count == after.count)
    let changed = zip(before, after).filter { $0 != $1 }
    #expect(changed.map { String($0.0) } == [old])
    #expect(changed.map { String($0.1) } == [new])
  }

  // MARK: Creating

  @Test(arguments: [
    (["set", "--create", "/a", "1"], "{\n  \"a\": 1\n}\n"),
    (["set", "--create", "-p", "/a/b", "1"], "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n"),
    (["merge", "--create", #"{"a": 1}"#], "{\n  \"a\": 1\n}\n"),
    (["increment", "--create", "-p", "/n"], "{\n  \"n\": 1\n}\n"),
    (["patch", "--create", #"[{"op": "add", "path": "/a", "value": []}]"#], "{\n  \"a\": []\n}\n"),
    (["update", "--create", "--", "jq", ".a = 1"], "{\n  \"a\": 1\n}\n"),
    (["set", "--create", "", "[]"], "[]\n"),
  ])
  func `a missing or an empty file counts as an empty object on request`(words: [String], text: String) throws {
    let place = try Workplace("empty", "")
    for file in ["missing", "empty"] {
      let run = try place.shell(
        "umask 027; \"$0\" \(([words[0], file] + words.dropFirst()).map { "'\($0)'" }.joined(separator: " "))")
      #expect(run.messages == "")
      #expect(run.outcome == .exited(0))
      #expect(try place.text(of: file) == text)
    }
    #expect(try place.status(of: "missing").permissions == 0o640)
    #expect(try place.status(of: "empty").permissions == 0o644)
    #expect(try place.names == ["empty", "missing"])
  }

  @Test func `a link whose target is missing stays a link to the file that is made`() throws {
    let place = try Workplace()
    try place.link("f", to: "target")
    #expect(try place.run("set", "--create", "f", "/a", "1") == .silent)
    #expect(try place.status(of: "f").isSymbolicLink)
    #expect(try place.text(of: "target") == "{\n  \"a\": 1\n}\n")
  }

  @Test func `a failing write creates nothing`() throws {
    let place = try Workplace()
    let message = "replicate: '/a' leads nowhere: the root has no member \"a\"\n"
    #expect(try place.run("remove", "--create", "f", "/a") == .failed(1, message))
    #expect(try place.run("update", "--create", "f", "--", "false").outcome == .exited(1))
    #expect(try place.names == [])
  }
}
