import Replication
import StateJSON
import Testing

@Suite struct CarriedLineTests {
  /// A line that says to carry another one, with a member replaced.
  private static func carrying(_ line: JournalLine, of writer: Writer, _ key: String, _ value: JSONValue) -> JSONValue {
    var body = CarriedLine.body(carrying: line, of: writer)
    body[key] = value
    return body
  }

  @Test(arguments: [
    (
      "of", "bwTpnjOnAJRs0yfMji-NNA",
      "its name does not belong to what it says here: it, or the line before it, was changed"
    ),
    (
      "after", "bwTpnjOnAJRs0yfMji-NNA",
      "its name does not belong to what it says here: it, or the line before it, was changed"
    ),
    ("after", "", "its name does not belong to what it says here: it, or the line before it, was changed"),
    ("line", "{}", "its name does not belong to what it says here: it, or the line before it, was changed"),
  ])
  func `what somebody else says that it is not counts for nothing`(key: String, value: String, reason: String) throws {
    var (a, b) = (try TestJournal("a"), try TestJournal("b"))
    let entry = try a.entry(1)
    try b.write(Self.carrying(entry, of: a.writer, key, .string(value)))
    try b.entry(2)
    let read = Journal(b.file, name: "b.0")
    #expect(read.lines.map(\.id) == b.lines.map(\.id))
    #expect(read.carried.isEmpty)
    #expect(read.damage == nil)
    #expect(
      read.carriedDamage.map(\.description)
        == ["line 2 of the journal of b ('b.0') carries a line that does not count: \(reason)"])
  }

  @Test func `a line that carries one that carries one carries both`() throws {
    var (a, b, c) = (try TestJournal("a"), try TestJournal("b"), try TestJournal("c"))
    let entry = try a.entry(1)
    let first = try b.write(CarriedLine.body(carrying: entry, of: a.writer))
    try c.write(CarriedLine.body(carrying: first, of: b.writer))
    #expect(Journal(c.file, name: "c.0").carried.map(\.id) == [first.id, entry.id])
  }

  @Test func `the carrier can't say whose line it is`() throws {
    var (a, b) = (try TestJournal("a"), try TestJournal("b"))
    let entry = try a.entry(1)
    let other = try #require(Writer("z.0"))
    try b.write(CarriedLine.body(carrying: a.lines[0], of: other))
    try b.write(CarriedLine.body(carrying: entry, of: other))
    let read = Journal(b.file, name: "b.0")
    let lines = KnownLines(read.lines + read.carried)
    #expect(lines.number(of: entry.id).map { lines.writer(of: $0).text } == "a.0")
  }
}
