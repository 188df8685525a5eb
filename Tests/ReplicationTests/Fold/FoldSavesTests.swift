import Replication
import StateJSON
import TestSupport
import Testing

/// What people save in a file that lies in the folder itself.
@Suite struct FoldSavesTests {
  private var a: TestJournal
  private var b: TestJournal
  private let start: JournalLine

  init() throws {
    (a, b) = (try TestJournal("a"), try TestJournal("b"))
    start = try a.entry(10, #"{"change":{"is":{"n":1}}}"#)
    try b.acknowledge(start)
  }

  /// What the lines of both journals come to; the same in whatever order they arrive.
  private func document(_ journals: TestJournal...) throws -> JSONValue? {
    let lines = journals.flatMap(\.lines)
    var fold = Fold()
    lines.forEach { fold.add($0) }
    let document = fold.document()
    var random = SplitMix64(seed: 1)
    for _ in 0..<20 {
      var fold = Fold()
      for line in lines.shuffled(using: &random) {
        fold.add(line)
        if random.oneIn(2) { _ = fold.document() }
      }
      #expect(fold.document() == document)
    }
    return document
  }

  private static func setting(_ key: String, to value: JSONValue) -> JSONValue {
    ["in": .object(JSONObject(unique: [key], values: [["is": value]]))]
  }

  @Test mutating func `what somebody saved counts, in its place`() throws {
    try b.save("x", at: 20, cost: 1, Self.setting("e", to: 1))
    try a.entry(30, #"{"change":{"in":{"e":{"was":1,"is":2}}}}"#)
    #expect(try document(a, b) == ["n": 1, "e": 2])
  }

  @Test mutating func `of several that explain one save the one counts that costs least`() throws {
    try b.save("x", at: 20, cost: 4, ["in": ["n": ["was": 1], "e": ["is": 1]]])
    #expect(try document(a, b) == ["e": 1])
    try a.save("x", at: 40, cost: 1, Self.setting("e", to: 1))
    #expect(try document(a, b) == ["n": 1, "e": 1])
  }

  @Test mutating func `what some instance wrote is no save`() throws {
    try b.save("x", at: 20, cost: 1, Self.setting("e", to: 1))
    try a.wrote("x")
    #expect(try document(a, b) == ["n": 1])
  }

  @Test mutating func `the same bytes much later are one`() throws {
    try b.save("x", at: 20, saved: 30, cost: 1, Self.setting("e", to: 1))
    try a.wrote("x", written: 19)
    #expect(try document(a, b) == ["n": 1, "e": 1])
  }

  @Test mutating func `what an instance wrote is no save under a time that was set a moment later, or of old`() throws {
    for saved in [0, 23] {
      try b.save("x", at: 20, saved: saved, cost: 1, Self.setting("e", to: 1))
      try b.save("x", at: 20, saved: nil, cost: 1, Self.setting("e", to: 1))
    }
    try a.wrote("x", written: 19)
    #expect(try document(a, b) == ["n": 1])
  }

  @Test mutating func `what was brought back on purpose stays, also if it is written again later`() throws {
    try b.save("x", at: 20, saved: 20, cost: 0, Self.setting("e", to: 1))
    try a.wrote("x", written: 31)
    #expect(try document(a, b) == ["n": 1, "e": 1])
    try a.wrote("x", written: 24)
    #expect(try document(a, b) == ["n": 1])
  }

  @Test mutating func `what an instance wrote because of a save leaves it one`() throws {
    let save = try b.save("x", at: 20, cost: 1, Self.setting("e", to: 1))
    try a.wrote("x", read: save)
    #expect(try document(a, b) == ["n": 1, "e": 1])
  }

  @Test(arguments: [7, nil])
  mutating func `what was written by who had found what came of a save leaves it one`(time: Int?) throws {
    try a.save("x", at: 20, cost: 1, Self.setting("e", to: 1))
    try a.wrote("y")
    // Found before the journal had come, and written again later by somebody else.
    try b.save("y", at: 30, saved: time, cost: 2, Self.setting("f", to: 1))
    try b.wrote("x", written: 40)
    var c = try TestJournal("c")
    try c.acknowledge(b.lines.last)
    try c.wrote("y", written: 60)
    #expect(try document(a, b, c) == ["n": 1, "e": 1])
  }

  @Test mutating func `what was written again later was not because of who had written it before`() throws {
    // The same bytes go to and fro: B takes what A wrote for a save, and then writes again what A had written before.
    try a.wrote("y", written: 7)
    let save = try b.save("x", at: 20, saved: 9, cost: 1, Self.setting("e", to: 1))
    try b.wrote("y", written: 10, read: save)
    // C had found it as A wrote it, and so knew nothing of that save; nor did A, whose journal is late.
    var c = try TestJournal("c")
    let find = try c.save("y", at: 30, saved: 7, cost: 2, Self.setting("f", to: 1))
    try a.write(["kind": "ack", "read": [find.name]])
    try a.wrote("x", written: 9)
    #expect(try document(a, b, c) == ["n": 1])
  }

  @Test mutating func `what was written by who had found a save himself leaves it one`() throws {
    try b.save("x", at: 20, cost: 1, Self.setting("e", to: 1))
    try a.wrote("y", written: 9, found: FileVersion(hash: "x", time: 7))
    #expect(try document(a, b) == ["n": 1, "e": 1])
    // The same bytes again, by him, and by who has heard of that.
    try a.wrote("x", written: 20)
    var c = try TestJournal("c")
    try c.wrote("x", written: 30, read: a.lines.last)
    #expect(try document(a, b, c) == ["n": 1, "e": 1])
    try c.wrote("x", written: 9)
    var d = try TestJournal("d")
    try d.wrote("x", written: 30)
    #expect(try document(a, b, c, d) == ["n": 1])
  }

  @Test mutating func `who had found nothing of a save has written an echo of it`() throws {
    try a.save("x", at: 20, cost: 1, Self.setting("e", to: 1))
    try b.save("y", at: 30, cost: 2, Self.setting("f", to: 1))
    try b.wrote("x", written: 40)
    #expect(try document(a, b) == ["n": 1, "f": 1])
  }

  @Test(arguments: [(7, nil), (nil, 7)] as [(Int?, Int?)])
  mutating func `what was found with its time and without is one save, as who knows most explains it`(
    worse: Int?, better: Int?
  ) throws {
    try b.save("x", at: 20, saved: worse, cost: 8, ["in": ["n": ["was": 1], "e": ["is": 1]]])
    #expect(try document(a, b) == ["e": 1])
    try a.save("x", at: 40, saved: better, cost: 2, Self.setting("e", to: 1))
    #expect(try document(a, b) == ["n": 1, "e": 1])
    // What was brought back on purpose later is another save.
    try b.save("x", at: 50, saved: 60, cost: 0, ["in": ["n": ["was": 1]]])
    #expect(try document(a, b) == ["e": 1])
    // The former ones are what some instance wrote.
    var c = try TestJournal("c")
    try c.wrote("x", written: 7)
    #expect(try document(a, b, c) == [:])
  }

  @Test mutating func `what was written because of a save without its time is no other reason for it`() throws {
    try b.save("x", at: 20, saved: nil, cost: 2, Self.setting("e", to: 1))
    try b.wrote("x", written: 40)
    try a.save("x", at: 30, saved: 7, cost: 2, Self.setting("e", to: 1))
    var c = try TestJournal("c")
    try c.wrote("x", written: 60, read: a.lines.last)
    #expect(try document(a, b, c) == ["n": 1, "e": 1])
  }

  @Test mutating func `what was written because of an echo without its time is no save`() throws {
    try a.wrote("x", written: 7)
    try b.save("x", at: 20, saved: nil, cost: 2, Self.setting("e", to: 1))
    try b.wrote("x", written: 40)
    var c = try TestJournal("c")
    try c.save("x", at: 50, saved: 40, cost: 2, Self.setting("e", to: 1))
    #expect(try document(a, b, c) == ["n": 1])
  }

  @Test mutating func `one that is none changes the order of no others`() throws {
    let save = try b.save("x", at: 90, cost: 1, Self.setting("e", to: 1))
    try b.entry(30, #"{"change":{"in":{"n":{"was":1,"is":3}}}}"#)
    try a.entry(60, #"{"change":{"in":{"n":{"was":1,"is":6}}}}"#)
    // B's entry is behind the save, and so behind A's.
    #expect(try document(a, b) == ["n": 3, "e": 1])
    try a.wrote("x")
    #expect(try document(a, b) == ["n": 3])
    #expect(save.doing != nil)
  }

  @Test mutating func `a value that somebody has made of a save that is none doesn't count`() throws {
    try b.save("x", at: 20, cost: 1, Self.setting("e", to: 1))
    let settled = try b.settled(["n": 9, "e": 1])
    #expect(try document(a, b) == ["n": 9, "e": 1])
    try a.wrote("x")
    #expect(try document(a, b) == ["n": 1])
    // Made again without it.
    try b.settled(["n": 9], read: a.lines.last)
    #expect(try document(a, b) == ["n": 9])
    #expect(settled.entry == nil)
  }
}
