import HotReload
import StateJSON
import TerminalScreen
import Testing

@testable import replicate

@Suite struct `The inspector's keys` {
  private static let nested = #"{"a":{"b":{"c":1}},"d":[1,[2,3]],"e":"x"}"#

  @Test(
    arguments: [
      ("j", "/a"), ("jj", "/a/b"), ("jk", ""), ("\u{1b}[B\u{1b}[B\u{1b}[A", "/a"), ("G", "/e"), ("Gg", ""),
      ("jJ", "/d"), ("jJJ", "/e"), ("GK", "/d"), ("jjjH", "/a/b"), ("jjjHH", "/a"), ("GKjj^", "/d/0"), ("GKj$", "/d/1"),
      ("jh", "/a"), ("jhh", ""), ("jhl", "/a"), ("jhll", "/a/b"), ("j j", "/d"), ("jj/c\r", "/a/b/c"), ("\u{6}", "/e"),
      ("G\u{2}", ""), (":\u{15}/d/1/0\r", "/d/1/0"), (":\u{15}/d/1/0\r\u{f}", ""), ("1jj", "/d"), ("10jj", "/a/b"),
    ])
  func `lead to a place`(keys: String, pointer: String) throws {
    var desk = try Desk(Self.nested, rows: 30)
    desk.press(keys)
    #expect("\(desk.inspector.pointer)" == pointer)
  }

  @Test func `open and close, by the mouse too`() throws {
    var desk = try Desk(Self.nested, rows: 14)
    desk.press("1")
    #expect(desk.screen.contains("   ▸ a: {1}  b: {…}"))
    #expect(desk.screen.contains("   ▸ d: [2]  1, […]"))
    desk.press("\u{1b}[<0;5;3M")
    #expect("\(desk.inspector.pointer)" == "/a")
    desk.press("\u{1b}[<0;5;3M")
    #expect(desk.screen.contains("   ▾ a: {1}\n     ▸ b: {1}  c: 1"))
    desk.press("]")
    #expect(desk.screen.contains("     ▾ 1: [2]") == false)
    #expect(desk.screen.contains("   ▾ d: [2]"))
    desk.press("[")
    #expect(desk.screen.contains("   ▸ a: {1}  b: {…}\n   ▸ d: [2]"))
    desk.press("0")
    #expect(desk.screen.contains("     ▾ 1: [2]"))
  }

  @Test func `search keys and values, on and back, and wrap around`() throws {
    var desk = try Desk(#"{"Title":"x","sub":{"title":1,"t":"a TITLE"},"last":"title"}"#, rows: 20)
    func pointer() -> String { "\(desk.inspector.pointer)" }
    desk.press("/title\r")
    #expect(pointer() == "/Title")
    var found: [String] = []
    for _ in 0..<4 {
      desk.press("n")
      found.append(pointer())
    }
    #expect(found == ["/sub/title", "/sub/t", "/last", "/Title"])
    desk.press("N")
    #expect(pointer() == "/last")
    desk.press("/Title\r")
    #expect(pointer() == "/Title")
    desk.press("/nothing\r")
    #expect(desk.status == " not found: nothing")
    #expect(pointer() == "/Title")
  }

  @Test func `search escaped texts for what they say, and texts beyond ASCII without regard to capitals`() throws {
    var desk = try Desk(#"{"a":"Z\u006f\u00eb","b":"ZOË","c":"tab\there"}"#, rows: 20)
    desk.press("/zoë\rn")
    #expect("\(desk.inspector.pointer)" == "/b")
    desk.press("/\u{1b}[200~b\th\u{1b}[201~\r")
    #expect("\(desk.inspector.pointer)" == "/c")
  }

  @Test func `find what is closed, and leave what was closed beside it`() throws {
    var desk = try Desk(Self.nested, rows: 20)
    desk.press("1/c\r")
    #expect(desk.cursorLine == "c: 1")
    #expect(desk.screen.contains("   ▸ d: [2]"))
  }

  @Test func `narrow the tree to what has a text, and back`() throws {
    var desk = try Desk(#"{"rows":[{"id":1,"t":"fog"},{"id":2,"t":"sun"},{"id":3,"t":"fog"}],"fog":{"x":1}}"#, rows: 16)
    desk.press("&fog\r")
    #expect(
      desk.screen.split(separator: "\n").dropFirst().prefix(8).joined(separator: "\n") == """
         ▾ state.json {2}
           ▾ rows: [3]
             ▾ 0: {2}
                 t: "fog"
             ▾ 2: {2}
                 t: "fog"
           ▾ fog: {1}
               x: 1
        """)
    try desk.others(save: #"{"rows":[{"id":1,"t":"sun"},{"id":2,"t":"fog"}]}"#)
    #expect(desk.screen.contains("     ▾ 1: {2}\n●        t: \"fog\"  ← \"sun\""))
    #expect(!desk.screen.contains("0: {2}"))
    desk.press("\u{1b}")
    #expect(desk.screen.contains("     ▾ 0: {2}"))
  }

  @Test func `show a part alone, and go back`() throws {
    var desk = try Desk(Self.nested, rows: 12)
    desk.press("j>")
    #expect(desk.screen.split(separator: "\n")[1] == " ▾ a: {1}")
    desk.press("Gj")
    #expect("\(desk.inspector.pointer)" == "/a/b/c")
    desk.press("\u{1b}")
    #expect(desk.screen.contains("   ▾ d: [2]"))
    #expect("\(desk.inspector.pointer)" == "/a/b/c")
  }

  @Test func `copy a pointer, a path and a value`() throws {
    var desk = try Desk(#"{"a b":[{"x/y":"ü"}],"n":[1]}"#, rows: 20)
    desk.press("jjjyYc")
    #expect(desk.copied == ["/a b/0/x~1y", #".["a b"][0]["x/y"]"#, "ü"])
    desk.press("Gky")
    #expect(desk.copied.last == "/n")
  }

  @Test func `complete a pointer as far as its keys agree`() throws {
    var desk = try Desk(#"{"title":1,"titles":{"a/b":[1]}}"#)
    desk.press(":\u{15}/t\t")
    #expect(desk.status.hasPrefix(" :/title"))
    desk.press("s\t\t\t\t")
    #expect(desk.status.hasPrefix(" :/titles/a~1b/0"))
    desk.press("\r")
    #expect("\(desk.inspector.pointer)" == "/titles/a~1b/0")
    desk.press(":\u{15}/titles/x\r")
    #expect(desk.status == " '/titles/x' leads nowhere; this is how far it leads")
    desk.press(":\u{15}x\r")
    #expect(desk.status.contains("it must be empty or start"))
  }

  @Test func `page through a long value and the help`() throws {
    var desk = try Desk(#"{"long":"one two three four five six seven eight nine ten"}"#, columns: 20, rows: 6)
    desk.press("jv")
    #expect(
      desk.screen.split(separator: "\n").dropFirst().prefix(3).joined(separator: "|")
        == "one two three four|five six seven|eight nine ten")
    desk.press("q?")
    #expect(desk.screen.contains("Move"))
    desk.press(" ")
    #expect(!desk.screen.contains(" Move"))
    desk.press("G")
    #expect(desk.screen.contains("quit"))
    desk.press("q")
    #expect(!desk.isOver)
    desk.press("q")
    #expect(desk.isOver)
  }
}
