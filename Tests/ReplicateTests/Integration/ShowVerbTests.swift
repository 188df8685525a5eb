import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import replicate

/// `show`: a recording as a time line.
@Suite(.ownThreads) struct ShowVerbTests {
  private static let environment = ["TZ": "UTC"]

  /// What a program recorded that died.
  private func flight() throws -> Workplace {
    let place = try Workplace()
    try place.write(
      #"""
      {"recording":1,"program":"Episodes","schema":3,"began":1795354242879,"step":98,"at":5.25,"state":{"n":1}}
      {"at":6.000001,"type":"Episodes.AppAction","dispatched":{"add":{"_0":2}}}
      {"step":99,"at":6.000002,"cause":"action","action":{"add":{"_0":2}},"patch":[{"op":"replace","path":"/n","value":3}],"hash":"0"}
      {"step":100,"at":62,"cause":"instance","instance":"4f2a91c0","patch":[{"op":"add","path":"/a","value":1},{"op":"remove","path":"/b"},{"op":"move","from":"/c","path":"/d"},{"op":"copy","from":"/e","path":"/g"},{"op":"add","path":"/h","value":1}],"hash":"0"}
      {"step":101,"at":63,"cause":"edit","patch":[],"text":" 1","hash":"0"}
      {"step":102,"at":64,"cause":"restore","patch":[],"hash":"0"}
      {"step":103,"at":65,"cause":"edit","patch":[{"op":"replace","path":"","value":"\u001b[31m0123456789 0123456789 0123456789 0123456789"}],"hash":"0"}
      {"at":66,"type":"Episodes.AppAction","dispatched":{"dropped":{}}}
      {"at":67,"type":"Episodes.AppAction","dispatched":{"add":{"_0":-1}}}
      {"at":68,"type":"Epis
      """#, to: "out")
    return place
  }

  @Test func `a flight record is a line a step, and ends with what nothing followed`() throws {
    let run = try flight().run("show", "out", environment: Self.environment)
    #expect(
      run
        == .printed(
          #"""
          Episodes, recorded 2026-11-22 13:30:42.879, from step 98 on
           99   6.001s  action                {"add":{"_0":2}}
          100  62.000s  instance    4f2a91c0  /a 1  /b removed  /d moved from /c  /g copied from /e  and 1 more
          101  63.000s  edit                  only the formatting changed
          102  64.000s  restore               nothing changed
          103  65.000s  edit                  "" "\u001B[31m0123456789 0123456789 012345…
            -  66.000s  dispatched            Episodes.AppAction {"dropped":{}}, and nothing followed
            -  67.000s  dispatched            Episodes.AppAction {"add":{"_0":-1}}, and nothing followed: the program ended here
          not ended: it is still being recorded, or was cut short

          """#))
  }

  @Test func `an action that the program outlived is not what it died of`() throws {
    let place = try Workplace()
    try place.write(
      #"""
      {"recording":1,"schema":0,"began":1763818242879,"step":0,"at":0,"state":{}}
      {"at":1,"type":"A","dispatched":"dropped"}
      {"at":2,"type":"A","dispatched":"b"}
      {"step":1,"at":3,"cause":"action","action":"b","patch":[],"hash":"44136fa355b3678a"}

      """#, to: "out")
    let run = try place.run("show", "out", environment: Self.environment)
    #expect(
      run.output.split(separator: "\n").dropFirst() == [
        #"1  3.000s  action                "b""#,
        #"-  1.000s  dispatched            A "dropped", and nothing followed"#,
        "not ended: it is still being recorded, or was cut short",
      ])
  }

  @Test func `a recording that ended says so`() throws {
    let place = try Workplace()
    try place.writeRecording(of: "1", "2")
    #expect(
      try place.run("show", "out", environment: Self.environment)
        == .printed(
          """
          f, recorded 2026-11-22 13:30:42.879
          1  1.000s  edit                "" 2
          ended in good order

          """))
  }

  @Test func `only the last steps are shown if so many are asked for`() throws {
    let place = try flight()
    let all = try place.run("show", "out").output.split(separator: "\n")
    let some = try place.run("show", "-n2", "out").output.split(separator: "\n")
    #expect(some.count == all.count - 3)
    #expect(some[1].hasPrefix("102  "))
  }

  @Test func `the report says the same to programs, with all values`() throws {
    let run = try flight().run("show", "--json", "-n", "4", "out")
    #expect(run.messages == "")
    #expect(run.outcome == .exited(0))
    let report = try JSONValue(parsing: run.output)
    let expected = try JSONValue(
      parsing: #"""
        {
          "file": "out", "program": "Episodes", "schema": 3, "began": "2026-11-22T13:30:42.879Z", "ended": false,
          "steps": [
            {"step": 100, "at": 62.000000, "cause": "instance", "instance": "4f2a91c0",
             "changed": ["/a", "/b", "/d", "/g", "/h"]},
            {"step": 101, "at": 63.000000, "cause": "edit", "changed": []},
            {"step": 102, "at": 64.000000, "cause": "restore", "changed": []},
            {"step": 103, "at": 65.000000, "cause": "edit", "changed": [""]}
          ],
          "dispatched": [
            {"at": 66.000000, "type": "Episodes.AppAction", "action": {"dropped": {}}},
            {"at": 67.000000, "type": "Episodes.AppAction", "action": {"add": {"_0": -1}}}
          ],
          "problems": []
        }
        """#)
    #expect(report.isIdentical(to: expected), "\(report)")
  }

  @Test func `lines that can't be read are told, and are 1`() throws {
    let place = try Workplace()
    try place.writeRecording(of: "1", "2", "3", "4")
    var lines = try place.text(of: "out").split(separator: "\n").map(String.init)
    lines[2] = "{]"
    try place.write(lines.joined(separator: "\n") + "\n", to: "out")
    let run = try place.run("show", "out", environment: Self.environment)
    #expect(run.messages == "out:3:2: expected a key or '}'\nout:4:1: expected step 2, but here is step 3\n")
    #expect(run.output.split(separator: "\n").count == 4)
    #expect(run.outcome == .exited(1))
    let report = try JSONValue(parsing: place.run("show", "--json", "out").output)
    #expect(
      report[JSONPointer(["problems"])] == [
        ["line": 3, "column": 2, "message": "expected a key or '}'"],
        ["line": 4, "message": "expected step 2, but here is step 3"],
      ])
  }

  @Test func `a step is a line, whatever was recorded`() throws {
    let place = try Workplace()
    try place.writeRecording(of: "{}", #"{"a\n\u001b[31m\u202e": 1}"#)
    let run = try place.run("show", "out", environment: Self.environment)
    #expect(run.output.split(separator: "\n").count == 3)
    #expect(run.output.contains(#"/a\u000A\u001B[31m\u202E 1"#))
  }
}
