import StateJSON
import TestSupport
import Testing

/// The laws of the typed dump merge on random states, and documents in which somebody else has been.
@Suite struct CodableReconcilingLawTests {
  struct State: Codable, Equatable {
    var count: Int
    var ratio: Double?
    var items: [Item]
    var plain: [Int]
    var lists: [[Cell]]
    var tags: Set<String>
    var cells: Set<Cell>
    var byName: [String: Item]
    var byNumber: [Int: Bool]
    var byCell: [Cell: Item]
    var byTags: [Set<Int>: Set<Int>]
    var nested: [Set<Set<Int>>]
    var route: Route
  }

  struct Item: Codable, Hashable {
    var id: Int
    var title: String?
    var marks: Set<Int>
    var cells: [Cell]
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `the result decodes to the new state and keeps foreign keys`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<150 {
      let before = State.random(&random)
      let after = before.changed(&random)
      let old = try JSONValueEncoder().dump(before)
      let new = try JSONValueEncoder().dump(after)
      let document = old.value.touched(&random, old.unordered)
      let comment: Comment = "seed \(seed), round \(round)"
      try #require(JSONValueDecoder().decode(State.self, from: document) == before, comment)

      let result = document.reconciled(from: old, to: new)
      #expect(try JSONValueDecoder().decode(State.self, from: result) == after, comment)
      #expect(document.reconciled(from: old, to: old).isIdentical(to: document), comment)
      guard case .object(let root) = document, case .object(let resultRoot) = result else { throw Unexpected() }
      for member in root.members where member.key.hasPrefix("theirs") {
        #expect(resultRoot[member.key] == member.value, comment)
      }
    }
  }

  @Test(arguments: [6, 7] as [UInt64])
  func `a text becomes what its value does, wherever the one change is`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<100 {
      let before = State.random(&random)
      var after = before
      switch random.below(5) {
      case 0: after.count += 1
      case 1: after.ratio = 0.5
      case 2: if !after.items.isEmpty { after.items[random.below(after.items.count)].title = "changed" }
      case 3: if !after.lists.isEmpty { after.lists[random.below(after.lists.count)].append(.random(&random)) }
      default: after.byName["x", default: .random(&random)].marks.insert(9)
      }
      let old = try JSONValueEncoder().dump(before)
      let new = try JSONValueEncoder().dump(after)
      let document = JSONDocument(formatting: old.value.touched(&random, old.unordered))
      let result = document.reconciled(from: old, to: new)
      let comment: Comment = "seed \(seed), round \(round)"
      #expect(try JSONValueDecoder().decode(State.self, from: result) == after, comment)
      let expected = document.replacingValue(with: document.value.reconciled(from: old, to: new))
      #expect(result.bytes == expected.bytes, comment)
    }
  }

  @Test func `foreign keys of elements that stay survive`() throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<100 {
      var state = State.random(&random)
      state.items = (0..<5).map { Item(id: $0, title: "\($0)", marks: [], cells: []) }
      let old = try JSONValueEncoder().dump(state)
      guard case .object(var document) = old.value, case .array(var items)? = document["items"] else {
        throw Unexpected()
      }
      for index in items.indices {
        guard case .object(var item) = items[index] else { throw Unexpected() }
        item.append("theirs", .number(JSONNumber(index)))
        items[index] = .object(item)
      }
      document["items"] = .array(items)
      state.items.shuffle(using: &random)
      state.items.removeLast(random.below(4))
      state.items[0].title = "changed"
      let result = try JSONValue.object(document).reconciled(from: old, to: JSONValueEncoder().dump(state))
      struct Theirs: Decodable { var items: [[String: JSONValue]] }
      let found = try JSONValueDecoder().decode(Theirs.self, from: result).items.map { $0["theirs"] }
      #expect(found == state.items.map { .number(JSONNumber($0.id)) })
    }
  }
}

extension CodableReconcilingLawTests.State {
  static func random(_ random: inout SplitMix64) -> Self {
    let count = random.below(100)
    return Self(
      count: count, ratio: random.oneIn(2) ? nil : Double(random.below(1000)) / 7, items: .random(&random),
      plain: (0..<random.below(6)).map { _ in random.below(4) },
      lists: (0..<random.below(3)).map { _ in (0..<random.below(4)).map { _ in .random(&random) } },
      tags: Set((0..<random.below(5)).map { _ in random.pick(["a", "b", "é", "long", ""]) }),
      cells: Set((0..<random.below(5)).map { _ in .random(&random) }),
      byName: .init(
        (0..<random.below(4)).map { _ in (random.pick(["x", "y", "z/~"]), .random(&random)) }, uniquingKeysWith: { $1 }),
      byNumber: .init((0..<random.below(4)).map { _ in (random.below(5), random.oneIn(2)) }, uniquingKeysWith: { $1 }),
      byCell: .init((0..<random.below(4)).map { _ in (.random(&random), .random(&random)) }, uniquingKeysWith: { $1 }),
      byTags: .init(
        (0..<random.below(4)).map { _ in (.random(&random), .random(&random)) }, uniquingKeysWith: { $1 }),
      nested: (0..<random.below(3)).map { _ in Set((0..<random.below(3)).map { _ in .random(&random) }) },
      route: random.oneIn(2) ? .list : .details(id: random.below(3), tab: random.oneIn(2) ? nil : "t"))
  }

  /// Some of the fields of another state, and some elements moved, changed, gone or new.
  func changed(_ random: inout SplitMix64) -> Self {
    let other = Self.random(&random)
    var state = self
    if random.oneIn(3) { state.count = other.count }
    if random.oneIn(3) { state.ratio = other.ratio }
    if random.oneIn(3) { state.items = other.items }
    if random.oneIn(2) { state.items.shuffle(using: &random) }
    if random.oneIn(2), let index = state.items.indices.randomElement(using: &random) {
      state.items[index].title = "changed"
      state.items[index].marks.insert(random.below(9))
      state.items[index].cells.append(.random(&random))
    }
    if random.oneIn(3) { state.plain.insert(random.below(4), at: random.below(state.plain.count + 1)) }
    if random.oneIn(3), !state.plain.isEmpty { state.plain.remove(at: random.below(state.plain.count)) }
    if random.oneIn(3) { state.lists = other.lists }
    if random.oneIn(3), !state.lists.isEmpty { state.lists[0].append(.random(&random)) }
    if random.oneIn(3) { state.tags.formSymmetricDifference(other.tags) }
    if random.oneIn(3) { state.cells.formSymmetricDifference(other.cells) }
    if random.oneIn(3) { state.byName.merge(other.byName) { $1 } }
    if random.oneIn(3), let key = state.byName.keys.min() { state.byName[key] = nil }
    if random.oneIn(3) { state.byNumber = other.byNumber }
    if random.oneIn(3) { state.byCell.merge(other.byCell) { $1 } }
    if random.oneIn(3) { state.byTags.merge(other.byTags) { $1 } }
    if random.oneIn(3) { state.nested += other.nested }
    if random.oneIn(3) { state.route = other.route }
    return state
  }
}

extension [CodableReconcilingLawTests.Item] {
  /// Ids are unique half of the time.
  static func random(_ random: inout SplitMix64) -> Self {
    var items = (0..<random.below(5)).map { _ in Element.random(&random) }
    if random.oneIn(2) { for index in items.indices { items[index].id = index } }
    return items
  }
}

extension CodableReconcilingLawTests.Item {
  static func random(_ random: inout SplitMix64) -> Self {
    Self(
      id: random.below(3), title: random.oneIn(2) ? nil : "title", marks: .random(&random),
      cells: (0..<random.below(3)).map { _ in .random(&random) })
  }
}

extension Set<Int> {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    Set((0..<random.below(4)).map { _ in random.below(4) })
  }
}

extension Cell {
  fileprivate static func random(_ random: inout SplitMix64) -> Self {
    Cell(x: random.below(3), y: random.oneIn(2) ? nil : random.below(2))
  }
}

extension JSONValue {
  /// The same to whoever reads the types it came from: foreign keys in objects that aren't dictionaries, members and
  /// what has no order shuffled, other literals, `null` for what is missing.
  func touched(_ random: inout SplitMix64, _ places: UnorderedPlaces, key: String = "") -> JSONValue {
    switch self {
    case .number(let number):
      guard random.oneIn(3), let integer = number.exactly(Int.self) else { return self }
      return JSONNumber("\(integer).0").map { .number($0) } ?? self
    case .array(let elements):
      let touched = elements.enumerated().map { index, element in
        element.touched(&random, places["\(index)"], key: "element")
      }
      let width = places.form == .pairs ? 2 : 1
      let starts = stride(from: 0, to: touched.count, by: width)
      guard places.form != nil else { return .array(touched) }
      return .array(starts.shuffled(using: &random).flatMap { touched[$0..<$0 + width] })
    case .object(let object):
      var members = object.members.map { member in
        JSONObject.Member(
          key: member.key, value: member.value.touched(&random, places[member.key], key: member.key))
      }
      if random.oneIn(2) { members.shuffle(using: &random) }
      // A dictionary would take a foreign key for one of its own, and an enum has just one key.
      if !["byName", "byNumber", "route"].contains(key), random.oneIn(2) {
        let value = random.oneIn(2) ? JSONValue.null : .object(object)
        members.insert(.init(key: "theirs \(random.below(9))", value: value), at: random.below(members.count + 1))
      }
      var touched = JSONObject()
      for member in members { touched.append(member.key, member.value) }
      if random.oneIn(4), key == "", touched["ratio"] == nil { touched.append("ratio", .null) }
      return .object(touched)
    default: return self
    }
  }
}
