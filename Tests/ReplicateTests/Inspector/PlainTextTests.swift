import StateJSON
import TestSupport
import Testing

@testable import replicate

@Suite struct `Without a screen, the inspector` {
  @Test(arguments: [
    (["", "", ""], "/rows: array of 2 elements, open"), (["/fog"], "/rows/0: \"fog\""),
    ([":/n", "e 5"], "set /n; u takes it back\n/n: 5"),
    ([":.rows[1]", "y"], "/rows/1: \"sun\""), (["e [1,"], "nothing"), (["G"], "/rows/1: \"sun\""),
    (["0", "1"], "the whole: object of 3 members, open"),
    ([":/nowhere"], "'/nowhere' leads nowhere; this is how far it leads\nthe whole: object of 3 members, open"),
  ])
  func `answers lines`(lines: [String], answer: String) throws {
    var desk = try Desk(#"{"n":1,"o":{},"rows":["fog","sun"]}"#)
    for line in lines {
      for key in PlainKeys.keys(for: line, desk.inspector.mode) { desk.press(key) }
    }
    if answer == "nothing" {
      // The root is an object, which isn't edited in a line.
      #expect(desk.opened.count == 1)
    } else {
      #expect(PlainText.answer(desk.inspector) == answer)
    }
  }

  @Test func `tells what happens`() throws {
    var desk = try Desk(#"{"n":1,"s":"a","rows":[]}"#)
    let former = desk.inspector
    try desk.others(save: #"{"n":2,"s":"a","rows":[{"a":1}]}"#, cause: .instance("7f3a"))
    #expect(
      PlainText.news(desk.inspector, since: former) == [
        "changed by instance 7f3a at 14:03:27: /n: 1 → 2", "changed by instance 7f3a at 14:03:27: /rows/0 is new: {1}",
      ])
    let later = desk.inspector
    try desk.others(save: #"{"a":1,"b":1,"c":1,"d":1}"#)
    #expect(PlainText.news(desk.inspector, since: later) == ["5 places, edited at 14:03:27"])
  }

  @Test func `is used from a pipe as well`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let run = try place.run("f", "--plain", input: ":/n\n+\nu\nv\nq\n")
    #expect(run.outcome == .exited(0))
    #expect(try place.text(of: "f") == #"{"n": 1}"#)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.first == PlainText.greeting)
    #expect(lines.contains("the whole: object of 1 member, open") && lines.contains("/n: 1"))
    #expect(lines.contains { $0.hasSuffix(": /n: 1 → 2") })
  }
}
