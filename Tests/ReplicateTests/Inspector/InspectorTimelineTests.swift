import StateJSON
import TerminalScreen
import Testing

@testable import replicate

@Suite struct `The inspector's versions` {
  private static func moment(_ number: Int, _ changes: String..., cause: String = "action") -> TimelinePane.Moment {
    TimelinePane.Moment(
      version: "v\(number)", moment: Int64(number), time: "14:00:0\(number)", cause: cause, author: "7f3a",
      changes: changes, changeCount: changes.count)
  }

  private static let moments = [
    moment(3, "~ /n: 2 → 3"), moment(2, "~ /n: 1 → 2", "+ /x: 1"), moment(1, cause: "edit"),
  ]

  private func desk() throws -> Desk {
    var desk = try Desk(#"{"n":3,"x":1}"#, columns: 60, rows: 14)
    desk.press("T")
    #expect(desk.asked.map { "\($0)" } == ["loadVersions"])
    desk.receive(.versions(Self.moments))
    return desk
  }

  private func look(_ desk: inout Desk, _ number: Int, _ json: String, before: String) throws {
    desk.receive(
      .look(Self.moments[3 - number], try JSONDocument(parsing: json), before: try JSONDocument(parsing: before)))
  }

  @Test func `stand below the tree, with what each changed`() throws {
    var desk = try desk()
    desk.press("j")
    #expect(
      desk.screen == """
         state.json                                              0%
         ▾ state.json {2}
             n: 3
             x: 1



         3 versions
        ▶  14:00:03  action  7f3a      ~ /n: 2 → 3
           14:00:02  action  7f3a      ~ /n: 1 → 2  and 1 more
           14:00:01  edit    7f3a

         as found at 14:03:27
         ⏎ look at it  d what it changed  = compare
        """)
    desk.press("d")
    #expect(desk.screen.contains("\n~ /n: 1 → 2\n+ /x: 1\n"))
    desk.press("q")
    #expect(desk.inspector.mode == .timeline)
    desk.press("\t")
    #expect(desk.inspector.mode == .browsing)
    desk.press("T")
    #expect(!desk.screen.contains("versions\n"))
  }

  @Test func `can be gone back to, and looked around in, while the file goes on`() throws {
    var desk = try desk()
    desk.press("j\r")
    guard case .look(let moment)? = desk.asked.last else { throw Unexpected() }
    #expect(moment == Self.moments[1])
    try look(&desk, 2, #"{"n":2,"x":1}"#, before: #"{"n":1}"#)
    #expect(desk.screen.contains("as it was at 14:00:02"))
    #expect(desk.screen.contains("●    n: 2  ← 1"))
    #expect(desk.screen.contains("●    x: 1  new"))
    #expect(desk.screen.contains("▶  14:00:02"))
    desk.press("\t")
    try desk.others(save: #"{"n":4,"x":1}"#)
    #expect(desk.screen.contains("n: 2  ← 1"))
    desk.press("je")
    #expect(desk.inspector.mode == .browsing)
    #expect(desk.status == " this is how it was at 14:00:02: r brings it back, R this p…")
    desk.press("\u{1b}")
    #expect(desk.screen.contains("n: 4  ← 3"))
    #expect("\(desk.inspector.pointer)" == "/n")
    #expect(desk.committed.isEmpty)
  }

  @Test func `are looked at one after another once one is`() throws {
    var desk = try desk()
    desk.press("\r")
    try look(&desk, 3, #"{"n":3,"x":1}"#, before: #"{"n":2,"x":1}"#)
    desk.press("j")
    guard case .look(let moment)? = desk.asked.last else { throw Unexpected() }
    #expect(moment == Self.moments[1])
  }

  @Test func `are brought back, in whole or in part, and compared`() throws {
    var desk = try desk()
    desk.press("jm")
    desk.press("k=")
    guard case .compare(let moment, let other)? = desk.asked.last else { throw Unexpected() }
    #expect(moment == Self.moments[0] && other == Self.moments[1])
    desk.press("jr")
    guard case .restore(let whole, .root)? = desk.asked.last else { throw Unexpected() }
    #expect(whole == Self.moments[1])
    try look(&desk, 2, #"{"n":2,"x":1}"#, before: #"{"n":1}"#)
    desk.press("\tjR")
    guard case .restore(_, let pointer)? = desk.asked.last else { throw Unexpected() }
    #expect("\(pointer)" == "/n")
  }

  @Test func `stay chosen while others come, unless it is the newest`() throws {
    var desk = try desk()
    desk.receive(.versions([Self.moment(4, "- /x: 1")] + Self.moments))
    #expect(desk.cursorLine.hasPrefix("▶  14:00:04"))
    desk.press("jj")
    #expect(desk.cursorLine.hasPrefix("14:00:02"))
    desk.receive(.versions([Self.moment(5, "+ /y: 1"), Self.moment(4, "- /x: 1")] + Self.moments))
    #expect(desk.cursorLine.hasPrefix("14:00:02"))
  }

  private struct Unexpected: Error {}
}
