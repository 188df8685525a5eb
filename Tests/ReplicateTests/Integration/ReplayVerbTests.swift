import HotReload
import StateJSON
import StoreCore
import StoreRecording
import TestSupport
import TestThreads
import Testing

@testable import replicate

/// `replay`: a recording on its way into a file.
@Suite(.ownThreads) struct ReplayVerbTests {
  /// Three steps, a second from each other.
  private func place(_ text: String? = nil) throws -> Workplace {
    let place = try Workplace()
    try place.writeRecording(
      of: #"{"n": 0, "t": "a"}"#, #"{"n": 1, "t": "a"}"#, #"{ "n": 1, "t": "b" }"#, #"{ "n": 3, "t": "b" }"#)
    if let text { try place.write(text, to: "f") }
    return place
  }

  private static let fast = ["--speed", "100000"]

  // MARK: What comes out

  @Test(arguments: [
    ([], #"{ "n": 3, "t": "b" }"#), (["--until", "0"], #"{"n": 0, "t": "a"}"#),
    (["--until", "2"], #"{ "n": 1, "t": "b" }"#), (["--until", "1.999s"], #"{"n": 1, "t": "a"}"#),
    (["--until=2s"], #"{ "n": 1, "t": "b" }"#), (["--until", "1000s"], #"{ "n": 3, "t": "b" }"#),
    (["--from", "1", "--until", "1"], #"{"n": 1, "t": "a"}"#), (["--from", "3"], #"{ "n": 3, "t": "b" }"#),
    (["--from", "1.5s", "--until", "2"], #"{ "n": 1, "t": "b" }"#),
  ])
  func `the file comes to what was recorded, whatever it was`(words: [String], text: String) throws {
    let place = try place("[1, 2, 3]\n")
    #expect(try place.run(["replay"] + Self.fast + words + ["out", "f"]) == .silent)
    #expect(try place.text(of: "f") == text)
    #expect(try place.names == ["f", "out"])
  }

  @Test func `each step is a version of its own, and a return to an earlier state`() throws {
    let place = try place("[]")
    let environment = ["XDG_STATE_HOME": place.path("state")]
    #expect(try place.run(["replay"] + Self.fast + ["out", "f"], environment: environment) == .silent)
    let history = try place.run("history", "f", environment: environment).output.split(separator: "\n")
    #expect(history.map { $0.split(separator: " ")[3] } == ["restore", "restore", "restore", "restore", "edit"])
    let first = String(history[4].prefix(8))
    #expect(try place.run("restore", "f", first, environment: environment) == .silent)
    #expect(try place.text(of: "f") == "[]")
  }

  @Test func `a file that is missing is made only if that is asked for`() throws {
    let place = try place()
    #expect(
      try place.run(["replay"] + Self.fast + ["out", "f"])
        == .failed(4, "replicate: there is no file 'f'; --create makes it\n"))
    #expect(try place.run(["replay", "--create"] + Self.fast + ["out", "f"]) == .silent)
    #expect(try place.text(of: "f") == #"{ "n": 3, "t": "b" }"#)
  }

  @Test(
    arguments: [
      (nil, "{\n  \"notes\": [\n    \"milk\"\n  ]\n}\n"), (#"{"notes":[ ]}"#, #"{"notes":["milk"]}"#),
      ("{\r\n\t\"other\": 1,\r\n\t\"notes\": []\r\n}", "{\r\n\t\"notes\": [\r\n\t\t\"milk\"\r\n\t]\r\n}"),
    ] as [(String?, String)])
  func `a recording of a store is written in the file's own formatting`(before: String?, after: String) throws {
    let place = try Workplace()
    if let before { try place.write(before, to: "f") }
    let milk: JSONValue = ["notes": ["milk"]]
    try place.write(
      #"""
      {"recording":1,"schema":0,"began":0,"step":0,"at":0,"state":{"notes":[]}}
      {"at":1,"type":"App.Action","dispatched":"milk"}
      {"step":1,"at":1,"cause":"action","action":"milk","patch":[{"op":"add","path":"/notes/0","value":"milk"}],\#
      "hash":"\#(milk.recordingHash)"}

      """#, to: "out")
    #expect(try place.run(["replay", "--create"] + Self.fast + ["out", "f"]) == .silent)
    #expect(try place.text(of: "f") == after)
  }

  // MARK: The pace

  @Test func `no step comes before its time`() throws {
    let place = try place("{}")
    let replay = try place.start("replay", "--speed", "0.0001", "out", "f")
    #expect(try place.run("wait", "f", "/n", "0") == .silent)
    // The first step is due in hours.
    replay.signal(Signals.interrupt)
    let end = try replay.end()
    #expect(end.outcome == .signalled(Signals.interrupt))
    #expect(end.messages == [])
    #expect(try place.text(of: "f") == #"{"n": 0, "t": "a"}"#)
    #expect(try place.names == ["f", "out"])
  }

  @Test func `steps come by the line, and are told`() throws {
    let place = try place("{}")
    let replay = try place.start(["replay", "--step", "out", "f"], keepsInputOpen: true)
    replay.send("\n")
    #expect(try replay.line() == "1  1.000s  edit                /n 1")
    #expect(try place.text(of: "f") == #"{"n": 1, "t": "a"}"#)
    replay.send("\n\n")
    #expect(try replay.line() == #"2  2.000s  edit                /t "b""#)
    #expect(try replay.line() == "3  3.000s  edit                /n 3")
    // It ends by itself after the last.
    #expect(try Binary.Run(replay.end()) == .silent)
  }

  @Test(arguments: [("", "0"), ("\n", "1"), ("x\ny", "2"), ("\n\n\n\n\n", "3")])
  func `the end of the input ends it where it is`(input: String, step: String) throws {
    let place = try place("{}")
    #expect(try place.run("replay", "--step", "-q", "out", "f", input: input).outcome == .exited(0))
    #expect(try place.run(["replay", "--create", "--until", step] + Self.fast + ["out", "g"]) == .silent)
    #expect(try place.text(of: "f") == place.text(of: "g"))
  }

  @Test func `it ends quietly when nobody reads any more what it takes`() throws {
    let place = try place("{}")
    let replay = try place.start(["replay", "--step", "out", "f"], keepsInputOpen: true)
    replay.send("\n")
    #expect(try replay.line() == "1  1.000s  edit                /n 1")
    replay.closeOutput()
    #expect(try Binary.Run(replay.end()) == .silent)
  }

  // MARK: Others

  @Test func `what others change elsewhere stays, and is told in the end`() throws {
    let place = try place("{}")
    let replay = try place.start(["replay", "--step", "out", "f"], keepsInputOpen: true)
    replay.send("\n")
    _ = try replay.line()
    #expect(try place.run("set", "f", "/mine", "true") == .silent)
    #expect(try place.run("set", "f", "/n", "100") == .silent)
    replay.send("\n\n")
    let run = try Binary.Run(replay.end())
    #expect(run.messages == "replicate: 'f' is not what was recorded, since others changed it\n")
    #expect(run.outcome == .exited(1))
    // The third step sets the same place.
    #expect(try place.text(of: "f") == #"{"n": 3, "t": "b", "mine": true}"#)
  }

  @Test func `what others change and take back makes no difference`() throws {
    let place = try place("{}")
    let replay = try place.start(["replay", "--step", "out", "f"], keepsInputOpen: true)
    replay.send("\n")
    _ = try replay.line()
    #expect(try place.run("set", "f", "/n", "100") == .silent)
    #expect(try place.run("set", "f", "/n", "1") == .silent)
    replay.send("\n\n")
    #expect(try replay.end().outcome == .exited(0))
    #expect(try place.text(of: "f") == #"{ "n": 3, "t": "b" }"#)
  }

  @Test func `an invalid save is waited for, as long as is asked for`() throws {
    let place = try place("{}")
    let replay = try place.start(["replay", "--step", "out", "f"], keepsInputOpen: true)
    replay.send("\n")
    _ = try replay.line()
    try place.save("{", to: "f")
    #expect(try replay.message() == "f:1:2: unexpected end of input; expected a key or '}'")
    replay.send("\n")
    try place.save(#"{"n": 1, "t": "a"}"#, to: "f")
    #expect(try replay.message() == "replicate: 'f' is valid JSON again")
    #expect(try replay.line() == #"2  2.000s  edit                /t "b""#)
    #expect(try replay.end().outcome == .exited(0))
    #expect(try place.text(of: "f") == #"{ "n": 1, "t": "b" }"#)
  }

  @Test func `an invalid save that nobody mends ends it`() throws {
    let place = try place("{}")
    let replay = try place.start(["replay", "--step", "--timeout", "0.3", "out", "f"], keepsInputOpen: true)
    replay.send("\n")
    _ = try replay.line()
    try place.save("{", to: "f")
    #expect(try replay.message() == "f:1:2: unexpected end of input; expected a key or '}'")
    replay.send("\n")
    #expect(
      try Binary.Run(replay.end()) == .failed(3, "replicate: 'f' was not ready in time; --timeout allows more\n"))
    #expect(try place.text(of: "f") == "{")
  }

  @Test func `an invalid file is left alone`() throws {
    let place = try place("{")
    #expect(
      try place.run(["replay"] + Self.fast + ["out", "f"])
        == .failed(3, "f:1:2: unexpected end of input; expected a key or '}'\n"))
    #expect(try place.text(of: "f") == "{")
  }

  @Test(.enabled(if: Workplace.canRunAsNobody))
  func `a file that may not be written ends it in time`() throws {
    let place = try place("{}")
    let run = try place.shell(
      "chmod 755 .; chmod 644 f out; export XDG_STATE_HOME=/nonexistent; "
        + "\(Workplace.asNobody) \"$0\" replay --timeout 0.3 out f")
    #expect(run.messages.contains("replicate: cannot open '\(place.path)/f': permission denied\n"))
    #expect(run.messages.hasSuffix("replicate: 'f' was not ready in time; --timeout allows more\n"))
    #expect(run.outcome == .exited(4))
    #expect(try place.text(of: "f") == "{}")
  }

  @Test func `a file that is deleted is made again by the next step`() throws {
    let place = try place("{}")
    let replay = try place.start(["replay", "--step", "out", "f"], keepsInputOpen: true)
    replay.send("\n")
    _ = try replay.line()
    try place.remove("f")
    #expect(try replay.message() == "replicate: 'f' was deleted; the next action makes it again")
    replay.send("\n")
    _ = try replay.line()
    #expect(try place.text(of: "f") == #"{ "n": 1, "t": "b" }"#)
    _ = try replay.end()
  }

  // MARK: What can't be replayed

  @Test func `steps that don't fit are left out, until the whole text is there again`() throws {
    let place = try place("{}")
    func damage(_ line: Int, _ text: String) throws {
      var lines = try place.text(of: "out").split(separator: "\n").map(String.init)
      lines[line - 1] = text
      try place.write(lines.map { $0 + "\n" }.joined(), to: "out")
    }
    try damage(2, "{]")
    #expect(
      try place.run(["replay"] + Self.fast + ["out", "f"])
        == .failed(1, "out:2:2: expected a key or '}'\nout:3:1: expected step 1, but here is step 2\n"))
    #expect(try place.text(of: "f") == #"{ "n": 3, "t": "b" }"#)

    // Only patches: the first three steps set another place each.
    try place.writeRecording(
      of: #"{"a": 0}"#, #"{"a": 1}"#, #"{"a": 1, "b": 1}"#, #"{"a": 1, "b": 1, "c": 1}"#, withTexts: false)
    try damage(2, #"{"step":1,"at":1,"cause":"edit","patch":[{"op":"remove","path":"/x"}],"hash":"0"}"#)
    let run = try place.run(["replay"] + Self.fast + ["out", "f"])
    #expect(run.messages.hasPrefix("out:2:1: step 1 doesn't fit the state before it: "))
    // Those after it are told with it.
    #expect(run.messages.filter { $0 == "\n" }.count == 1)
    #expect(run.outcome == .exited(1))
    #expect(try place.text(of: "f") == #"{"a": 0}"#)
  }

  @Test(arguments: [
    (["--from", "4"], 1, "replicate: 'out' has no step 4; it goes from 0 to 3\n"),
    (["--until", "17"], 1, "replicate: 'out' has no step 17; it goes from 0 to 3\n"),
    (["--from", "2", "--until", "1.5s"], 1, "replicate: '--until' comes before '--from' in 'out'\n"),
  ])
  func `a place that isn't there is refused, and the file is left alone`(
    words: [String], code: Int32, message: String
  ) throws {
    let place = try place("[]")
    #expect(try place.run(["replay"] + words + ["out", "f"]) == .failed(code, message))
    #expect(try place.text(of: "f") == "[]")
  }

  @Test(
    arguments: [
      ("", 3, "out:1:1: there is no whole line in it\n"), ("{}", 3, "out:1:1: there is no whole line in it\n"),
      ("{}\n", 3, "out:1:1: expected 'recording', 'patch', 'dispatched' or 'end'\n"),
      ("[]\n", 3, "out:1:1: expected an object\n"), ("{,\n", 3, "out:1:2: expected a key or '}'\n"),
      (#"{"recording":1,"schema":0,"began":0,"step":0,"at":0,"text":"{"}"# + "\n", 3, nil),
      (
        #"{"recording":2}"# + "\n", 3,
        "replicate: 'out' was recorded in version 2 of the format, and this program reads up to 1: update it\n"
      ),
      (nil, 4, "replicate: cannot open 'out': no such file or directory\n"),
    ] as [(String?, Int32, String?)])
  func `what is no recording is refused by those who read one`(text: String?, code: Int32, message: String?) throws {
    let place = try Workplace("f", "1")
    if let text { try place.write(text, to: "out") }
    for words in [["replay", "out", "f"], ["show", "out"], ["show", "--json", "out"]] {
      let run = try place.run(words)
      #expect(run == .failed(code, message ?? run.messages))
    }
    #expect(try place.text(of: "f") == "1")
  }

  @Test func `a recording isn't replayed onto itself`() throws {
    let place = try place()
    let message = "replicate: 'out' is './out' itself; give the recording a file of its own\n"
    #expect(try place.run("replay", "out", "./out") == .failed(2, message))
  }
}
