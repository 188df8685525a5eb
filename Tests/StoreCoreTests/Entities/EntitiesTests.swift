import StoreCore
import TestThreads
import Testing

private struct Row: Identifiable, Hashable, Comparable {
  var id: Int
  var title = ""
  var tags: [String] = []

  static func < (left: Row, right: Row) -> Bool { left.title < right.title }
}

@Suite(.ownThreads) struct `Entities with identities` {
  private var rows: Entities<Row> = [Row(id: 1, title: "c"), Row(id: 2, title: "a"), Row(id: 3, title: "b")]

  @Test func `are found by identity and stand in order`() {
    #expect(rows[id: 2]?.title == "a")
    #expect(rows[id: 9] == nil)
    #expect(rows.map(\.id) == [1, 2, 3])
    #expect(Array(rows.ids) == [1, 2, 3])
    #expect(rows[0].id == 1)
    #expect(rows.index(id: 3) == 2)
    #expect(rows.index(id: 9) == nil)
    #expect((rows.contains(id: 1), rows.contains(id: 9)) == (true, false))
    #expect(rows.last?.id == 3)
  }

  @Test func `take the last of those with the same identity, at the place of the first`() {
    let rows: Entities<Row> = [Row(id: 1, title: "old"), Row(id: 2), Row(id: 1, title: "new")]
    #expect(Array(rows) == [Row(id: 1, title: "new"), Row(id: 2)])
  }

  @Test mutating func `are set, added and removed by subscript`() {
    rows[id: 2]?.title = "z"
    rows[id: 9]?.title = "nobody"
    rows[id: 4] = Row(id: 4, title: "d")
    rows[id: 1] = nil
    rows[id: 8] = nil
    #expect(Array(rows) == [Row(id: 2, title: "z"), Row(id: 3, title: "b"), Row(id: 4, title: "d")])
    #expect(rows.index(id: 4) == 2)
    #expect(rows.index(id: 1) == nil)
  }

  @Test mutating func `change an element without copying what is in it`() {
    rows[id: 2]?.tags = (0..<100).map(String.init)
    let buffer = rows[1].tags.withUnsafeBufferPointer { $0.baseAddress }
    rows[id: 2]?.tags[0] = "changed"
    rows.update(id: 2) { $0.tags[1] = "changed" }
    rows.updateAll { if !$0.tags.isEmpty { $0.tags[2] = "changed" } }
    #expect(rows[1].tags[...3] == ["changed", "changed", "changed", "3"])
    #expect(rows[1].tags.withUnsafeBufferPointer { $0.baseAddress } == buffer)
  }

  @Test mutating func `find an element by the identity it was given`() {
    rows[id: 1]?.id = 7
    rows.update(id: 2) { $0.id = 8 }
    rows.updateAll { $0.id += 100 }
    #expect(Array(rows.ids) == [107, 108, 103])
    #expect(rows.index(id: 108) == 1)
    #expect((rows[id: 1] == nil, rows[id: 7] == nil, rows[id: 8] == nil) == (true, true, true))
  }

  @Test mutating func `are put over what is there, or at the end`() {
    let replaced = [rows.upsert(Row(id: 2, title: "new")), rows.upsert(Row(id: 5))]
    #expect(replaced == [Row(id: 2, title: "a"), nil])
    rows.upsert(contentsOf: [Row(id: 6), Row(id: 1, title: "first")])
    #expect(Array(rows.ids) == [1, 2, 3, 5, 6])
    #expect(rows[id: 1]?.title == "first")
  }

  @Test mutating func `are inserted once`() {
    let inserted = [
      rows.insert(Row(id: 4), at: 1), rows.insert(Row(id: 4), at: 0), rows.insert(Row(id: 5), at: 4),
    ]
    #expect(inserted == [true, false, true])
    #expect(Array(rows.ids) == [1, 4, 2, 3, 5])
    #expect(rows.index(id: 3) == 3)
  }

  @Test(arguments: [
    (1, 2, [2, 3, 1]), (3, 0, [3, 1, 2]), (2, 1, [1, 2, 3]), (2, 99, [1, 3, 2]), (2, -1, [2, 1, 3]),
  ])
  func `are moved to a position`(id: Int, target: Int, order: [Int]) {
    var rows = rows
    rows.move(id: id, to: target)
    #expect(Array(rows.ids) == order)
    #expect(order.map { rows.index(id: $0) } == [0, 1, 2])
  }

  @Test(arguments: [(1, 3, [2, 1, 3], [2, 3, 1]), (3, 1, [3, 1, 2], [1, 3, 2]), (2, 2, [1, 2, 3], [1, 2, 3])])
  func `are moved beside another`(id: Int, other: Int, before: [Int], after: [Int]) {
    var (one, two) = (rows, rows)
    one.move(id: id, before: other)
    two.move(id: id, after: other)
    #expect(Array(one.ids) == before)
    #expect(Array(two.ids) == after)
  }

  @Test mutating func `stay when there is nothing to move`() {
    let before = rows
    rows.move(id: 9, to: 0)
    rows.move(id: 1, before: 9)
    rows.move(id: 9, after: 1)
    #expect(rows == before)
  }

  @Test mutating func `are removed`() {
    let removed = [rows.remove(id: 1), rows.remove(id: 1)]
    #expect(removed.map { $0?.title } == ["c", nil])
    #expect(rows.index(id: 3) == 1)
    rows.removeAll { $0.title == "a" }
    #expect(Array(rows.ids) == [3])
    rows.removeAll()
    #expect(rows.isEmpty)
    #expect(rows.index(id: 3) == nil)
  }

  @Test mutating func `are sorted, and found afterwards`() {
    struct Unsortable: Error {}
    rows.sort()
    #expect(Array(rows.ids) == [2, 3, 1])
    rows.sort { $0.id > $1.id }
    #expect(Array(rows.ids) == [3, 2, 1])
    rows.sort(by: \.title)
    #expect(Array(rows.ids) == [2, 3, 1])
    #expect(throws: Unsortable.self) {
      try rows.sort { left, right in
        if left.id == 1 || right.id == 1 { throw Unsortable() }
        return left.id > right.id
      }
    }
    for id in 1...3 { #expect(rows[id: id]?.id == id) }
  }

  @Test func `are equal when elements and order are`() {
    var other = rows
    #expect((rows == other, rows.hashValue == other.hashValue) == (true, true))
    other.move(id: 1, to: 2)
    #expect(rows != other)
  }

  @Test func `read like an array`() {
    let numbers: Entities<Row> = [Row(id: 1)]
    #expect("\(numbers)" == "\([Row(id: 1)])")
    #expect(Mirror(reflecting: numbers).children.count == 1)
  }

  /// Each operation does to the entities what it does to an array that is searched.
  @Test(arguments: 1...20) func `agree with an array whatever is done`(seed: UInt64) {
    var random = Random(state: seed)
    var (rows, model): (Entities<Row>, [Row]) = ([], [])
    for step in 0..<400 {
      let (id, position) = (Int(random.next() % 24), Int(random.next() % 24))
      let row = Row(id: id, title: "\(step)")
      let index = model.firstIndex { $0.id == id }
      switch random.next() % 9 {
      case 0, 1:
        rows.upsert(row)
        if let index { model[index] = row } else { model.append(row) }
      case 2:
        rows.remove(id: id)
        if let index { model.remove(at: index) }
      case 3:
        rows[id: id]?.title = "!"
        if let index { model[index].title = "!" }
      case 4:
        rows.move(id: id, to: position)
        if let index {
          let moved = model.remove(at: index)
          model.insert(moved, at: min(position, model.count))
        }
      case 5:
        rows.sort(by: \.id)
        model.sort { $0.id < $1.id }
      case 6:
        let target = min(position, model.count)
        rows.insert(row, at: target)
        if index == nil { model.insert(row, at: target) }
      case 7:
        rows.removeAll { $0.id % 7 == id % 7 }
        model.removeAll { $0.id % 7 == id % 7 }
      default:
        rows[id: id] = nil
        if let index { model.remove(at: index) }
      }
      #expect(Array(rows) == model)
      for (index, row) in model.enumerated() { #expect(rows.index(id: row.id) == index) }
      #expect((0..<24).filter { rows.contains(id: $0) }.count == model.count)
    }
  }

  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
  }

  @Test(arguments: [0, 1, 2]) func `trap at an identity that another has`(kind: Int) async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [kind] in
      var rows: Entities<Row> = [Row(id: 1), Row(id: 2)]
      switch kind {
      case 0: rows[id: 1]?.id = 2
      case 1: rows.update(id: 1) { $0.id = 2 }
      default: rows[id: 3] = Row(id: 2)
      }
    }
    let sentence =
      kind == 2
      ? "an element is set for the identity of another" : "an element was given the identity of another"
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains(sentence))
  }
}
