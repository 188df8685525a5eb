import StateJSON
import TestSupport
import Testing

@testable import Replication

/// 15 times the input takes some 15 times as long; if each part had to do with all others, 225 times.
@Suite(.serialized) struct HostileJournalTests {
  private static let fault = "line 2 of the journal of a ('f') and what follows it do not count: "

  private static func damage(of body: String) throws -> String? {
    var file = try TestJournal("a").file
    JournalDamageTests.write(body, after: Journal(file, name: "f").last, to: &file)
    return Journal(file, name: "f").damage?.description
  }

  @Test func `bytes that are no text are refused`() throws {
    var file = try TestJournal("a").file
    let body = Array(#"{"kind":"ä"}"#.utf8).filter { $0 != 0xC3 }
    LineID(of: body, after: Journal(file, name: "f").last).write(to: &file)
    file += [UInt8(ascii: " ")] + body + [UInt8(ascii: "\n")]
    let damage = try #require(Journal(file, name: "f").damage)
    #expect(damage.description == Self.fault + "column 10 of its JSON: invalid UTF-8: unexpected byte 0xA4")
  }

  @Test func `a line may be nested as deep as a change may be, and no deeper`() throws {
    func entry(levels: Int) -> String {
      #"{"kind":"entry","time":1,"change":{"is":"# + String(repeating: "[", count: levels)
        + String(repeating: "]", count: levels) + "}}"
    }
    #expect(try Self.damage(of: entry(levels: 1_022)) == nil)
    #expect(
      try Self.damage(of: entry(levels: 1_023))
        == Self.fault + "column 1063 of its JSON: nested deeper than 1024 levels")
    #expect(try Self.damage(of: entry(levels: 1_000_000))?.utf8.count ?? 0 > 0)
  }

  @Test func `a line of the greatest nesting is done`() throws {
    var journal = try TestJournal("a")
    let value = String(repeating: "[", count: 1_022) + String(repeating: "]", count: 1_022)
    try journal.entry(1, #"{"change":{"is":0}}"#)
    let body = #"{"kind":"entry","time":2,"change":{"is":\#(value)}}"#
    var file = journal.file
    JournalDamageTests.write(body, after: journal.lines.last?.id, to: &file)
    var fold = Fold(Journal(file, name: "f").lines)
    #expect(fold.document()?.bytes(format: .compact) == Array(value.utf8))
  }

  @Test(arguments: ["cost", "modified"])
  func `a save says no number that can't be reckoned with`(member: String) throws {
    func save(_ number: Int) -> String {
      let others = member == "cost" ? "" : #""cost":1,"#
      return #"{"kind":"save","time":1,"version":["h",2],\#(others)"on":[],"\#(member)":\#(number)}"#
    }
    for number in [0, 1 << 40] { #expect(try Self.damage(of: save(number)) == nil) }
    for number in [Int.min, Int.max] {
      #expect(try Self.damage(of: save(number))?.contains("at /\(member): expected an integer from ") == true)
    }
  }

  @Test func `what there is too much of is refused`() throws {
    func list(_ element: String, _ count: Int) -> String {
      "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
    }
    let name = #""bwTpnjOnAJRs0yfMji-NNA""#
    let label = String(repeating: "é", count: 129)
    for (body, reason) in [
      (#"{"kind":"ack","read":\#(list(name, 4_096))}"#, nil),
      (#"{"kind":"ack","read":\#(list(name, 4_097))}"#, "at /read: there are more than 4096"),
      (#"{"kind":"wants","lines":\#(list(name, 4_097))}"#, "at /lines: there are more than 4096"),
      (#"{"kind":"entry","time":1,"actions":\#(list("0", 1_048_576))}"#, nil),
      (#"{"kind":"entry","time":1,"actions":\#(list("0", 1_048_577))}"#, "at /actions: there are more than 1048576"),
      (
        #"{"kind":"\#(label)"}"#,
        "at /kind: expected a string of at most 256 bytes, found the string \"\(label.prefix(40))…\""
      ),
      (
        #"{"kind":"entry","time":1,"app":[1,"\#(label)"]}"#,
        "at /app: expected a version and the name of an app, found an array"
      ),
    ] as [(String, String?)] {
      #expect(try Self.damage(of: body) == reason.map { Self.fault + $0 })
    }
  }

  @Test func `a line that is too long is refused before it is read`() throws {
    let length = JournalLimits.lineLength + 1
    var file = try TestJournal("a").file
    file += Array(repeating: UInt8(ascii: "x"), count: length) + [UInt8(ascii: "\n")]
    #expect(Journal(file, name: "f").damage?.description == Self.fault + "it is longer than 16777216 bytes")
    // So nobody writes one, either.
    let body = JSONValue.string(String(repeating: "x", count: length - LineID.length))
    #expect(throws: JournalLineError.tooLong) { try JournalLine(body, after: nil) }
  }

  @Test func `a journal that is too long counts up to there`() throws {
    let journal = try TestJournal("a").with { journal in for time in 0..<4 { try journal.entry(time) } }
    let file = journal.file
    let few = Journal(file, name: "f", lineLimit: 3, sizeLimit: .max)
    #expect(few.lines.map(\.id) == journal.lines.prefix(3).map(\.id))
    #expect(
      few.damage?.description == "line 4 of the journal of a ('f') and what follows it do not count: "
        + "a journal has at most 1048576 lines")
    #expect(Journal(file, name: "f", lineLimit: 5, sizeLimit: file.count).damage == nil)
    let short = Journal(file, name: "f", lineLimit: 5, sizeLimit: file.count - 1)
    #expect(short.lines.map(\.id) == journal.lines.prefix(4).map(\.id))
    #expect(
      short.damage?.description == "line 5 of the journal of a ('f') and what follows it do not count: "
        + "a journal has at most 1073741824 bytes")
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `whatever happens to bytes, what was read before counts and is what was written`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let journal = try TestJournal("a").with { journal in
      for time in 0..<6 { try journal.entry(time, #"{"change":{"is":[1,"é"]}}"#) }
    }
    var file = journal.file
    let place = random.below(file.count)
    switch random.below(3) {
    case 0: file[place] ^= UInt8(1 + random.below(255))
    case 1: file.remove(at: place)
    default: file.insert(UInt8(random.below(256)), at: place)
    }
    let read = Journal(file, name: "f")
    let intact = journal.file[..<place].count { $0 == UInt8(ascii: "\n") }
    #expect(read.lines.prefix(intact).map(\.id) == journal.lines.prefix(intact).map(\.id))
    #expect(read.lines.allSatisfy { line in journal.lines.contains { $0.id == line.id } })
  }

  // MARK: Cost

  private static func time(_ count: Int, _ lines: (Int) throws -> [JournalLine]) throws -> Duration {
    let lines = try lines(count)
    // The shorter of two, as caches are others' as well.
    return min(processorTime { fold(lines) }, processorTime { fold(lines) })
  }

  private static func fold(_ lines: [JournalLine]) {
    var fold = Fold()
    for line in lines { fold.add(line) }
    _ = fold.document()
  }

  /// Each makes as many lines as it is told.
  enum Shape: String, CaseIterable, Sendable {
    case backwards, waiting, reading, settling, sameTime

    func lines(_ count: Int) throws -> [JournalLine] {
      var (a, b) = (try TestJournal("a"), try TestJournal("b"))
      let place = { (number: Int) in JSONValue.number(JSONNumber(number)) }
      switch self {
      case .backwards:
        for time in 0..<count { try a.entry(time) }
        return a.lines.reversed()
      case .waiting:
        // For lines that never come.
        for time in 0..<count {
          let missing = LineID(of: "\(time)".utf8, after: nil)
          try a.write(["kind": "x", "n": place(time), "read": [.string("\(missing)")]])
        }
        return a.lines
      case .reading:
        for time in 0..<count / 2 {
          let entry = try a.entry(time)
          try b.acknowledge(entry)
        }
      case .settling:
        for time in 0..<count / 2 {
          let entry = try a.entry(time)
          try b.settled(place(time), read: entry)
        }
      case .sameTime: for time in 0..<count { try a.entry(5, #"{"upto":"\#(time)"}"#) }
      }
      return a.lines + b.lines
    }
  }

  @Test(arguments: Shape.allCases)
  func `many lines take time in their number`(shape: Shape) throws {
    let (few, many) = try (Self.time(300, shape.lines), Self.time(4_500, shape.lines))
    #expect(many < few * 60)
  }

  @Test func `there are no more chains than there may be`() throws {
    var lines = KnownLines()
    var last: JournalLine?
    for number in 0..<JournalLimits.chainCount + 5 {
      let journal = try TestJournal("d\(number)").with { try $0.acknowledge(last) }
      last = journal.lines.last
      journal.lines.forEach { lines.add($0) }
    }
    #expect(lines.countedCount == 2 * JournalLimits.chainCount)
    #expect(lines.count == 2 * (JournalLimits.chainCount + 5))
    #expect(lines.missing.isEmpty)
  }
}
