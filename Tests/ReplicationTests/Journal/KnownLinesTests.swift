import Replication
import StateJSON
import TestSupport
import Testing

@Suite struct KnownLinesTests {
  @Test func `a line counts once all is there that its writer had read`() throws {
    var (a, b, c) = (try TestJournal("a"), try TestJournal("b"), try TestJournal("c"))
    let first = try a.entry(1)
    let second = try b.entry(2, read: first)
    let third = try c.entry(3, read: second)
    var lines = KnownLines()
    for line in [third, c.lines[0], second, first, b.lines[0]] { lines.add(line) }
    #expect(lines.counted == [c.lines[0].id, b.lines[0].id])
    #expect(lines.missing == [a.lines[0].id])
    let now = lines.add(a.lines[0])
    #expect(now.map { lines.line($0).id } == [a.lines[0], first, second, third].map(\.id))
    #expect(lines.missing.isEmpty)
    #expect(lines.countedCount == 6)
  }

  @Test func `a line that is known already changes nothing`() throws {
    var a = try TestJournal("a")
    try a.entry(1)
    var lines = KnownLines(a.lines + a.lines)
    #expect(lines.count == 2)
    #expect(lines.countedCount == 2)
    #expect(lines.add(a.lines[1]).isEmpty)
  }

  @Test func `a line that says twice that it has read another one waits for it once`() throws {
    var (a, b) = (try TestJournal("a"), try TestJournal("b"))
    let first = try a.entry(1)
    let second = try b.entry(2, read: first, first)
    var lines = KnownLines(b.lines)
    #expect(!lines.counts(second.id))
    for line in a.lines { lines.add(line) }
    #expect(lines.counts(second.id))
  }

  @Test func `where two lines follow one, both count`() throws {
    var a = try TestJournal("a")
    try a.entry(1)
    var twin = TestJournal(after: a)
    let (here, there) = (try a.entry(2), try twin.entry(3))
    let next = try twin.entry(4)
    let lines = KnownLines(a.lines + twin.lines)
    #expect(lines.countedCount == 5)
    let numbers = try [a.lines[1], here, there, next].map { try #require(lines.number(of: $0.id)) }
    #expect(numbers.map { lines.writer(of: $0).text } == ["a.0", "a.0", "a.0", "a.0"])
    #expect(numbers.map { lines.isRead($0, by: numbers[3]) } == [true, false, true, false])
    #expect(numbers.map { lines.isRead($0, by: numbers[1]) } == [true, false, false, false])
  }

  /// Random journals that read each other, and now and then part.
  static func randomLines(_ seed: UInt64, count: Int) throws -> [JournalLine] {
    var random = SplitMix64(seed: seed)
    var journals = try ["a", "b", "c"].map { try TestJournal($0) }
    var all = journals.flatMap(\.lines)
    for _ in 0..<count {
      if random.oneIn(12) { journals.append(TestJournal(after: random.pick(journals))) }
      let writer = random.below(journals.count)
      let read = (0..<max(0, random.below(5) - 2)).map { _ in random.pick(all) }
      let names = JSONValue.array(read.map(\.name))
      let kind: JSONValue = random.oneIn(3) ? "ack" : "entry"
      let time = JSONValue.number(JSONNumber(random.below(20)))
      all.append(
        try journals[writer].write(["kind": kind, "time": time, "read": names, "x": .number(JSONNumber(all.count))]))
    }
    return all
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `what counts, and what was read, depends on the lines alone`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let all = try Self.randomLines(seed, count: 60)
    // What is known of causes by going through all.
    var pasts: [LineID: Set<LineID>] = [:]
    for line in all {
      let causes = line.read + (line.previous.map { [$0] } ?? [])
      pasts[line.id] = causes.reduce(into: Set(causes)) { $0.formUnion(pasts[$1] ?? []) }
    }
    let some = all.filter { _ in !random.oneIn(20) }
    let known = Set(some.map(\.id))
    let expected = Set(some.filter { pasts[$0.id]?.isSubset(of: known) ?? false }.map(\.id))
    for _ in 0..<3 {
      let lines = KnownLines(some.shuffled(using: &random))
      #expect(Set(lines.counted) == expected)
      for id in expected {
        let number = try #require(lines.number(of: id))
        let read = expected.filter { other in lines.number(of: other).map { lines.isRead($0, by: number) } ?? false }
        #expect(Set(read) == pasts[id])
      }
    }
  }
}
