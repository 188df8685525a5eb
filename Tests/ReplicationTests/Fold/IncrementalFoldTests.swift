import StateJSON
import TestSupport
import Testing

@testable import Replication

@Suite(.serialized) struct IncrementalFoldTests {
  /// Writers that change a small document, read each other, and now and then say what it comes to.
  private static func lines(_ seed: UInt64, count: Int) throws -> [JournalLine] {
    var random = SplitMix64(seed: seed)
    var journals = try ["a", "b", "c"].map { try TestJournal($0) }
    var documents = RandomDocuments(seed: seed)
    var entries: [JournalLine] = []
    for time in 0..<count {
      let writer = random.below(3)
      let read = random.oneIn(3) && !entries.isEmpty ? entries[max(0, entries.count - 1 - random.below(4))] : nil
      if random.oneIn(10) {
        try journals[writer].settled(documents.document(), read: read)
        continue
      }
      let base = documents.document()
      var entry = JSONObject()
      entry["change"] = SparseChange(from: base, to: documents.edited(base))?.value
      if random.oneIn(3) { entry["actions"] = [["set", .string("/p/\(time)"), .number(JSONNumber(time))]] }
      entries.append(
        try journals[writer].entry(time + random.below(9), JSONValue.object(entry).description, read: read))
    }
    return journals.flatMap(\.lines)
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `what arrives line by line comes to what it comes to at once`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let lines = try Self.lines(seed, count: 150)
    var atOnce = Fold(lines)
    let (document, reduced) = (atOnce.document(), atOnce.reduced(by: FoldTests.Doubler()))
    for _ in 0..<3 {
      var fold = Fold()
      // Mostly in order, as a folder that is synced brings them, and now and then anyhow.
      var rest = lines
      while !rest.isEmpty {
        fold.add(rest.remove(at: random.oneIn(4) ? random.below(rest.count) : min(rest.count - 1, random.below(3))))
        if random.oneIn(3) { _ = fold.document() }
        if random.oneIn(3) { _ = fold.reduced(by: FoldTests.Doubler()) }
      }
      #expect(fold.document() == document)
      #expect(fold.reduced(by: FoldTests.Doubler()) == reduced)
    }
  }

  /// An app that makes more of a document each time it is asked, however many actions it is handed.
  private struct Counter: ActionReducer {
    let version = AppVersion(version: 1, name: "app")

    func reducing(_ document: JSONValue?, by actions: [JSONValue]) throws -> JSONValue? {
      guard case .array(let calls) = document ?? .array([]) else { return document }
      return .array(calls + [.number(JSONNumber(actions.count))])
    }
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `an app is handed the same together, wherever a fold begins`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var journals = try ["a", "b"].map { try TestJournal($0) }
    for time in 0..<300 {
      let actions = Array(repeating: "1", count: random.oneIn(9) ? 40 + random.below(60) : 1 + random.below(3))
      try journals[random.below(2)].entry(
        time + random.below(40), #"{"app":[1,"app"],"actions":[\#(actions.joined(separator: ","))]}"#)
    }
    let lines = journals.flatMap(\.lines)
    var atOnce = Fold(lines)
    let expected = atOnce.reduced(by: Counter())
    var (fold, rest) = (Fold(), lines)
    while !rest.isEmpty {
      fold.add(rest.remove(at: random.oneIn(4) ? random.below(rest.count) : 0))
      if random.oneIn(3) { _ = fold.reduced(by: Counter()) }
    }
    #expect(fold.reduced(by: Counter()) == expected)
  }

  @Test func `what comes to the end does not do the rest again`() throws {
    var journal = try TestJournal("a")
    for time in 0..<5_000 { try journal.entry(time, #"{"actions":[["set","/\#(time % 7)",\#(time)]]}"#) }
    let last = journal.removeLast()
    var fold = Fold(journal.lines)
    let all = processorTime { _ = fold.document() }
    fold.add(last)
    let one = processorTime { _ = fold.document() }
    #expect(one * 50 < all)
    #expect(fold.document()?["\(4_999 % 7)"] == 4_999)
  }

  @Test func `what comes late does only what is after it again`() throws {
    var (a, b) = (try TestJournal("a"), try TestJournal("b"))
    for time in 0..<8_000 { try a.entry(time * 2, #"{"actions":[["set","/\#(time % 7)",\#(time)]]}"#) }
    try b.entry(15_801, #"{"actions":[["set","/late",1]]}"#)
    var fold = Fold(a.lines)
    let all = processorTime { _ = fold.document() }
    b.lines.forEach { fold.add($0) }
    let late = processorTime { _ = fold.document() }
    #expect(late * 10 < all)
    #expect(fold.document()?["late"] == 1)
  }

  @Test func `there are few snapshots, and the way back to one is short`() {
    var snapshots = FoldSnapshots<Int>()
    let count = 100_000
    for place in stride(from: FoldSnapshots<Int>.step, through: count, by: FoldSnapshots<Int>.step) {
      snapshots.append(place, after: place)
    }
    var all = 0
    var end = count
    while let last = snapshots.takeLast() {
      #expect(last.state == last.count)
      #expect(end - last.count <= max(FoldSnapshots<Int>.step, (count - end) / FoldSnapshots<Int>.density))
      end = last.count
      all += 1
    }
    #expect(all < 150)
  }

  @Test func `snapshots after a place are forgotten, or moved`() {
    var snapshots = FoldSnapshots<String>()
    for count in [40, 80, 120] { snapshots.append("\(count)", after: count) }
    snapshots.shift(from: 80)
    snapshots.shift(from: 200)
    snapshots.shift(from: 10)
    #expect(snapshots.takeLast()?.count == 122)
    snapshots.discard(from: 81)
    #expect(snapshots.takeLast()?.count == 81)
    snapshots.discard(from: 40)
    #expect(snapshots.takeLast() == nil)
  }
}
