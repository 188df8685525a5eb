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

  // MARK: - Playing

  /// What the keys, and the time, have asked for since.
  private func looks(_ desk: Desk) -> [String] {
    desk.asked.compactMap { if case .look(let moment) = $0 { moment.version } else { nil } }
  }

  @Test func `are played one after another, in the time it took`() throws {
    var desk = try Desk(#"{"n":3}"#)
    desk.receive(
      .recorded(
        "a.recording",
        [(4, 9_000), (3, 2_500), (2, 2_500), (1, 1_000)].map { number, time in
          var moment = Self.moment(number)
          moment.moment = Int64(time)
          return moment
        }))
    desk.receive(.mode(.timeline))
    #expect(desk.screen.contains("\n 4 moments of a.recording\n"))
    desk.press("p")
    #expect(looks(desk) == ["v1"])
    #expect(desk.screen.contains("\n 4 moments of a.recording, playing\n"))
    func isDue() -> Bool { desk.inspector.timeline?.isDue(at: desk.inspector.now) ?? false }
    // 1.5 seconds lie between the first two, nothing between the next, and nobody waits for the 6.5 after them.
    var pauses: [UInt64] = []
    for _ in 0..<3 {
      var waited: UInt64 = 0
      while !isDue() {
        desk.wait(milliseconds: 100)
        waited += 100
        try #require(waited < 10_000)
      }
      pauses.append(waited)
      desk.receive(.play(.step))
    }
    #expect(pauses == [1_500, 0, 2_000])
    #expect(desk.inspector.timeline?.choice?.version == "v4")
    #expect(desk.inspector.timeline?.playing == nil)
    // At the end it begins anew, faster if somebody wants that; and choosing ends it.
    desk.press("p++")
    #expect(looks(desk) == ["v1", "v1"])
    #expect(desk.screen.contains("playing 4 times as fast"))
    #expect(desk.inspector.nextChange == desk.inspector.now + 1_500_000_000)
    desk.receive(.play(.step))
    desk.receive(.play(.step))
    desk.press("-j")
    #expect(desk.inspector.timeline?.playing == nil && desk.inspector.timeline?.choice?.version == "v2")
  }

  @Test func `end to be played by who goes back to now`() throws {
    var desk = try desk()
    desk.press("jjp")
    #expect(looks(desk) == ["v1"] && desk.inspector.timeline?.playing != nil)
    try look(&desk, 1, #"{"n":1}"#, before: #"{"n":1}"#)
    desk.press("\u{1b}")
    #expect(desk.inspector.timeline?.playing == nil && desk.inspector.past == nil)
  }

  // MARK: - Recording

  @Test func `are recorded from the chosen one on`() throws {
    var desk = try desk()
    desk.press("js")
    #expect(desk.status == " record since 14:00…state.json.recording")
    desk.press("\r")
    guard case .startCapture("state.json.recording", let moment)? = desk.asked.last else { throw Unexpected() }
    #expect(moment == Self.moments[1])
    #expect(desk.inspector.mode == .timeline)
    desk.receive(.capture(into: "a.recording"))
    #expect(desk.screen.contains("recording into a.recording"))
    desk.press("s")
    guard case .endCapture? = desk.asked.last else { throw Unexpected() }
    desk.receive(.capture(into: nil))
    // In the tree from now on.
    desk.press("\ts\u{15}b\r")
    guard case .startCapture("b", nil)? = desk.asked.last else { throw Unexpected() }
  }

  @Test func `of a recording take the place of the log's until they are closed`() throws {
    var desk = try desk()
    desk.press("o\u{15}a.recording\r")
    guard case .openRecording("a.recording")? = desk.asked.last else { throw Unexpected() }
    desk.receive(.recorded("a.recording", Self.moments))
    #expect(desk.inspector.timeline?.choice?.version == "v1")
    desk.press("s")
    #expect(desk.status == " this is a recording already; T closes it")
    desk.receive(.versions(Self.moments))
    #expect(desk.inspector.timeline?.recording == nil && desk.inspector.timeline?.choice?.version == "v3")
  }

  private struct Unexpected: Error {}
}
