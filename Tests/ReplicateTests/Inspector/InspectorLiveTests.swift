import HotReload
import StateJSON
import StoreCore
import TerminalScreen
import Testing

@testable import replicate

@Suite struct `While the file changes, the inspector` {
  private func rows(_ range: some Sequence<Int>, _ extra: String = "") -> String {
    "{\"rows\":[" + range.map { "{\"id\":\($0),\"t\":\"row \($0)\"}" }.joined(separator: ",") + "]\(extra)}"
  }

  @Test func `keeps the cursor on an element that says who it is, on its line, wherever that moves`() throws {
    var desk = try Desk(rows(0..<50), rows: 12)
    desk.press("2/row 20\rH")
    let before = desk.lines.firstIndex { $0.spans.contains { $0.style.isInverse } && $0 != desk.lines[0] }
    #expect("\(desk.inspector.pointer)" == "/rows/20")
    try desk.others(save: rows(-5..<50))
    #expect("\(desk.inspector.pointer)" == "/rows/25")
    try desk.others(save: rows((0..<50).reversed()))
    #expect("\(desk.inspector.pointer)" == "/rows/29")
    let after = desk.lines.firstIndex { $0.spans.contains { $0.style.isInverse } && $0 != desk.lines[0] }
    #expect(before == after)
    try desk.others(save: rows([1, 2, 20]))
    #expect("\(desk.inspector.pointer)" == "/rows/2")
    try desk.others(save: rows([1, 2]))
    #expect("\(desk.inspector.pointer)" == "/rows/1")
    try desk.others(save: "{}")
    #expect(desk.inspector.pointer == .root)
  }

  @Test func `keeps what is closed closed`() throws {
    var desk = try Desk(rows(0..<3), rows: 20)
    desk.press("jj hh")
    try desk.others(save: rows([7, 0, 1, 2]))
    #expect(desk.screen.contains("   ▸ rows: [4]"))
    desk.press("l")
    #expect(desk.screen.contains("●    ▾ 0: {2}  new"))
    #expect(desk.screen.contains("     ▸ 1: {2}  id: 0"))
    #expect(desk.screen.contains("     ▾ 2: {2}"))
  }

  @Test func `goes by the neighbours of what doesn't say who it is`() throws {
    var desk = try Desk(#"{"list":["a","b","c","d"],"x":[[1],[2]]}"#, rows: 20)
    desk.press("/c\r")
    try desk.others(save: #"{"list":["new","a","b","c","d"],"x":[[1],[2]]}"#)
    #expect(desk.cursorLine.hasPrefix(#"3: "c""#))
    try desk.others(save: #"{"list":["b","c","d"],"x":[[1],[2]]}"#)
    #expect(desk.cursorLine.hasPrefix(#"1: "c""#))
    desk.press(":\u{15}/x/1\r ")
    try desk.others(save: #"{"list":["b","c","d"],"x":[[0],[1],[2]]}"#)
    #expect(desk.screen.contains("     ▸ 2: [1]  2"))
    #expect("\(desk.inspector.pointer)" == "/x/2")
  }

  @Test func `goes to what changes only where that was asked for`() throws {
    var desk = try Desk(rows(0..<50, #","n":1"#), rows: 12)
    desk.press("j")
    try desk.others(save: rows(0..<50, #","n":2"#))
    #expect("\(desk.inspector.pointer)" == "/rows")
    desk.press(".")
    #expect("\(desk.inspector.pointer)" == "/n")
    desk.press("gF")
    try desk.others(save: rows(0..<50, #","n":3"#))
    #expect("\(desk.inspector.pointer)" == "/n")
    desk.press("Fg")
    try desk.others(save: rows(0..<50, #","n":4"#))
    #expect("\(desk.inspector.pointer)" == "")
  }

  @Test func `stays in the part that it shows, or goes out of it when that is gone`() throws {
    var desk = try Desk(#"{"a":{"b":{"c":1}},"n":1}"#)
    desk.press("jj>j")
    try desk.others(save: #"{"a":{"b":{"c":2}},"n":2}"#)
    #expect(desk.screen.split(separator: "\n")[1] == " ▾ b: {1}")
    try desk.others(save: #"{"a":{},"n":2}"#)
    #expect("\(desk.inspector.pointer)" == "/a")
  }

  @Test(arguments: [
    ("1", "1.0", ["~"]), ("1", "2", ["~"]), (#"{"a":1,"b":[1,{"c":2}]}"#, #"{"a":1,"b":[1,{"c":3}]}"#, ["~/b/1/c"]),
    (#"{"a":1}"#, #"{"b":{"x":1},"a":1}"#, ["+/b"]), (#"{"a":1,"b":{"c":2}}"#, #"{"a":1,"b":{}}"#, ["-/b"]),
    ("[1,2,3]", "[1,3]", ["-"]), ("[1,2,3]", "[0,1,2,3]", ["+/0"]), ("[1,2,3]", "[1,2,4,3]", ["+/2"]),
    ("[1,2,3]", "[1,5,3]", ["~/1"]), ("[1,1]", "[1,1,1]", ["+/2"]), ("[]", "{}", ["~"]), ("[1]", "[1]", []),
    (#"[{"id":1,"n":1},{"id":2,"n":1}]"#, #"[{"id":2,"n":2},{"id":1,"n":1}]"#, ["~/0/n"]),
    (#"{"a":1,"b":2}"#, #"{"b":3,"a":1}"#, ["~/b"]),
  ])
  func `finds the smallest places that changed`(old: String, new: String, places: [String]) throws {
    let newer = TreeDocument(try JSONDocument(parsing: new))
    let changes = TreeChanges(from: TreeDocument(try JSONDocument(parsing: old)), to: newer)
    let found = changes.all.map { change -> String in
      let mark = change.kind == .added ? "+" : change.kind == .changed ? "~" : "-"
      let path = newer.read { "\($0.pointer(of: $0.path(to: change.place, former: []).path))" }
      return mark + path
    }
    #expect(found == places)
  }
}
