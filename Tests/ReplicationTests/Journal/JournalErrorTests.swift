import Replication
import StateJSON
import Testing

@Suite struct JournalDamageTests {
  /// The third line of a journal, and what is said of it.
  static let bodies = [
    // No JSON, or none that a line is.
    ("", "column 1 of its JSON: the text is empty; expected a value"),
    (#"{"kind":"ack""#, "column 14 of its JSON: unexpected end of input; expected ',' or '}' after value"),
    (#"{"kind":"ack"}x"#, "column 15 of its JSON: expected the end of the text after the value"),
    ("{\"kind\":\"\u{1}\"}", #"column 10 of its JSON: control character in a string; expected its escape \u0001"#),
    (#"{"kind":"ack","kind":"ack"}"#, #"column 15 of its JSON: duplicate key "kind"; first at line 1"#),
    ("[1]", "expected an object, found an array"),
    ("{}", "at /kind: expected a string of at most 256 bytes, found nothing"),
    (#"{"kind":5}"#, "at /kind: expected a string of at most 256 bytes, found the number 5"),
    (#"{"kind":"ack","read":{}}"#, "at /read: expected a list of names of lines, found an object"),
    (#"{"kind":"ack","read":[1]}"#, "at /read/0: expected the name of a line, found the number 1"),
    (
      #"{"kind":"later","read":["bwTpnjOnAJRs0yfMji-NNA","x"]}"#,
      #"at /read/1: expected the name of a line, found the string "x""#
    ),
    (#"{"kind":"later","needs":2}"#, "it needs format 2, and this version knows 1: update it"),
    (#"{"kind":"later","needs":"2"}"#, #"at /needs: expected an integer of 64 bits, found the string "2""#),
    // Entries.
    (#"{"kind":"entry"}"#, "at /time: expected an integer of 64 bits, found nothing"),
    (#"{"kind":"entry","time":1.5}"#, "at /time: expected an integer of 64 bits, found the number 1.5"),
    (#"{"kind":"entry","time":1e99}"#, "at /time: expected an integer of 64 bits, found the number 1e99"),
    (#"{"kind":"entry","time":1,"upto":null}"#, "at /upto: expected a string of at most 256 bytes, found null"),
    (
      #"{"kind":"entry","time":1,"seed":"x"}"#,
      #"at /seed: expected "defaults" or "contents", found the string "x""#
    ),
    (#"{"kind":"entry","time":1,"seed":"contents"}"#, "at /change: expected what the contents are, found nothing"),
    (
      #"{"kind":"entry","time":1,"seed":"contents","change":{"in":{}}}"#,
      "at /change: expected what the contents are, found an object"
    ),
    (#"{"kind":"entry","time":1,"actions":{}}"#, "at /actions: expected a list of actions, found an object"),
    (#"{"kind":"entry","time":1,"app":[1]}"#, "at /app: expected a version and the name of an app, found an array"),
    (#"{"kind":"entry","time":1,"app":["1",1]}"#, "at /app: expected a version and the name of an app, found an array"),
    (
      #"{"kind":"entry","time":1,"change":{"in":{"a":{"add":"1"}}}}"#,
      #"at /change/in/a/add: expected a number, found the string "1""#
    ),
    // Others.
    (#"{"kind":"settled","value":1}"#, "at /app: expected a version and the name of an app, found nothing"),
    (#"{"kind":"settled","app":[1,"x"]}"#, "at /value: expected a value, found nothing"),
    (#"{"kind":"wants","lines":"x"}"#, #"at /lines: expected a list of names of lines, found the string "x""#),
    (#"{"kind":"carried"}"#, "at /of: expected the name of a line, found nothing"),
    (
      #"{"kind":"carried","of":"bwTpnjOnAJRs0yfMji-NNA","writer":"a","after":"","line":"{}"}"#,
      #"at /writer: expected a device and its incarnation, found the string "a""#
    ),
    (
      #"{"kind":"carried","of":"bwTpnjOnAJRs0yfMji-NNA","writer":"a.0","after":"x","line":"{}"}"#,
      #"at /after: expected the name of a line or "", found the string "x""#
    ),
    (
      #"{"kind":"carried","of":"bwTpnjOnAJRs0yfMji-NNA","writer":"a.0","after":""}"#,
      "at /line: expected a string, found nothing"
    ),
    (
      #"{"kind":"journal","format":1,"needs":1,"share":"test","device":"a","incarnation":"0"}"#,
      #"a line of the kind "journal" is only the first of a journal"#
    ),
  ]

  @Test(arguments: bodies)
  func `a bad line and what follows it do not count`(body: String, reason: String) throws {
    var journal = try TestJournal("a")
    let good = try journal.entry(1)
    var file = journal.file
    Self.write(body, after: good.id, to: &file)
    Self.write(#"{"kind":"ack"}"#, after: LineID(of: body.utf8, after: good.id), to: &file)
    let read = Journal(file, name: "a.0.journal")
    #expect(read.lines.map(\.id) == journal.lines.map(\.id))
    #expect(read.end.offset == journal.file.count)
    #expect(
      read.damage?.description
        == "line 3 of the journal of a ('a.0.journal') and what follows it do not count: \(reason)")
  }

  /// The first line of a journal.
  static let heads = [
    (#"{"kind":"ack"}"#, #"a journal begins with a line of the kind "journal""#),
    (
      #"{"kind":"journal","needs":1,"share":"test","device":"a","incarnation":"0"}"#,
      "at /format: expected an integer of 64 bits, found nothing"
    ),
    (
      #"{"kind":"journal","format":1,"share":"test","device":"a","incarnation":"0"}"#,
      "at /needs: expected an integer of 64 bits, found nothing"
    ),
    (
      #"{"kind":"journal","format":2,"needs":2,"share":"test","device":"a","incarnation":"0"}"#,
      "it needs format 2, and this version knows 1: update it"
    ),
    (
      #"{"kind":"journal","format":1,"needs":1,"share":"../x","device":"a","incarnation":"0"}"#,
      #"at /share: expected a name of at most 64 letters, digits, '-' and '_', found the string "../x""#
    ),
    (
      #"{"kind":"journal","format":1,"needs":1,"share":"test","device":"","incarnation":"0"}"#,
      #"at /device: expected a name of at most 64 letters, digits, '-' and '_', found the string """#
    ),
    (
      #"{"kind":"journal","format":1,"needs":1,"share":"test","device":"a","incarnation":0}"#,
      "at /incarnation: expected a name of at most 64 letters, digits, '-' and '_', found the number 0"
    ),
  ]

  @Test(arguments: heads)
  func `a journal without a head that is known says nothing`(body: String, reason: String) throws {
    var file: [UInt8] = []
    Self.write(body, after: nil, to: &file)
    let read = Journal(file, name: "x")
    #expect(read.lines.isEmpty)
    #expect(read.head == nil)
    #expect(read.damage?.description == "line 1 of a journal ('x') and what follows it do not count: \(reason)")
  }

  @Test func `a later format that says it can be read is read`() throws {
    var file: [UInt8] = []
    Self.write(
      #"{"kind":"journal","format":7,"needs":1,"share":"test","device":"a","incarnation":"0","color":1}"#, after: nil,
      to: &file)
    #expect(Journal(file, name: "x").damage == nil)
  }

  /// What an engine or an editor may do to the third of four lines.
  static let changes = ["a letter", "a space", "its end", "another line", "no line"]

  @Test(arguments: changes)
  func `a line that was changed does not count`(change: String) throws {
    var journal = try TestJournal("a")
    try journal.entry(1)
    try journal.entry(2)
    try journal.entry(3)
    var lines = journal.file.split(separator: UInt8(ascii: "\n")).map(Array.init)
    let form = "it is not the name of a line, a space and a JSON object"
    var reason = "its name does not belong to what it says here: it, or the line before it, was changed"
    switch change {
    case "a letter": lines[2][25] ^= 1
    case "a space": (lines[2][LineID.length], reason) = (UInt8(ascii: "_"), form)
    case "its end": (lines[2], reason) = (Array(lines[2][..<9]), form)
    case "another line": lines[2] = lines[3]
    default: lines.remove(at: 2)
    }
    let read = Journal(Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")], name: "f")
    #expect(read.lines.map(\.id) == journal.lines.prefix(2).map(\.id))
    #expect(
      read.damage?.description == "line 3 of the journal of a ('f') and what follows it do not count: \(reason)")
  }

  @Test func `a message is short, whatever is wrong`() throws {
    let body = #"{"kind":"entry","time":1,"change":{"in":{"\#(String(repeating: "k", count: 100_000))":{}}}}"#
    var file = try TestJournal("a").file
    Self.write(body, after: Journal(file, name: "f").last, to: &file)
    #expect(try #require(Journal(file, name: "f").damage).description.utf8.count < 500)
  }

  /// Adds a line whose name is right.
  static func write(_ body: String, after previous: LineID?, to file: inout [UInt8]) {
    LineID(of: body.utf8, after: previous).write(to: &file)
    file += Array(" \(body)\n".utf8)
  }
}
