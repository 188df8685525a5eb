import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import replicate

/// What scripts rely on: exit codes, options, and what goes to which stream.
@Suite(.ownThreads) struct ContractTests {
  @Test(arguments: [
    (["get", "f"], 0, ""),
    (["get", "f", "/q"], 1, "replicate: '/q' leads nowhere: the root has no member \"q\"\n"),
    (
      ["patch", "f", #"[{"op": "test", "path": "/n", "value": 2}]"#], 1,
      "replicate: operation 0 (test '/n'): the value is 1, not 2\n"
    ),
    (["update", "f", "--", "false"], 1, "replicate: 'false' ended with exit code 1; nothing was written\n"),
    (["get", "f", "q"], 2, "replicate: 'q' is not a JSON pointer: it must be empty or start with '/'\n"),
    (["get", "--compat", "f"], 2, "replicate: unknown option '--compat'; did you mean '--compact'?\n"),
    (["increment", "f", "/s"], 3, "replicate: '/s' is a string, not a number\n"),
    (["get", "invalid"], 3, "invalid:1:2: unexpected end of input; expected a key or '}'\n"),
    (["set", "f", "/n", "-"], 3, "<stdin>:1:1: the text is empty; expected a value\n"),
    (["get", "missing"], 4, "replicate: there is no file 'missing'\n"),
    (["watch", "missing"], 4, "replicate: there is no file 'missing'\n"),
    (["missing"], 4, "replicate: there is no file 'missing'\n"),
    (["exec", "missing", "--", "cat"], 4, "replicate: there is no file 'missing'\n"),
    (
      ["wait", "--timeout", "0", "f", "/q"], 4, "replicate: '/q' of 'f' was not there in time; --timeout allows more\n"
    ),
  ])
  func `an exit code comes with its reason`(words: [String], code: Int32, message: String) throws {
    let place = try Workplace("f", #"{"n": 1, "s": "x"}"#)
    try place.write("{", to: "invalid")
    var run = try place.run(words)
    run.output = ""
    #expect(run == .failed(code, message))
    // Whoever mistypes a command is told in any case.
    guard code != 2 else { return }
    let quiet = try place.run(["-q"] + words)
    #expect(quiet.messages == "")
    #expect(quiet.outcome == .exited(code))
  }

  @Test(.enabled(if: Workplace.canRunAsNobody))
  func `a file that can't be made is told with the reason`() throws {
    let place = try Workplace()
    let run = try place.shell("chmod 755 .; \(Workplace.asNobody) \"$0\" set --create f /n 1")
    #expect(run == .failed(4, "replicate: cannot open '\(place.path)/f': permission denied\n"))
    #expect(try place.names == [])
  }

  @Test func `a full disk is told, and the file stays as it was`() throws {
    let place = try Workplace()
    // A file system of its own, as small as can be; only some users may have one.
    guard try place.shell("unshare -m true").outcome == .exited(0) else { return }
    let run = try place.shell(
      """
      unshare -m sh -c 'mount -t tmpfs -o size=8k none . && cd "$PWD" && echo "{}" > f &&
        head -c 5000 /dev/zero | tr "\\0" x | "$0" set -s f /a - ; echo $?; cat f; ls -A' "$0"
      """)
    let message = "replicate: cannot write '\(place.path)/f': no space left on device\n"
    #expect(run == .failed(0, message, output: "4\n{}\nf\n"))
  }

  // MARK: get

  @Test(arguments: [
    ([], "{\n  \"s\": \"a\\n\",\n  \"f\": 1.0,\n  \"e\": 1e3,\n  \"l\": [],\n  \"o\": {}\n}\n"),
    (["-c"], "{\"s\":\"a\\n\",\"f\":1.0,\"e\":1e3,\"l\":[],\"o\":{}}\n"),
    (["/s"], "\"a\\n\"\n"), (["-r", "/s"], "a\n\n"), (["--raw", "/f"], "1.0\n"), (["-cr", "/l"], "[]\n"),
    (["-r", "--compact"], "{\"s\":\"a\\n\",\"f\":1.0,\"e\":1e3,\"l\":[],\"o\":{}}\n"), (["/e"], "1e3\n"),
  ])
  func `get prints the order and the literals of the file`(words: [String], output: String) throws {
    let place = try Workplace("f", #"{"s":"a\n", "f": 1.0,"e":1e3,"l":[ ],"o":{ }}"#)
    #expect(try place.run(["get", "f"] + words) == .printed(output))
  }

  @Test func `on a pipe the text of the file is shown as it is`() throws {
    let place = try Workplace("f", "\"\u{202e}\u{7f}\"")
    #expect(try place.run("get", "f") == .printed("\"\u{202e}\u{7f}\"\n"))
    #expect(try place.run("get", "-r", "f") == .printed("\u{202e}\u{7f}\n"))
    #expect(try place.run("watch", "-n1", "f") == .printed("\"\u{202e}\u{7f}\"\n"))
  }

  @Test func `several places are printed, or none, and said back as they were typed`() throws {
    let place = try Workplace("f", #"{"n": {"a": 1}, "m": 2}"#)
    #expect(try place.run("get", "f", ".n.a", "/m", "-c") == .printed("1\n2\n"))
    #expect(
      try place.run("get", "f", "/m", ".n.b.c")
        == .failed(1, "replicate: '.n.b.c' leads nowhere: '.n' has no member \"b\"\n"))
    #expect(
      try place.run("set", "f", ".n.x.y", "1")
        == .failed(1, "replicate: '.n.x.y' leads nowhere: '.n' has no member \"x\"; -p makes what is missing\n"))
    let hint = "replicate: there is no file 'histroy'; did you mean the verb 'history'?\n"
    #expect(try place.run("histroy") == .failed(4, hint))
  }

  @Test func `data is coloured on a pipe where that is asked for`() throws {
    let place = try Workplace("f", #"{"n": [1, "a\"b", true]}"#)
    let run = try place.run("get", "f", "-c", "--color", "always", environment: ["NO_COLOR": "1"])
    func ink(_ code: Int, _ text: String) -> String { "\u{1b}[\(code)m\(text)\u{1b}[0m" }
    let elements = [ink(35, "1"), ink(32, #""a\"b""#), ink(34, "true")].joined(separator: ",")
    let colored = "{\(ink(36, #""n""#)):[\(elements)]}\n"
    #expect(run == .printed(colored))
  }

  @Test(arguments: [[], ["--color=never"], ["--color", "auto"]])
  func `data on a pipe is not coloured otherwise`(words: [String]) throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    for noColor in ["", "1"] {
      let run = try place.run(words + ["get", "f", "-c"], environment: ["NO_COLOR": noColor])
      #expect(run == .printed("{\"n\":1}\n"))
    }
  }

  // MARK: Arguments

  @Test(arguments: [
    (["get", "--", "f", "/n"], "1\n"), (["get", "f", "--", "/n"], "1\n"), (["--", "get", "f", "/n"], "1\n"),
    (["get", "./get"], "2\n"), (["f", "get"], "replicate: the verb stands before FILE: replicate get f\n"),
    (["get", "--", "-x"], "3\n"),
    (["get", "-"], "replicate: FILE can't be '-': a stream has no path that others could change\n"),
    (["get", ""], "replicate: FILE is empty; give the path of a JSON file\n"),
    (["get", "f", "/n", ".n"], "1\n1\n"),
    (["get", "-n1", "f"], "replicate: option '--count' belongs to 'watch', 'history', 'show', not to 'get'\n"),
    (["set", "f", "/n", "{"], "<VALUE>:1:2: unexpected end of input; expected a key or '}'; '-s' takes it as text\n"),
    (["set", "f", "/n"], "replicate: 'set' needs VALUE: replicate set FILE POINTER VALUE\n"),
    (["update", "f", "/n"], "replicate: 'update' needs COMMAND: replicate update FILE [POINTER] -- COMMAND…\n"),
    (["watch", "-n0", "f"], "replicate: option '--count' takes a number from 1, not '0'\n"),
    (
      ["watch", "-f", "jso", "f"],
      "replicate: option '--format' takes json, pretty, patch, not 'jso'; did you mean 'json'?\n"
    ),
    (["get", "--timeout", "1e9", "f"], "replicate: option '--timeout' takes seconds, such as 10 or 0.5, not '1e9'\n"),
    (["get", "--timeout", "f", "--timeout", "1", "f", "/n"], "1\n"),
  ])
  func `words mean what the contract says`(words: [String], text: String) throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    try place.write("2", to: "get")
    try place.write("3", to: "-x")
    let run = try place.run(words)
    let isUsage = text.contains(": ")
    #expect(run == (isUsage ? .failed(2, text) : .printed(text)))
  }

  @Test(arguments: ["0", "0.000001", "0.5", "1000000000"])
  func `a time limit doesn't matter while nobody is in the way`(timeout: String) throws {
    let place = try Workplace()
    // Written by another process: a descriptor of ours would be shared, for a moment, with every command that other
    // tests are starting just now, and whoever has the file open for writing is in the way.
    #expect(try place.shell(#"echo '{"n": 1}' > f"#) == .silent)
    #expect(try place.run("increment", "--timeout", timeout, "f", "/n") == .printed("2\n"))
    #expect(try place.run("get", "--timeout", timeout, "f", "/n") == .printed("2\n"))
    #expect(try place.run("watch", "-n1", "--timeout", timeout, "f", "/n") == .printed("2\n"))
    #expect(try place.run("wait", "--timeout", timeout, "f", "/n", "2") == .silent)
  }

  @Test(arguments: ["process", "power"])
  func `either durability commits`(durability: String) throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    #expect(try place.run("increment", "--durability", durability, "f", "/n") == .printed("2\n"))
    #expect(try place.names == ["f"])
  }

  @Test(arguments: [["patch", "f"], ["merge", "f"]])
  func `input that nobody would type in is asked for, not waited for`(words: [String]) throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let operand = words[0] == "patch" ? "PATCH" : "DOCUMENT"
    // `script` gives it a terminal to read from.
    let run = try place.shell("script -qec \"'$0' \(words.joined(separator: " "))\" /dev/null < /dev/null")
    #expect(run.output == "replicate: \(operand) is missing; give it as text, or pipe it in\r\n")
    #expect(run.outcome == .exited(2))
  }

  @Test func `a message with control characters is safe on a terminal`() throws {
    let place = try Workplace()
    // The name goes through the environment: `script` may start any shell, and each has its own way to write an escape.
    let run = try place.shell(#"name=$(printf 'a\033]0;x') script -qec "'$0' get \"\$name\"" /dev/null < /dev/null"#)
    #expect(run.output == "replicate: there is no file 'a\\u001B]0;x'\r\n")
    #expect(run.outcome == .exited(4))
  }

  @Test(arguments: [
    ("get --color never f /a", #""\u202Ex""#), ("get f /a", "\u{1b}[32m\"\\u202Ex\"\u{1b}[0m"),
    ("get -r f /a", #"\u202Ex"#),
    ("watch --color never -n1 f /a", #""\u202Ex""#),
    ("watch --color never -n1 --format patch f /a", #"[{"op":"add","path":"/a","value":"\u202Ex"}]"#),
    ("verify invalid", "-" + String(repeating: " ", count: 65) + #"file: duplicate key "\u202Ex"; first at line 1"#),
  ])
  func `data is safe on a terminal`(words: String, line: String) throws {
    let place = try Workplace("f", "{\"a\": \"\u{202e}x\"}")
    try place.write("{\"\u{202e}x\": 1, \"\u{202e}x\": 2}", to: "invalid")
    let run = try place.shell("script -qec \"'$0' \(words)\" /dev/null < /dev/null")
    #expect(run.output.prefix { $0 != "\r\n" } == line)
  }

  @Test(.enabled(if: Workplace.canRunAsNobody))
  func `a finding of doctor's is safe on a terminal`() throws {
    let place = try Workplace("f\u{1b}]0;x", "1")
    let run = try place.shell(
      #"chmod 755 .; chmod 644 f*; export name=$(echo f*); "#
        + #"script -qec "\#(Workplace.asNobody) '$0' doctor \"\$name\"" /dev/null < /dev/null"#)
    let reason = "cannot open '\(place.path)/f\\u001B]0;x': permission denied"
    #expect(run.output.hasPrefix("unusable  the file can't be written: \(reason)\r\n"))
  }

  // MARK: doctor

  @Test func `doctor finds nothing wrong with an ordinary place`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let run = try place.run("doctor", "f")
    let lines = run.output.split(separator: "\n")
    // Where the tests run may well be degraded; then it must say so in both ways.
    let isDegraded = lines.contains { $0.hasPrefix("degraded") }
    #expect(lines.allSatisfy { $0.hasPrefix("ok        ") || $0.hasPrefix("degraded  ") })
    #expect(run.messages == "")
    #expect(run.outcome == .exited(isDegraded ? 1 : 0))
    #expect(try place.names == ["f"])
  }

  @Test func `doctor's JSON says the same as its text`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let text = try place.run("doctor", "f")
    let json = try place.run("doctor", "--json", "f")
    #expect(json.outcome == text.outcome)
    let report = try JSONValue(parsing: Array(json.output.utf8))
    #expect(report["/file"] == "f")
    guard case .array(let findings) = report["/findings"] else { throw Failure.usage("no findings") }
    let lines = findings.map { finding -> String in
      guard case .string(let text) = finding["/text"] else { return "" }
      return (finding["/ok"] == true ? "ok        " : "degraded  ") + text + "\n"
    }
    #expect(lines.joined() == text.output)
  }

  @Test func `doctor tells of a hard link, which a replaced file leaves behind`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let run = try place.shell("ln f g; \"$0\" doctor f")
    #expect(run.output.contains("degraded  the file has another name, a hard link, which keeps the old contents"))
    #expect(run.outcome == .exited(1))
  }

  @Test(.enabled(if: Workplace.canRunAsNobody))
  func `doctor calls a place degraded where files can only be written in place`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let run = try place.shell("chmod 755 .; chmod 666 f; \(Workplace.asNobody) \"$0\" doctor f")
    #expect(run.output.contains("degraded  the file is written in place"))
    #expect(run.outcome == .exited(1))
  }

  @Test(.enabled(if: Workplace.canRunAsNobody))
  func `doctor calls a file unusable that can't be written`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let run = try place.shell("chmod 755 .; chmod 644 f; \(Workplace.asNobody) \"$0\" doctor f")
    let reason = "cannot open '\(place.path)/f': permission denied"
    #expect(run.output.hasPrefix("unusable  the file can't be written: \(reason)\n"))
    #expect(run.outcome == .exited(4))
  }

  @Test(arguments: [
    (".", "cannot open 'HERE/.': is a directory"), ("no/f", "cannot open 'HERE/no/f': no such folder: 'HERE/no'"),
    ("/dev/null", "cannot open '/dev/null': is a device, not a regular file"),
  ])
  func `doctor calls unusable what can't be a file`(file: String, reason: String) throws {
    let place = try Workplace()
    let message = "replicate: " + reason.replacing("HERE", with: place.path) + "\n"
    #expect(try place.run("doctor", file) == .failed(4, message))
  }
}

extension JSONValue {
  /// The value at a pointer that is written correctly.
  fileprivate subscript(text: String) -> JSONValue? {
    guard let pointer = try? JSONPointer(parsing: text) else { return nil }
    return self[pointer]
  }
}
