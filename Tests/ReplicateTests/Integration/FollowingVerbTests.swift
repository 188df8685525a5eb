import TestSupport
import TestThreads
import Testing

@testable import replicate

/// The verbs that follow a file: watch, wait and exec.
@Suite(.ownThreads) struct FollowingVerbTests {
  // MARK: watch

  /// What is saved one after the other; the second means the same as the first.
  private static let versions = [
    #"{"n": 1, "s": ["x"]}"#, #"{ "n": 1.0, "s": [ "x" ] }"#, #"{"n": 2, "s": ["x"]}"#,
    #"{"n": 2, "s": ["x", "y"]}"#, #"{"s": ["x", "y"]}"#, #"{"s": ["x", "y"], "n": 3}"#,
  ]

  /// The words for `watch`, and the lines that each version adds.
  @Test(arguments: [
    (
      [],
      [
        [#"{"n":1,"s":["x"]}"#], [], [#"{"n":2,"s":["x"]}"#], [#"{"n":2,"s":["x","y"]}"#], [#"{"s":["x","y"]}"#],
        [#"{"s":["x","y"],"n":3}"#],
      ]
    ),
    (["/s"], [[#"["x"]"#], [], [], [#"["x","y"]"#], [], []]),
    (["/n"], [["1"], [], ["2"], [], [], ["3"]]),
    (
      ["--format", "patch", "/s"],
      [[#"[{"op":"add","path":"/s","value":["x"]}]"#], [], [], [#"[{"op":"add","path":"/s/1","value":"y"}]"#], [], []]
    ),
    (
      ["-f", "patch"],
      [
        [#"[{"op":"add","path":"","value":{"n":1,"s":["x"]}}]"#], [], [#"[{"op":"replace","path":"/n","value":2}]"#],
        [#"[{"op":"add","path":"/s/1","value":"y"}]"#], [#"[{"op":"remove","path":"/n"}]"#],
        [#"[{"op":"add","path":"/n","value":3}]"#],
      ]
    ),
    (
      ["-fpatch", "/n"],
      [
        [#"[{"op":"add","path":"/n","value":1}]"#], [], [#"[{"op":"replace","path":"/n","value":2}]"#], [],
        [#"[{"op":"remove","path":"/n"}]"#], [#"[{"op":"add","path":"/n","value":3}]"#],
      ]
    ),
    (["-fpretty", "/s"], [["[", "  \"x\"", "]"], [], [], ["[", "  \"x\",", "  \"y\"", "]"], [], []]),
  ])
  func `watch prints the value, then each change of it`(words: [String], lines: [[String]]) throws {
    let place = try Workplace("f", Self.versions[0])
    let watch = try place.start(["watch", "f"] + words)
    for (version, lines) in zip(Self.versions, lines) {
      try place.save(version, to: "f")
      for line in lines { #expect(try watch.line() == line) }
    }
    watch.signal(Signals.terminate)
    let end = try watch.end()
    #expect(end.outcome == .signalled(Signals.terminate))
    #expect(end.output == [])
    #expect(end.messages == [])
  }

  @Test func `watch ends after as many values as asked for, the first included`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    #expect(try place.run("watch", "-n1", "f") == .printed("{\"n\":1}\n"))
    let watch = try place.start("watch", "--count=2", "f", "/n")
    #expect(try watch.line() == "1")
    try place.save(#"{"n": 2}"#, to: "f")
    #expect(try Binary.Run(watch.end()) == .printed("2\n"))
  }

  @Test(arguments: [([], ""), (["-f", "patch"], #"[{"op":"replace","path":"/n","value":"#)])
  func `the first value does not count when it is left out`(words: [String], start: String) throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let watch = try place.start(["watch", "-n1", "--only-changes", "f", "/n"] + words)
    // There is no telling when it has seen the first value, so there is always another one.
    try place.bump("f", until: watch)
    let line = try watch.line()
    #expect(line.hasPrefix(start))
    #expect(Int(line.dropFirst(start.count).prefix { $0.isNumber }) ?? 0 > 1)
    #expect(try Binary.Run(watch.end()) == .silent)
  }

  @Test func `without a verb the file is watched on a pipe`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let watch = try place.start("f")
    #expect(try watch.line() == #"{"n":1}"#)
    watch.signal(Signals.interrupt)
    #expect(try watch.end().outcome == .signalled(Signals.interrupt))
  }

  @Test func `an absent pointer is silent until there is something`() throws {
    let place = try Workplace("f", "{}")
    let watch = try place.start("watch", "f", "/a/b")
    #expect(try place.run("set", "-p", "f", "/a/b", "1") == .silent)
    #expect(try watch.line() == "1")
  }

  @Test func `an invalid file is reported once, and its recovery is told`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let watch = try place.start("watch", "f", "/n")
    #expect(try watch.line() == "1")
    try place.save("{\n  \"n\": }\n", to: "f")
    #expect(try watch.message() == "f:2:8: expected a value after ':'")
    try place.save("{\"n\": 2}", to: "f")
    #expect(try watch.line() == "2")
    #expect(try watch.message() == "replicate: 'f' is valid JSON again")
    watch.signal(Signals.hangUp)
    #expect(try watch.end().messages == [])
  }

  @Test func `a file that is invalid at the start is watched until it is mended`() throws {
    let place = try Workplace("f", "")
    let watch = try place.start("watch", "-n1", "f", "/n")
    #expect(try watch.message() == "f:1:1: the text is empty; expected a value")
    try place.write("{\"n\": 2}", to: "f")
    #expect(try watch.line() == "2")
    #expect(try Binary.Run(watch.end()) == .failed(0, "replicate: 'f' is valid JSON again\n"))
  }

  @Test(arguments: [
    ("rm f", #"echo '{"n": 2}' > f"#), ("mv f g", #"echo '{"n": 2}' > g; mv g f"#),
  ])
  func `a file that is deleted is reported and watched on`(deletion: String, recreation: String) throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let watch = try place.start("watch", "f", "/n")
    #expect(try watch.line() == "1")
    #expect(try place.shell(deletion) == .silent)
    #expect(try watch.message() == "replicate: 'f' was deleted; waiting for it to be made again")
    #expect(try place.shell(recreation) == .silent)
    #expect(try watch.line() == "2")
    #expect(try watch.message() == "replicate: 'f' is there again")
  }

  @Test(arguments: ["rm -r d", "mv d e"])
  func `a folder that is deleted and made again is watched on`(deletion: String) throws {
    let place = try Workplace()
    try place.makeFolder("d")
    try place.write(#"{"n": 1}"#, to: "d/f")
    let watch = try place.start("watch", "d/f", "/n")
    #expect(try watch.line() == "1")
    #expect(try place.shell(deletion) == .silent)
    #expect(try watch.message() == "replicate: 'd/f' was deleted; waiting for it to be made again")
    #expect(try place.shell(#"mkdir d && echo '{"n": 2}' > d/f"#) == .silent)
    #expect(try watch.line() == "2")
  }

  @Test(arguments: [
    "echo '{\"n\": 2}' > g && mv g f", "echo '{\"n\": 2}' > f", "rm f && echo '{\"n\": 2}' > f",
    "mv f f~ && echo '{\"n\": 2}' > f && rm f~", "sed -i s/1/2/ f", "jq -c '.n = 2' f > g && mv g f",
    "printf '{\"n\": 2}' | dd of=f conv=notrunc status=none", "echo '{\"n\": 2}' > g && ln -sfn g f",
  ])
  func `each way of saving is seen`(saving: String) throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let watch = try place.start("watch", "f", "/n")
    #expect(try watch.line() == "1")
    #expect(try place.shell(saving) == .silent)
    #expect(try watch.line() == "2")
  }

  @Test func `watch ends quietly when nobody reads any more`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let watch = try place.start("watch", "f", "/n")
    #expect(try watch.line() == "1")
    watch.closeOutput()
    #expect(try place.run("increment", "f", "/n") == .printed("2\n"))
    #expect(try Binary.Run(watch.end()) == .silent)
    #expect(try place.names == ["f"])
  }

  @Test func `the quiet say nothing`() throws {
    let place = try Workplace("f", "{")
    let watch = try place.start("watch", "-q", "-n1", "f", "/n")
    #expect(try place.run("wait", "-q", "--timeout", "0.2", "f", "/n") == .failed(4, ""))
    try place.save(#"{"n": 1}"#, to: "f")
    #expect(try Binary.Run(watch.end()) == .printed("1\n"))
  }

  // MARK: wait

  @Test(arguments: [
    ["/n"], ["/n", "1"], ["/n", "1.0"], ["--timeout", "0", "/n", "1"], ["/s", #""x""#], ["-s", "/s", "x"], [""],
    ["", #"{"s": "x", "n": 1e0}"#],
  ])
  func `wait is over at once for what is there`(words: [String]) throws {
    let place = try Workplace("f", #"{"n": 1, "s": "x"}"#)
    #expect(try place.run(["wait", "f"] + words) == .silent)
  }

  @Test(arguments: [
    (["/q"], "'/q' of 'f' was not there"), (["/n", "2"], "'/n' of 'f' was not the wanted value"),
    (["", "2"], "'' of 'f' was not the wanted value"),
  ])
  func `wait ends with 4 when the time is over`(words: [String], message: String) throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    for timeout in ["0", "0.1"] {
      let run = try place.run(["wait", "f", "--timeout", timeout] + words)
      #expect(run == .failed(4, "replicate: \(message) in time; --timeout allows more\n"))
    }
  }

  @Test func `wait notices what comes`() throws {
    let place = try Workplace("f", "{}")
    let exists = try place.start("wait", "--timeout", "30", "f", "/a/b")
    let equals = try place.start("wait", "--timeout", "30", "f", "/a/b", "2")
    #expect(try place.run("set", "-p", "f", "/a/b", "1") == .silent)
    let firstEnd = Binary.Run(try exists.end())
    #expect(firstEnd == .silent)
    #expect(try place.run("increment", "f", "/a/b") == .printed("2\n"))
    let secondEnd = Binary.Run(try equals.end())
    #expect(secondEnd == .silent)
  }

  // MARK: exec

  @Test func `exec runs the command at the start and at each change`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let script = #"read value; echo "$value $REPLICATE_FILE $REPLICATE_POINTER $REPLICATE_CAUSE""#
    let exec = try place.start("exec", "f", "/n", "--", "sh", "-c", script)
    #expect(try exec.line() == "1 f /n start")
    #expect(try place.run("increment", "f", "/n") == .printed("2\n"))
    #expect(try exec.line() == "2 f /n instance")
    try place.save(#"{"n": 3}"#, to: "f")
    #expect(try exec.line() == "3 f /n edit")
    exec.signal(Signals.terminate)
    #expect(try exec.end().outcome == .signalled(Signals.terminate))
  }

  @Test func `exec never overlaps, and skips to the newest value`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    #expect(try place.shell("mkfifo gate") == .silent)
    // Each run says what it got, then waits until somebody opens the gate.
    let exec = try place.start("exec", "f", "/n", "--", "sh", "-c", "read n; echo $n; read line < gate; echo end $n")
    #expect(try exec.line() == "1")
    for value in 2...4 { #expect(try place.run("set", "f", "/n", "\(value)") == .silent) }
    // A witness has seen the last of them, so the other has been told, too.
    #expect(try place.run("wait", "f", "/n", "4") == .silent)
    #expect(try place.shell("echo > gate") == .silent)
    #expect(try exec.line() == "end 1")
    var line = try exec.line()
    // The notification itself may take a while to come through.
    while line != "4" {
      #expect(["2", "3"].contains(line))
      #expect(try place.shell("echo > gate") == .silent)
      #expect(try exec.line() == "end \(line)")
      line = try exec.line()
    }
    exec.signal(Signals.interrupt)
    #expect(try exec.end().outcome == .signalled(Signals.interrupt))
  }

  @Test func `a failing command is reported, and exec goes on`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let exec = try place.start("exec", "f", "/n", "--", "sh", "-c", "read n; echo $n; exit $n")
    #expect(try exec.line() == "1")
    #expect(try exec.message() == "replicate: 'sh' ended with exit code 1")
    #expect(try place.run("set", "f", "/n", "7") == .silent)
    #expect(try exec.line() == "7")
    #expect(try exec.message() == "replicate: 'sh' ended with exit code 7")
    #expect(try place.run("set", "f", "/n", "0") == .silent)
    #expect(try exec.line() == "0")
    exec.signal(Signals.terminate)
    #expect(try exec.end().messages == [])
  }

  @Test func `a command may leave its input unread, however long it is`() throws {
    let place = try Workplace("f", "\"\(String(repeating: "x", count: 300_000))\"")
    let exec = try place.start("exec", "f", "--", "echo", "done")
    #expect(try exec.line() == "done")
    exec.signal(Signals.terminate)
    #expect(try exec.end().messages == [])
  }

  @Test func `a command that can't be started ends exec with 4`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let message = "replicate: cannot run './no-such': no such file or directory\n"
    #expect(try place.run("exec", "f", "--", "./no-such") == .failed(4, message))
  }

  // MARK: Signals

  @Test(arguments: [Signals.interrupt, Signals.terminate, Signals.hangUp, Signals.quit])
  func `a signal ends those that follow a file, which leave nothing behind`(signal: Int32) throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    for words in [["watch", "f"], ["exec", "f", "--", "cat"]] {
      let command = try place.start(words)
      #expect(try command.line() == #"{"n":1}"#)
      command.signal(signal)
      let end = try command.end()
      #expect(end.outcome == .signalled(signal))
      #expect(end.messages == [])
    }
    let wait = try place.start("wait", "--timeout", "1000", "f", "/q")
    try wait.untilItBlocks(signal)
    wait.signal(signal)
    #expect(try wait.end().outcome == .signalled(signal))
    #expect(try place.names == ["f"])
  }

  @Test func `a signal ends a command that is running, too`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let exec = try place.start("exec", "f", "--", "sh", "-c", "echo started; exec sleep 1000")
    #expect(try exec.line() == "started")
    exec.signal(Signals.terminate)
    #expect(try exec.end().outcome == .signalled(Signals.terminate))
  }

  @Test(
    arguments: [
      ("json", #"{"file":"f","value":1}"#, #"{"file":"g","value":2}"#),
      (
        "patch", #"{"file":"f","patch":[{"op":"add","path":"/n","value":1}]}"#,
        #"{"file":"g","patch":[{"op":"add","path":"/n","value":2}]}"#
      ),
      ("pretty", "==> f <==\n1", "==> g <==\n2"),
    ])
  func `several files are followed, and each value says whose it is`(format: String, first: String, second: String)
    throws
  {
    let place = try Workplace("f", #"{"n": 1}"#)
    try place.write(#"{"n": 2}"#, to: "g")
    let words = ["watch", "f", "/n", "--also", "g", "-n", "2", "-f", format]
    #expect(try place.run(words) == .printed("\(first)\n\(second)\n"))
  }

  @Test func `another file that is missing ends it`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    #expect(try place.run("watch", "f", "--also", "g") == .failed(4, "replicate: there is no file 'g'\n"))
  }
}
