import StateJSON
import StoreCore
import Testing

@testable import replicate

@Suite struct LiveViewTests {
  @Test(
    arguments: [
      ("1", "1.0", [], []),
      ("1", "2", [""], []),
      (#"{"a":1,"b":[1,{"c":2}]}"#, #"{"a":1,"b":[1,{"c":3}]}"#, ["/b/1/c"], []),
      (#"{"a":1}"#, #"{"b":{"x":1},"a":1}"#, ["/b"], []),
      (#"{"a":1,"b":{"c":2}}"#, #"{"a":1,"b":{}}"#, [], ["/b"]),
      ("[1,2,3]", "[1,3]", [], [""]),
      ("[1,2,3]", "[0,1,2,3]", ["/0"], []),
      ("[1,2,3]", "[1,2,4,3]", ["/2"], []),
      ("[1,2,3]", "[1,5,3]", ["/1"], []),
      ("[1,1]", "[1,1,1]", ["/2"], []),
      ("[]", "{}", [""], []),
    ] as [(String, String, [String], [String])])
  func `the smallest changed places are found`(
    old: String, new: String, values: [String], shrunken: [String]
  ) throws {
    let changes = ChangedPlaces(from: try JSONValue(parsing: old), to: try JSONValue(parsing: new))
    #expect(changes.values.map(\.description).sorted() == values)
    #expect(changes.shrunken.map(\.description).sorted() == shrunken)
  }

  @Test func `lines are those of the pretty format`() throws {
    let value = try JSONValue(parsing: #"{"a":[1,[],{"b":{}}],"é\n":{"c":null}}"#)
    let lines = PrettyLine.lines(of: value)
    #expect(lines.map(\.text).joined(separator: "\n").utf8.elementsEqual(value.bytes(format: .pretty)))
    let pointers = ["", "/a", "/a/0", "/a/1", "/a/2", "/a/2/b", "/a/2", "/a", "/é\n", "/é\n/c", "/é\n", ""]
    #expect(lines.map(\.pointer.description) == pointers)
  }

  @Test func `a change is highlighted, and the last line says who made it`() throws {
    let view = LiveView(
      file: "state.json", old: ["n": 1, "s": "x"], new: ["n": 2, "s": "x"],
      cause: Cause(.instance, instance: "7f3a"), time: "14:03:27")
    #expect(
      view.lines(size: Terminal.Size(columns: 60, rows: 24)) == [
        "{", "\u{1b}[1;33m  \"n\": 2,\u{1b}[0m", "  \"s\": \"x\"", "}",
        "\u{1b}[7m state.json · changed by instance 7f3a at 14:03:27          \u{1b}[0m",
      ])
  }

  @Test func `a notice stands above the last line until the change after the one that it is about`() {
    var view = LiveView(file: "f", new: 1, cause: .start, time: "0:00", problems: ["bad"], isColored: false)
    func lines() -> [String] { view.lines(size: Terminal.Size(columns: 60, rows: 24)) }
    view.take(notices: ["an older version of 'f' was saved; to take that back: replicate restore f 1a2b3c4d"])
    view.show(2, cause: .edit, time: "0:01")
    view.take(notices: [])
    #expect(
      lines() == [
        "2", "! bad", "an older version of 'f' was saved; to take that back:", "replicate restore f 1a2b3c4d",
        " f · edited at 0:01 ",
      ])
    view.show(3, cause: .edit, time: "0:02")
    #expect(lines() == ["3", "! bad", " f · edited at 0:02 "])
  }

  @Test func `what is new as a whole is highlighted as a whole`() throws {
    var view = LiveView(
      file: "f", old: ["n": 1], new: ["n": 1, "o": ["a": [true]]], cause: Cause(.edit), time: "0:00")
    let lines = view.lines(size: Terminal.Size(columns: 60, rows: 24))
    #expect(lines.map { $0.hasPrefix("\u{1b}[1;33m") } == [false, false, true, true, true, true, true, false, false])
    view.isColored = false
    #expect(view.lines(size: Terminal.Size(columns: 60, rows: 24)).last == " f · edited at 0:00 ")
    #expect(view.lines(size: Terminal.Size(columns: 60, rows: 24)).joined().contains("\u{1b}") == false)
  }

  @Test func `the changed place is scrolled into view`() {
    let old = JSONValue.array((0..<100).map { JSONValue($0) })
    var elements = (0..<100).map { JSONValue($0) }
    elements[70] = true
    let view = LiveView(
      file: "f", old: old, new: .array(elements), cause: Cause(.action), time: "0:00", isColored: false)
    let lines = view.lines(size: Terminal.Size(columns: 20, rows: 10))
    #expect(lines.count == 10)
    #expect(lines[3] == "  true,")
    #expect(lines[9] == " f · changed here a…")
  }

  @Test func `problems stand above the last line, and nothing is wider than the screen`() {
    let view = LiveView(
      file: "f\n", old: nil, new: ["long": .string(String(repeating: "雪", count: 40))],
      cause: Cause(.start), time: "0:00",
      problems: ["f:3:1: expected ',' or '}' after value\u{1b}[2J"], isColored: false)
    let lines = view.lines(size: Terminal.Size(columns: 30, rows: 4))
    #expect(
      lines == ["{", "  \"long\": \"雪雪雪雪雪雪雪雪雪…", "! f:3:1: expected ',' or '}' …", " f\\u000A · as found at 0:00 "])
    #expect(lines.allSatisfy { $0.terminalWidth <= 30 })
  }

  @Test func `nothing from outside controls the terminal, wherever it stands`() {
    var view = LiveView(
      file: "f\u{9b}", old: nil, new: ["k\u{202e}": "v\u{202e}"], cause: Cause(.start), time: "0:00",
      problems: ["p\u{1b}[2J\n"], isColored: false)
    view.take(notices: ["n\u{1b}]0;x\u{7}\t"])
    #expect(
      view.lines(size: Terminal.Size(columns: 60, rows: 9)) == [
        "{", "  \"k\\u202E\": \"v\\u202E\"", "}", "! p\\u001B[2J\\u000A", "n\\u001B]0;x\\u0007\\u0009",
        " f\\u009B · as found at 0:00 ",
      ])
  }

  @Test(arguments: 0...6)
  func `any number of rows will do`(rows: Int) {
    let view = LiveView(
      file: "f", old: [1, 2], new: [1, 3], cause: Cause(.edit), time: "0:00",
      problems: ["a", "b"], isColored: false)
    #expect(view.lines(size: Terminal.Size(columns: 10, rows: rows)).count <= rows)
  }

  @Test func `without a state the view says that it waits`() {
    let view = LiveView(
      file: "f", old: nil, new: nil, cause: Cause(.start), time: "", problems: [], isColored: false)
    #expect(view.lines(size: Terminal.Size(columns: 40, rows: 5)) == [" f · waiting for the file "])
  }

  @Test(arguments: [
    ([], "\u{1b}[H"),
    (["a"], "\u{1b}[H\u{1b}[Ja"),
    (["a", "b", "c"], "\u{1b}[H\u{1b}[Ka\r\n\u{1b}[Kb\r\n\u{1b}[Jc"),
  ])
  func `a frame clears each line before it is written`(lines: [String], frame: String) {
    #expect(LiveView.frame(lines) == frame)
  }
}
