import HotReload
import StateJSON
import TerminalScreen
import Testing

@testable import replicate

@Suite struct `In the inspector` {
  private static let state = #"{"n":1,"s":"x","b":true,"list":[1,2,3],"o":{"k":"v"}}"#

  @Test(
    arguments: [
      ("je\u{15}2\r", #"{"n":2,"s":"x","b":true,"list":[1,2,3],"o":{"k":"v"}}"#),
      ("j\r\u{7f}[1,{}]\r", #"{"n":[1,{}],"s":"x","b":true,"list":[1,2,3],"o":{"k":"v"}}"#),
      ("j++-+", #"{"n":3,"s":"x","b":true,"list":[1,2,3],"o":{"k":"v"}}"#),
      ("jjjt", #"{"n":1,"s":"x","b":false,"list":[1,2,3],"o":{"k":"v"}}"#),
      ("jx", #"{"s":"x","b":true,"list":[1,2,3],"o":{"k":"v"}}"#),
      ("/list\ra4\r", #"{"n":1,"s":"x","b":true,"list":[1,2,3,4],"o":{"k":"v"}}"#),
      ("/list\rja4\r", #"{"n":1,"s":"x","b":true,"list":[1,2,3,4],"o":{"k":"v"}}"#),
      ("ga\u{15}\"new\": {\"a\":1}\r", #"{"n":1,"s":"x","b":true,"list":[1,2,3],"o":{"k":"v"},"new":{"a":1}}"#),
      ("/list\rj}", #"{"n":1,"s":"x","b":true,"list":[2,1,3],"o":{"k":"v"}}"#),
      ("/list\rj}}", #"{"n":1,"s":"x","b":true,"list":[2,3,1],"o":{"k":"v"}}"#),
      ("/list\rj{", state), ("/list\rjjcp", #"{"n":1,"s":"x","b":true,"list":[1,2,2,3],"o":{"k":"v"}}"#),
      ("/list\rjxjP", #"{"n":1,"s":"x","b":true,"list":[2,1,3],"o":{"k":"v"}}"#),
      ("Gcp\r", #"{"n":1,"s":"x","b":true,"list":[1,2,3],"o":{"k":"v","k copy":"v"}}"#),
    ])
  func `keys change the document, and each change can be taken back and done again`(keys: String, result: String) throws
  {
    var desk = try Desk(Self.state, rows: 24)
    desk.press(keys)
    #expect(desk.value == (try JSONValue(parsing: result)))
    let count = desk.inspector.own.done.count
    desk.press(String(repeating: "u", count: count))
    #expect(desk.value == (try JSONValue(parsing: Self.state)))
    desk.press("u")
    #expect(desk.value == (try JSONValue(parsing: Self.state)))
    desk.press(String(repeating: "\u{12}", count: count))
    #expect(desk.value == (try JSONValue(parsing: result)))
  }

  @Test(arguments: [
    ("jt", " /n is a number, not a boolean"), ("jj+", " /s is a string, not a number"),
    ("x", " the root can't be removed"),
    ("u", " nothing was changed here"), ("\u{12}", " nothing was taken back"), ("jp", " nothing was copied: c does"),
    ("j}", " only elements of an array can be moved"), ("n", " nothing was searched for: / does"),
    ("je\u{15}[1,\r", " /n = [1,       column 4: unexpected end of input; expected a v…"),
    ("ga\u{15}1\r", " /1                     column 1: expected a key or '}'"),
  ])
  func `a key that can't be says why`(keys: String, status: String) throws {
    var desk = try Desk(Self.state)
    desk.press(keys)
    #expect(desk.status.split(separator: " ") == status.split(separator: " "))
    #expect(desk.committed.isEmpty)
  }

  @Test func `an edit of what somebody else changed meanwhile asks, and loses neither`() throws {
    var desk = try Desk(Self.state, columns: 60, rows: 14)
    desk.press("je\u{15}2")
    try desk.others(save: Self.state.replacing(#""n":1"#, with: #""n":7"#))
    desk.press("\r")
    #expect(desk.screen.contains("/n was changed meanwhile"))
    #expect(desk.screen.contains("mine    2") && desk.screen.contains("theirs  7"))
    #expect(desk.value?["/n"] == 7)
    var mine = desk
    mine.press("m")
    #expect(mine.value?["/n"] == 2)
    mine.press("u")
    #expect(mine.value?["/n"] == 7)
    var theirs = desk
    theirs.press("t")
    #expect(theirs.value?["/n"] == 7 && theirs.inspector.own.done.isEmpty)
    var both = desk
    both.press("e\u{15}9\r")
    #expect(both.value?["/n"] == 9)
  }

  @Test func `undoing asks where others changed the same, and takes nothing else along`() throws {
    var desk = try Desk(Self.state)
    desk.press("je\u{15}2\r")
    try desk.others(save: #"{"n":2,"s":"theirs","b":true,"list":[1,2,3],"o":{"k":"v"}}"#)
    desk.press("u")
    #expect(desk.value == (try JSONValue(parsing: #"{"n":1,"s":"theirs","b":true,"list":[1,2,3],"o":{"k":"v"}}"#)))
    desk.press("\u{12}")
    try desk.others(save: #"{"n":5,"s":"theirs","b":true,"list":[1,2,3],"o":{"k":"v"}}"#)
    desk.press("u")
    #expect(desk.screen.contains("/n was changed meanwhile"))
    desk.press("t")
    #expect(desk.value?["/n"] == 5)
  }

  @Test func `an edit stays with its element, while others come before it`() throws {
    let rows = #"{"rows":[{"id":1,"on":false},{"id":2,"on":false}]}"#
    let shifted = #"{"rows":[{"id":0,"on":false},{"id":1,"on":false},{"id":2,"on":false}]}"#
    var desk = try Desk(rows, rows: 24)
    desk.press(":\u{15}/rows/1/on\re\u{15}true")
    try desk.others(save: shifted)
    desk.press("\r")
    #expect(
      desk.value == (try JSONValue(parsing: #"{"rows":[{"id":0,"on":false},{"id":1,"on":false},{"id":2,"on":true}]}"#)))
    // What is taken back is one's own, wherever it stands by now.
    try desk.others(save: #"{"rows":[{"id":2,"on":true},{"id":1,"on":true},{"id":0,"on":true}]}"#)
    desk.press("u")
    #expect(
      desk.value == (try JSONValue(parsing: #"{"rows":[{"id":2,"on":false},{"id":1,"on":true},{"id":0,"on":true}]}"#)))
    // Where the element is gone, nobody else's is changed.
    try desk.others(save: #"{"rows":[{"id":1,"on":false},{"id":0,"on":false}]}"#)
    desk.press("\u{12}")
    #expect(desk.screen.contains("was changed meanwhile"))
    #expect(desk.value == (try JSONValue(parsing: #"{"rows":[{"id":1,"on":false},{"id":0,"on":false}]}"#)))
  }

  @Test(arguments: [
    ":\u{15}/l/1/id\re\u{15}7\r", ":\u{15}/l/1/id\rx", ":\u{15}/l/1/id\r+", ":\u{15}/l/1\ra\u{15}\"_id\": 5\r",
  ])
  func `what says who an element is can be changed, and taken back, and done again`(keys: String) throws {
    let state = #"{"l":[{"id":1,"v":0},{"id":2,"v":0}]}"#
    var desk = try Desk(state, rows: 24)
    desk.press(keys)
    let changed = desk.value
    #expect(changed != (try JSONValue(parsing: state)))
    desk.press("u")
    #expect(desk.value == (try JSONValue(parsing: state)))
    desk.press("\u{12}")
    #expect(desk.value == changed)
  }

  @Test func `a part whose name is changed in the editor is taken back`() throws {
    var desk = try Desk(#"{"l":[{"id":1,"v":0}]}"#, rows: 24)
    desk.press(":\u{15}/l/0\rE")
    let draft = try #require(desk.opened.first)
    desk.commit(Edit(draft.target, .rewrite(draft.old, as: ["id": 9, "v": 0])))
    #expect(desk.value == (try JSONValue(parsing: #"{"l":[{"id":9,"v":0}]}"#)))
    desk.press("u")
    #expect(desk.value == (try JSONValue(parsing: #"{"l":[{"id":1,"v":0}]}"#)))
  }

  @Test func `an element is removed and moved wherever it stands by then`() throws {
    var desk = try Desk(#"{"l":[{"id":1},{"id":2},{"id":3}]}"#, rows: 24)
    desk.isConnected = false
    desk.press(":\u{15}/l/1\rx")
    desk.press("}")
    try desk.others(save: #"{"l":[{"id":9},{"id":1},{"id":2},{"id":3}]}"#)
    desk.commit(desk.committed[1])
    #expect(desk.value == (try JSONValue(parsing: #"{"l":[{"id":9},{"id":1},{"id":3},{"id":2}]}"#)))
    desk.commit(desk.committed[0])
    #expect(desk.value == (try JSONValue(parsing: #"{"l":[{"id":9},{"id":1},{"id":3}]}"#)))
  }

  @Test func `an increment adds to whatever stands there`() throws {
    var desk = try Desk(Self.state)
    desk.isConnected = false
    desk.press("j+")
    try desk.others(save: Self.state.replacing(#""n":1"#, with: #""n":41"#))
    desk.commit(desk.committed[0])
    #expect(desk.value?["/n"] == 42)
  }

  @Test func `an added member never goes over one of that name`() throws {
    var desk = try Desk(#"{"a":1}"#)
    desk.press("a\u{15}\"new\": 1")
    try desk.others(save: #"{"a":1,"new":2}"#)
    desk.press("\r")
    #expect(desk.screen.contains("/new was changed meanwhile"))
    #expect(desk.value?["/new"] == 2)
  }

  @Test func `a part is edited in the editor, and merged with what others changed in it`() throws {
    var desk = try Desk(Self.state)
    desk.press("gE")
    let draft = try #require(desk.opened.first)
    #expect(
      draft.text
        == "{\n  \"n\": 1,\n  \"s\": \"x\",\n  \"b\": true,\n  \"list\": [\n    1,\n    2,\n    3\n  ],\n  \"o\": {\n    \"k\": \"v\"\n  }\n}\n"
    )
    try desk.others(save: Self.state.replacing(#""n":1"#, with: #""n":7"#))
    let new = try JSONValue(parsing: Self.state.replacing(#""s":"x""#, with: #""s":"mine""#))
    desk.commit(Edit(draft.target, .rewrite(draft.old, as: new)))
    #expect(desk.value?["/n"] == 7 && desk.value?["/s"] == "mine")
    desk.press("u")
    #expect(desk.value?["/n"] == 7 && desk.value?["/s"] == "x")
  }

  @Test func `conflicts wait for each other, and what is being typed for them`() throws {
    var desk = try Desk(Self.state)
    desk.isConnected = false
    desk.press(":\u{15}/n\r+:\u{15}/s\re\u{15}\"mine\"\r")
    try desk.others(save: #"{"n":"seven","s":"theirs"}"#)
    desk.press("/fo")
    for edit in desk.committed { desk.commit(edit) }
    #expect(desk.screen.contains("/s was changed meanwhile"))
    #expect(!desk.screen.contains("edit on"))
    desk.press("m")
    desk.commit(try #require(desk.committed.last))
    #expect(desk.value?["/s"] == "mine")
    #expect(desk.screen.contains("/n was changed meanwhile"))
    desk.press("t")
    #expect(desk.inspector.mode == .prompting(Prompt(purpose: .search(isBackward: false), editor: LineEditor("fo"))))
  }

  @Test func `what was left in the editor and isn't JSON is neither lost nor written`() throws {
    var desk = try Desk(Self.state)
    var draft = Draft(try #require(desk.value), at: EditTarget(.root))
    draft.complaint = "line 2, column 3: expected ',' or '}' after value"
    desk.receive(.mode(.correcting(draft)))
    #expect(desk.screen.contains("line 2, column 3: expected ',' or '}' after value"))
    var again = desk
    again.press("e")
    #expect(again.opened == [draft])
    desk.press("d")
    #expect(desk.status == " the text was dropped; nothing was changed")
  }
}

extension JSONValue {
  /// What stands at a pointer, in tests.
  fileprivate subscript(pointer: String) -> JSONValue? { (try? JSONPointer(parsing: pointer)).flatMap { self[$0] } }
}
