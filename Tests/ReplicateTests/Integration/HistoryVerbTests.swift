import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import replicate

/// The verbs that show recent versions and bring them back.
@Suite(.ownThreads) struct HistoryVerbTests {
  private func place(_ text: String = #"{"n": 0, "t": "a"}"#) throws -> (Workplace, [String: String]) {
    let place = try Workplace("f", text)
    return (place, ["XDG_STATE_HOME": place.path("state")])
  }

  @Test func `the history says what made each version, and what it changed`() throws {
    let (place, environment) = try place()
    for number in 1...2 {
      _ = try place.run("increment", "f", "/n", environment: environment)
      // An editor loads it.
      #expect(try place.text(of: "f") == #"{"n": \#(number), "t": "a"}"#)
    }
    try place.save(#"{"n": 1, "t": "b"}"#, to: "f")
    let merging = try place.run("increment", "f", "/n", environment: environment)
    #expect(merging.output == "3\n")
    #expect(try place.text(of: "f") == #"{"n": 3, "t": "b"}"#)

    let lines = try place.run("history", "f", environment: environment).output.split(separator: "\n")
    let words = lines.map { $0.split(separator: " ").map(String.init) }
    #expect(words.map { $0[3] } == ["action", "merge", "edit", "action", "action", "edit"])
    let writer = words[3][4]
    #expect(
      words.map { $0.dropFirst(5).joined(separator: " ") } == ["/n", "(kept /n of \(writer))", "/n /t", "/n", "/n", ""])
    #expect(
      merging.messages == "replicate: 'f' was saved from an older version; kept '/n', changed since then by instance "
        + "\(writer); to insist: replicate restore f \(words[2][0])\n")
    #expect(words.allSatisfy { $0[0].count == 8 })
    let two = try place.run("history", "-n", "2", "f", environment: environment)
    #expect(two == .printed(lines.prefix(2).map { $0 + "\n" }.joined()))
    #expect(try place.status(of: "state/replicate").permissions == 0o700)
    #expect(try place.names == ["f", "state"])
  }

  @Test func `a version is a line, whatever its members are called`() throws {
    let (place, environment) = try place("{}")
    _ = try place.run("set", "f", "/a\n\u{1b}[31m\u{202e}", "1", environment: environment)
    let run = try place.run("history", "-n", "1", "f", environment: environment)
    #expect(run.output.hasSuffix("  /a\\u000A\\u001B[31m\\u202E\n"))
    #expect(run.output.filter { $0 == "\n" }.count == 1)
  }

  @Test func `what lost to a save is in the history's JSON`() throws {
    let (place, environment) = try place(#"{"n": 0, "t": "a", "u": "a"}"#)
    _ = try place.run("set", "f", "/u", #""z""#, environment: environment)
    _ = try place.run("increment", "f", "/n", environment: environment)
    _ = try place.run("set", "f", "/t", #""z""#, environment: environment)
    try place.save(#"{"n": 0, "t": "x", "u": "a"}"#, to: "f")
    _ = try place.run("set", "f", "/w", "1", environment: environment)
    let run = try place.run("history", "--json", "-n", "2", "f", environment: environment)
    let report = try JSONValue(parsing: run.output)
    #expect(report[JSONPointer(["0", "cause"])] == "action")
    #expect(report[JSONPointer(["1", "cause"])] == "merge")
    #expect(report[JSONPointer(["1", "lost"])] == [["path": "/t", "value": "z"]])
    #expect(report[JSONPointer(["1", "kept"])] == ["/n", "/u"])
    guard case .array(let authors) = report[JSONPointer(["1", "by"])] else { throw CancellationError() }
    #expect(authors.count == 2)
    #expect(report[JSONPointer(["0", "kept"])] == [])
    #expect(try place.text(of: "f") == #"{"n": 1, "t": "x", "u": "z", "w": 1}"#)
  }

  @Test func `a version is restored by the beginning of its hash, in the file's own formatting`() throws {
    let (place, environment) = try place()
    for _ in 1...3 { _ = try place.run("increment", "f", "/n", environment: environment) }
    let lines = try place.run("history", "f", environment: environment).output.split(separator: "\n")
    let version = String(lines[1].prefix(6))
    #expect(try place.run("restore", "f", version, environment: environment) == .silent)
    #expect(try place.text(of: "f") == #"{"n": 2, "t": "a"}"#)
    let newest = try place.run("history", "-n1", "f", environment: environment).output
    #expect(newest.contains("  restore  "))
  }

  @Test func `undo takes back the last change, and a second one takes that back`() throws {
    let (place, environment) = try place()
    for _ in 1...2 { _ = try place.run("increment", "f", "/n", environment: environment) }
    #expect(try place.run("undo", "f", environment: environment) == .silent)
    #expect(try place.text(of: "f") == #"{"n": 1, "t": "a"}"#)
    #expect(try place.run("undo", "f", environment: environment) == .silent)
    #expect(try place.text(of: "f") == #"{"n": 2, "t": "a"}"#)
  }

  @Test func `undo takes back a save that no instance has seen yet, and one that was merged`() throws {
    let (place, environment) = try place()
    for number in 1...2 {
      _ = try place.run("increment", "f", "/n", environment: environment)
      // An editor loads it.
      #expect(try place.text(of: "f") == #"{"n": \#(number), "t": "a"}"#)
    }
    try place.save(#"{"n": 2, "t": "b"}"#, to: "f")
    #expect(try place.run("undo", "f", environment: environment) == .silent)
    #expect(try place.text(of: "f") == #"{"n": 2, "t": "a"}"#)
    try place.save(#"{"n": 1, "t": "c"}"#, to: "f")
    // Changes nothing, but is the first to look at what was saved.
    _ = try place.run("increment", "f", "/n", "0", environment: environment)
    #expect(try place.text(of: "f") == #"{"n": 2, "t": "c"}"#)
    #expect(try place.run("undo", "f", environment: environment) == .silent)
    #expect(try place.text(of: "f") == #"{"n": 2, "t": "a"}"#)
  }

  @Test func `saving an older version restores it, and undo brings the newer one back`() throws {
    let (place, environment) = try place()
    for _ in 1...2 { _ = try place.run("increment", "f", "/n", environment: environment) }
    try place.save(#"{"n": 1, "t": "a"}"#, to: "f")
    _ = try place.run("increment", "f", "/n", "0", environment: environment)
    #expect(try place.text(of: "f") == #"{"n": 1, "t": "a"}"#)
    #expect(try place.run("undo", "f", environment: environment) == .silent)
    #expect(try place.text(of: "f") == #"{"n": 2, "t": "a"}"#)
  }

  @Test func `what is not in the history can't be brought back`() throws {
    let (place, environment) = try place()
    #expect(try place.run("history", "f", environment: environment) == .silent)
    #expect(
      try place.run("undo", "f", environment: environment) == .failed(1, "replicate: 'f' has no earlier version\n"))
    #expect(
      try place.run("restore", "f", "abc", environment: environment)
        == .failed(1, "replicate: 'f' has no recent version 'abc'; 'replicate history f' lists them\n"))
    #expect(
      try place.run("restore", "f", "xyz", environment: environment)
        == .failed(2, "replicate: VERSION is up to 32 hexadecimal digits, not 'xyz'\n"))
  }

  @Test func `a file that is gone still has its history, and one that never was is told to be missing`() throws {
    let (place, environment) = try place()
    _ = try place.run("increment", "f", "/n", environment: environment)
    #expect(try place.shell("rm f") == .silent)
    let lines = try place.run("history", "f", environment: environment).output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      try place.run("history", "g", environment: environment) == .failed(4, "replicate: there is no file 'g'\n"))
  }

  @Test func `without a place for the history everything else works`() throws {
    let (place, environment) = try place()
    try place.write("", to: "state")
    #expect(try place.run("increment", "f", "/n", environment: environment) == .printed("1\n"))
    #expect(try place.text(of: "f") == #"{"n": 1, "t": "a"}"#)
    let run = try place.run("history", "f", environment: environment)
    #expect(run == .failed(4, "replicate: cannot open '\(place.path("state"))/replicate': not a directory\n"))
  }

  private func digits(_ place: Workplace, _ environment: [String: String]) throws -> [String] {
    try place.run("history", "f", environment: environment).output.split(separator: "\n").map { String($0.prefix(8)) }
  }

  @Test func `the history shows values, of one place, and from a time on`() throws {
    let (place, environment) = try place(#"{"n": 0, "list": ["a"]}"#)
    _ = try place.run("increment", "f", "/n", environment: environment)
    _ = try place.run("set", "f", "/list/-", #""b""#, environment: environment)
    _ = try place.run("patch", "f", #"[{"op":"add","path":"/list/0","value":"x"}]"#, environment: environment)
    _ = try place.run("set", "f", "/list/2", #""c""#, environment: environment)
    func changes(_ words: String...) throws -> [String] {
      try place.run(["history", "-p", "f"] + words, environment: environment).output.split(separator: "\n")
        .filter { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
    }
    #expect(try changes() == [#"~ /list/2: "b" → "c""#, #"+ /list/0: "x""#, #"+ /list/1: "b""#, "~ /n: 0 → 1"])
    #expect(try changes("/n") == ["~ /n: 0 → 1"])
    // Before an element came, it stood elsewhere.
    #expect(try changes("/list/2") == [#"~ /list/2: "b" → "c""#, #"+ /list/1: "b""#])
    #expect(try changes("/list/1") == [])
    #expect(try changes("--since", "1h").count == 4)
    #expect(try changes("--since", "2999-01-01") == [])
    let report = try JSONValue(
      parsing: place.run("history", "--json", "-p", "f", "/n", environment: environment).output)
    #expect(report[JSONPointer(["0", "changes"])] == [["path": "/n", "old": 0, "new": 1]])
  }

  @Test func `versions are compared, and files, and what a version held is printed`() throws {
    let (place, environment) = try place(#"{"n": 0}"#)
    for _ in 1...3 { _ = try place.run("increment", "f", "/n", environment: environment) }
    let versions = try digits(place, environment)
    let since = try place.run("diff", "f", versions[2], environment: environment)
    #expect(since.output == "~ /n: 1 → 3\n" && since.outcome == .exited(1))
    let between = try place.run("diff", "f", versions[3], versions[1], environment: environment)
    #expect(between.output == "~ /n: 0 → 2\n")
    #expect(try place.run("diff", "f", versions[0], environment: environment) == .silent)
    try place.save("{ \"n\": 3.0, \"m\": 1 }", to: "g")
    let files = try place.run("diff", "f", "--with", "g", "--color", "always", environment: environment)
    #expect(files.output == "\u{1b}[32m+ /m: 1\u{1b}[0m\n" && files.outcome == .exited(1))
    #expect(try place.run("get", "f", "/n", "--version", versions[2], environment: environment).output == "1\n")
    let unknown = try place.run("diff", "f", "0000000000", environment: environment)
    #expect(
      unknown.messages
        == "replicate: 'f' has no recent version '0000000000'; 'replicate history f' lists them\n")
  }

  @Test func `blame says who set each value`() throws {
    let (place, environment) = try place(#"{"n": 0, "o": {"a": 1}, "list": []}"#)
    _ = try place.run("set", "f", "/o/b", "2", environment: environment)
    _ = try place.run("set", "f", "/list/-", "7", environment: environment)
    let versions = try digits(place, environment)
    let lines = try place.run("blame", "f", environment: environment).output.split(separator: "\n")
    #expect(
      lines.map { $0.split(separator: " ").suffix(2).joined(separator: " ") } == [
        "/n: 0", "/o/a: 1", "/o/b: 2", "/list/0: 7",
      ])
    #expect(
      lines[0].hasPrefix("before \(versions[2]) ") && lines[2].hasPrefix(versions[1]) && lines[3].hasPrefix(versions[0])
    )
    try place.save(#"{"n": 5, "o": {"a": 1, "b": 2}, "list": [7]}"#, to: "f")
    let saved = try place.run("blame", "f", "/n", environment: environment).output
    #expect(saved == "not seen by an instance yet  /n: 5\n")
    let report = try JSONValue(parsing: place.run("blame", "f", "/o/b", "--json", environment: environment).output)
    #expect(report[JSONPointer(["0", "cause"])] == "action" && report[JSONPointer(["0", "value"])] == 2)
    #expect(try place.run("blame", "f", "/x", environment: environment).outcome == .exited(1))
  }

  @Test func `blame knows the action where actions are recorded`() throws {
    let (place, environment) = try place(#"{"n": 0}"#)
    _ = try place.shell("mkdir folder")
    #expect(try place.run("share", "-q", "f", "folder", environment: environment) == .silent)
    _ = try place.run("increment", "f", "/n", "5", environment: environment)
    let line = try place.run("blame", "f", environment: environment).output
    #expect(line.hasSuffix("  /n: 5  by [\"increment\",\"/n\",5]\n"))
    let report = try JSONValue(parsing: place.run("blame", "--json", "f", environment: environment).output)
    #expect(report[JSONPointer(["0", "actions"])] == [["increment", "/n", 5]])
    let history = try place.run("history", "-p", "-n1", "f", environment: environment).output
    #expect(history.hasSuffix("\n  by [\"increment\",\"/n\",5]\n  ~ /n: 0 → 5\n"))
    let versions = try JSONValue(
      parsing: place.run("history", "-p", "--json", "f", environment: environment).output)
    #expect(versions[JSONPointer(["0", "actions"])] == [["increment", "/n", 5]])
    #expect(versions[JSONPointer(["1", "actions"])] == nil)
  }

  @Test func `one's own last change is taken back although others came after, unless they changed the same`() throws {
    let (place, environment) = try place(#"{"n": 0, "t": "a"}"#)
    // Another terminal is another session.
    func others(_ words: String) throws {
      let run = try place.shell("XDG_STATE_HOME=\(place.path("state")) setsid -w \"$0\" \(words)")
      #expect(run.outcome == .exited(0), "\(run.messages)")
    }
    _ = try place.run("set", "f", "/t", #""mine""#, environment: environment)
    try others("increment f /n")
    #expect(try place.run("undo", "--mine", "f", environment: environment) == .silent)
    #expect(try place.text(of: "f") == #"{"n": 1, "t": "a"}"#)
    #expect(try place.run("undo", "--mine", "f", environment: environment) == .silent)
    #expect(try place.text(of: "f") == #"{"n": 1, "t": "mine"}"#)
    try others("set f /t '\"theirs\"'")
    let refused = try place.run("undo", "--mine", "f", environment: environment)
    #expect(refused.outcome == .exited(1) && refused.messages.contains("others have changed the same since version"))
    #expect(try place.text(of: "f") == #"{"n": 1, "t": "theirs"}"#)
  }
}
