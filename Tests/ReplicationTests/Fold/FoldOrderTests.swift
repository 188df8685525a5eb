import Replication
import StateJSON
import TestSupport
import Testing

@Suite struct FoldOrderTests {
  @Test func `a cause is before its effect, whatever the clocks say`() throws {
    var (a, b) = (try TestJournal("a"), try TestJournal("b"))
    let cause = try a.entry(100)
    let other = try a.entry(101)
    try b.acknowledge(cause)
    let effect = try b.entry(1)
    #expect(Fold(a.lines + b.lines).order == [cause.id, effect.id, other.id])
  }

  @Test func `what is concurrent is in the order of clocks, then of writers, then of names`() throws {
    var (a, b) = (try TestJournal("a"), try TestJournal("a-b"))
    var twin = TestJournal(after: a)
    let (later, first) = (try a.entry(5, #"{"x":1}"#), try b.entry(5))
    let other = try twin.entry(5, #"{"x":2}"#)
    let before = try TestJournal("z").with { try $0.entry(4) }
    let twins = [later.id, other.id].sorted()
    let lines = a.lines + b.lines + twin.lines + before.lines
    #expect(Fold(lines).order == [before.lines[1].id, first.id] + twins)
    #expect(Fold(lines.reversed()).order == [before.lines[1].id, first.id] + twins)
  }

  /// Of those whose causes are all before, the first by clock and names; again and again.
  private static func naiveOrder(_ lines: [JournalLine]) throws -> [LineID] {
    let known = KnownLines(lines)
    let numbers = try lines.filter { $0.entry != nil }.map { try #require(known.number(of: $0.id)) }
    var (order, left) = ([Int](), Set(numbers))
    func precedes(_ one: Int, _ other: Int) -> Bool {
      let times = (known.line(one).entry?.time ?? 0, known.line(other).entry?.time ?? 0)
      let writers = (known.writer(of: one), known.writer(of: other))
      if times.0 != times.1 { return times.0 < times.1 }
      return writers.0 == writers.1 ? known.line(one).id < known.line(other).id : writers.0 < writers.1
    }
    while !left.isEmpty {
      let ready = left.filter { number in !left.contains { $0 != number && known.isRead($0, by: number) } }
      let next = try #require(ready.min(by: precedes))
      order.append(next)
      left.remove(next)
    }
    return order.map { known.line($0).id }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the order is that of taking the first one that is ready, however lines arrive`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let lines = try KnownLinesTests.randomLines(seed, count: 70)
    let expected = try Self.naiveOrder(lines)
    for _ in 0..<3 { #expect(Fold(lines.shuffled(using: &random)).order == expected) }
  }

  @Test func `many entries in any order of arrival come to one order`() throws {
    var random = SplitMix64(seed: 5)
    let journals = try (0..<3).map { device in
      try TestJournal("d\(device)").with { journal in
        for place in 0..<1_000 { try journal.entry(place * 3 + (device * 7 + place) % 5) }
      }
    }
    let lines = journals.flatMap(\.lines)
    let expected = Fold(lines).order
    let times = Dictionary(uniqueKeysWithValues: lines.map { ($0.id, $0.entry?.time ?? 0) })
    #expect(expected.count == 3_000)
    // Each writer's clock goes back now and then, but by no more than the four of its neighbours.
    #expect(zip(expected, expected.dropFirst()).allSatisfy { (times[$0] ?? 0) <= (times[$1] ?? 0) + 4 })
    for _ in 0..<2 { #expect(Fold(lines.shuffled(using: &random)).order == expected) }
  }
}
