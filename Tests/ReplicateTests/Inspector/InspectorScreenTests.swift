import HotReload
import StateJSON
import StoreCore
import TerminalScreen
import Testing

@testable import replicate

@Suite struct `The inspector's screen` {
  private static let state =
    #"{"title":"Nebel","n":3,"ok":true,"none":null,"rows":[{"id":1,"t":"a"},{"id":2,"t":"b"}],"empty":{}}"#

  @Test func `shows a tree, with the pointer of where one is, and the keys`() throws {
    var desk = try Desk(Self.state, columns: 60, rows: 18)
    desk.press("jj")
    #expect(
      desk.screen == """
         state.json  /n                                         21%
         ▾ state.json {6}
             title: "Nebel"
             n: 3
             ok: true
             none: null
           ▾ rows: [2]
             ▾ 0: {2}
                 id: 1
                 t: "a"
             ▾ 1: {2}
                 id: 2
                 t: "b"
             empty: {}


         as found at 14:03:27
         ? help  q quit  e edit  / search  space open  u undo
        """)
  }

  @Test func `marks what changed with what stood there, who did it and when, and lets it fade`() throws {
    var desk = try Desk(#"{"n":3,"rows":[1,2]}"#, columns: 60, rows: 9)
    try desk.others(save: #"{"n":4,"rows":[1,2,3]}"#, cause: .instance("7f3a"))
    let changed = desk.screen
    #expect(
      changed == """
         state.json                                              0%
         ▾ state.json {2}
        ●    n: 4  ← 3                       instance 7f3a 14:03:27
           ▾ rows: [3]
               0: 1
               1: 2
        ●      2: 3  new                     instance 7f3a 14:03:27
         changed by instance 7f3a at 14:03:27
         ? help  q quit  e edit  / search  space open  u undo
        """)
    desk.wait(milliseconds: 2_000)
    #expect(desk.screen == changed.replacing("●", with: "·"))
    desk.wait(milliseconds: 8_000)
    desk.press("j")
    #expect(desk.cursorLine == "n: 4")
    #expect(desk.status == " changed by instance 7f3a at 14:03:27, was 3")
  }

  @Test func `marks what lost something`() throws {
    var desk = try Desk(#"{"rows":[{"id":1},{"id":2}],"o":{"a":1,"b":2}}"#, columns: 50, rows: 12)
    try desk.others(save: #"{"rows":[{"id":2}],"o":{"a":1}}"#)
    #expect(desk.screen.contains("●  ▾ rows: [1]  something was removed"))
    #expect(desk.screen.contains("●  ▾ o: {1}  something was removed"))
    #expect(desk.screen.contains("     ▾ 0: {1}\n         id: 2"))
  }

  @Test func `has its place for problems, notices and what is to be answered`() throws {
    var desk = try Desk(#"{"n":1}"#, columns: 40, rows: 10)
    desk.receive(
      .problem(.occurred(Problem(.invalidJSON, file: "state.json", message: "expected a value", line: 2, column: 7))))
    desk.receive(.notices(["an older version was saved; to take that back: replicate restore f 1a2b"]))
    #expect(
      desk.screen == """
         state.json                          0%
         ▾ state.json {1}
             n: 1


         ! state.json:2:7: expected a value
         i an older version was saved; to take
         i that back: replicate restore f 1a2b
         as found at 14:03:27
         ? help  q quit  e edit  / search
        """)
    desk.receive(.problem(.resolved(.invalidJSON)))
    #expect(!desk.screen.contains("expected a value"))
  }

  @Test func `fits on any screen`() throws {
    var desk = try Desk(Self.state)
    desk.receive(.notices(["something that is said in a sentence which is longer than most of these screens are wide"]))
    for keys in ["", "?", "\u{1b}", "v", "\u{1b}", "e", "\u{1b}", "/", "no", "\u{1b}"] {
      desk.press(keys)
      for columns in [1, 2, 5, 11, 20, 40, 79] {
        for rows in [1, 2, 3, 5, 8, 10, 24] {
          desk.resize(columns: columns, rows: rows)
          #expect(desk.lines.count == rows)
          #expect(desk.lines.allSatisfy { $0.columns <= columns })
        }
      }
    }
  }

  @Test func `keeps wide, combining and right-to-left text in its columns, and shows what could confuse a terminal`()
    throws
  {
    let desk = try Desk("{\"雪国\":\"👩\u{200d}🚀 e\u{301}\",\"שלום\":\"\u{202e}x\",\"\\n\":\"\\u001b\"}", rows: 8)
    #expect(desk.screen.contains("     雪国: \"👩\u{200d}🚀 e\u{301}\""))
    #expect(desk.screen.contains("     שלום: \"\\u202Ex\""))
    #expect(desk.screen.contains(#"     \n: "\u001b""#))
    #expect(desk.lines.allSatisfy { $0.columns <= 60 })
  }

  @Test func `says what it waits for`() {
    let inspector = Inspector(file: "f.json", size: Size(columns: 30, rows: 6), now: 0)
    #expect(InspectorScreen(inspector).lines.map(\.text).contains("  waiting for the file"))
  }

  @Test func `is in colour or without, and still tells what changed and where one is`() throws {
    var desk = try Desk(#"{"n":3}"#, columns: 30, rows: 6)
    desk.press("j")
    try desk.others(save: #"{"n":4}"#)
    let lines = desk.lines.map { $0.rendition(isColored: false) }
    #expect(lines[2].hasPrefix("\u{1b}[1;7m●"))
    #expect(!lines.joined().contains("\u{1b}[3"))
    #expect(desk.lines.map { $0.rendition() }.joined().contains("\u{1b}[1;33;7m4"))
  }

  @Test func `shows a file that isn't valid as it is, with the place marked`() throws {
    var desk = try Desk(#"{"n":1}"#, columns: 30, rows: 12)
    let text = "{\n\t\"é\": 1,\n  \"b\": [1,, \u{1b}2]\n}\n"
    desk.receive(
      .problem(.occurred(Problem(.invalidJSON, file: "f", message: "expected a value", line: 3, column: 11))))
    desk.receive(.excerpt(Excerpt(of: Array(text.utf8), line: 3, column: 11)))
    #expect(
      desk.screen == """
         state.json                0%
         ▾ state.json {1}
             n: 1


         2 │   "é": 1,
         3 │   "b": [1,, \\u001B2]
                       ▲
         4 │ }
         ! f:3:11: expected a value
         as found at 14:03:27
         ? help  q quit  e edit
        """)
    desk.receive(.problem(.resolved(.invalidJSON)))
    #expect(!desk.screen.contains("▲"))
  }

  @Test(arguments: [(1, 1), (7, 3), (30, 1), (31, 1), (99, 9), (3, 900)])
  func `an excerpt has the lines around a place, wherever that is`(line: Int, column: Int) {
    let text = (1...30).map { "line \($0)" }.joined(separator: "\n") + "\n" + String(repeating: "x", count: 1_000)
    let excerpt = Excerpt(of: Array(text.utf8) + [0xff], line: line, column: column)
    #expect(excerpt.lines.count <= 2 * Excerpt.reach + 1)
    for rows in 0...12 {
      for columns in [8, 20, 80] {
        let lines = ExcerptLines(excerpt: excerpt).lines(rows: rows, columns: columns)
        #expect(lines.count <= rows && lines.allSatisfy { $0.columns <= columns })
        if rows > 3, line <= 31 { #expect(lines.contains { $0.text.contains("▲") } || columns < 20) }
      }
    }
  }
}
