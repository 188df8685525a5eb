import StateJSON
import TestSupport

@testable import HotReload

/// Makes saves of random documents by writers whose intent is known: who replaces the file, who brings a version back, two
/// who save past each other, and one who saves twice.
///
/// It has nothing in common with ``SaveGenerator``, neither documents nor changes.
struct WriterGenerator {
  enum Intent: CaseIterable {
    /// A document takes the file's place: an empty one, one of another program, or another one of this program's.
    case replacement
    /// An older version comes back, its members in another order.
    case restore
    /// Two writers have the same version; the one saves, maybe more than once, and then the other. Both set and add, what nobody
    /// else does.
    case crossing
    /// A writer saves twice, and takes back in the second save a part of what the first one changed, or removes it.
    case twice
  }

  /// What was saved, over what, and what the file is to hold then.
  struct Save {
    let history: VersionHistory
    let value: JSONValue
    let expected: JSONValue
  }

  var random: SplitMix64
  private var serial = 0
  /// Whether everything set is new, so that no two changes are the same.
  private var isDistinct = false
  private var removes = true

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  // MARK: What writers mean

  mutating func save(_ intent: Intent) -> Save {
    switch intent {
    case .replacement: return replacement()
    case .restore: return restore()
    case .crossing:
      isDistinct = true
      defer { (isDistinct, removes) = (false, true) }
      return crossing()
    case .twice: return twice()
    }
  }

  private mutating func replacement() -> Save {
    let shape = shape()
    let history = history(of: shape)
    var save = history.value
    repeat {
      switch random.below(6) {
      case 0: save = random.pick([[:], [], .null, 0, "", false])
      case 1: save = document(of: self.shape(), elements: 1)
      case 2: save = document(of: self.shape(), elements: 30)
      case 3: save = document(of: shape)
      default: save = document(of: self.shape())
      }
    } while history.entries.indices.contains { history.value(at: $0) == save }
    return Save(history: history, value: save, expected: save)
  }

  private mutating func restore() -> Save {
    while true {
      let history = history(of: shape())
      let index = 1 + random.below(history.entries.count - 1)
      let save = history.value(at: index)
      if save == history.value { continue }
      return Save(history: history, value: shuffled(save), expected: save)
    }
  }

  private mutating func crossing() -> Save {
    while true {
      removes = true
      var builder = builder(of: shape())
      guard let loaded = builder.value else { preconditionFailure("there is a version") }
      removes = false
      var mine = loaded
      for _ in 0...random.below(3) {
        mine = edited(mine, changes: 1 + random.below(3))
        append(merged(loaded, builder.value ?? loaded, mine), .edit, to: &builder)
        if random.oneIn(4) { append(edited(builder.value ?? loaded, changes: 1), .action, to: &builder) }
      }
      let save = edited(loaded, changes: 1 + random.below(3))
      guard let history = builder.history, save != loaded else { continue }
      return Save(history: history, value: save, expected: merged(loaded, history.value, save))
    }
  }

  private mutating func twice() -> Save {
    while true {
      var builder = builder(of: shape())
      guard let loaded = builder.value else { preconditionFailure("there is a version") }
      let first = edited(loaded, changes: 2 + random.below(3))
      append(first, .edit, to: &builder)
      var save = first
      let changes = JSONPatch(from: first, to: loaded).operations
      guard changes.count > 1, case let back = JSONPatch([random.pick(changes)]), let partly = try? first.applying(back)
      else { continue }
      save = random.oneIn(3) ? without(random.pick(changes).path, in: first) : partly
      if random.oneIn(2) { save = edited(save, changes: 1) }
      guard let history = builder.history, !history.entries.indices.contains(where: { history.value(at: $0) == save })
      else { continue }
      return Save(history: history, value: save, expected: save)
    }
  }

  /// The value without the member at a place that was changed; as it is where that is an element.
  private func without(_ place: JSONPointer, in value: JSONValue) -> JSONValue {
    var result = value
    let parent = JSONPointer(place.tokens.dropLast())
    guard case .object(var object)? = value[parent], object.count > 2, let key = place.tokens.last else { return value }
    object[key] = nil
    return (try? result.set(.object(object), at: parent)) == nil ? value : result
  }

  private func merged(_ base: JSONValue, _ left: JSONValue, _ right: JSONValue) -> JSONValue {
    JSONMerge(base: base, left: left, right: right, newer: .right).value
  }

  // MARK: Versions

  private mutating func builder(of shape: Shape) -> VersionHistoryBuilder {
    var builder = VersionHistoryBuilder()
    var value = document(of: shape)
    for _ in 0...random.below(20) {
      append(value, random.oneIn(5) ? .edit : .action, to: &builder)
      value = edited(value, changes: random.oneIn(8) ? 6 : 1 + random.below(2))
    }
    return builder
  }

  private mutating func history(of shape: Shape) -> VersionHistory {
    var builder = builder(of: shape)
    guard let value = builder.value else { preconditionFailure("there is a version") }
    append(edited(value, changes: 1), .action, to: &builder)
    guard let history = builder.history else { preconditionFailure("there is a version") }
    return history
  }

  private mutating func append(_ value: JSONValue, _ cause: Version.Cause, to builder: inout VersionHistoryBuilder) {
    serial += 1
    let version = Version(
      hash: ContentHash(high: 1, low: UInt64(serial)), time: Int64(serial), cause: cause, instance: "i")
    builder.append(version, whole: value, lost: [])
  }

  // MARK: Documents

  /// What a program keeps: sections of settings, records with identities, lists, and tables by name.
  private indirect enum Shape {
    case text, number, flag, words
    case section([(key: String, shape: Shape)])
    case records([(key: String, shape: Shape)])
    case table(Shape)
  }

  private static let keys = [
    "title", "name", "owner", "theme", "zoom", "volume", "muted", "selected", "items", "users", "filters", "layout",
    "panes", "width", "height", "note", "tags", "draft", "cursor", "recent", "bindings", "limit", "offset", "rating",
  ]

  private mutating func shape() -> Shape { .section(members(6 + random.below(6), depth: 2)) }

  private mutating func members(_ count: Int, depth: Int) -> [(key: String, shape: Shape)] {
    Self.keys.shuffled(using: &random).prefix(count).map { ($0, shape(depth: depth)) }
  }

  private mutating func shape(depth: Int) -> Shape {
    switch random.below(depth > 0 ? 9 : 5) {
    case 0, 1: return .text
    case 2, 3: return .number
    case 4: return .flag
    case 5: return .words
    case 6: return .section(members(2 + random.below(4), depth: depth - 1))
    case 7: return .records(members(1 + random.below(3), depth: depth - 1))
    default: return .table(shape(depth: 0))
    }
  }

  private mutating func document(of shape: Shape, elements: Int? = nil) -> JSONValue {
    let count = elements ?? 2 + random.below(6)
    switch shape {
    case .text: return .string(text())
    case .number: return .number(JSONNumber(random.below(1000)))
    case .flag: return .bool(random.oneIn(2))
    case .words: return .array((0..<count).map { _ in .string(text()) })
    case .section(let members):
      return .object(object(members.map { ($0.key, document(of: $0.shape, elements: elements)) }))
    case .records(let members):
      return .array(
        (0..<count).map { _ in
          .object(object([("id", identity())] + members.map { ($0.key, document(of: $0.shape, elements: 1)) }))
        })
    case .table(let shape):
      return .object(object((0..<count).map { _ in (text(), document(of: shape, elements: 1)) }))
    }
  }

  private func object(_ members: [(String, JSONValue)]) -> JSONObject {
    var object = JSONObject()
    for (key, value) in members { object[key] = value }
    return object
  }

  private mutating func text() -> String { "w\(random.below(1 << 20))" }

  private mutating func identity() -> JSONValue { .number(JSONNumber(random.below(1 << 30))) }

  private mutating func shuffled(_ value: JSONValue) -> JSONValue {
    guard case .object(let object) = value else { return value }
    var result = JSONObject()
    for member in object.members.shuffled(using: &random) { result[member.key] = shuffled(member.value) }
    return .object(result)
  }

  // MARK: Changes

  /// The value after so many changes, each somewhere.
  private mutating func edited(_ value: JSONValue, changes: Int) -> JSONValue {
    var result = value
    for _ in 0..<changes { result = changed(result) }
    return result == value ? edited(value, changes: changes) : result
  }

  private mutating func changed(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(var object):
      guard !object.isEmpty, !random.oneIn(8) else {
        object[text()] = document(of: shape(depth: 1), elements: 2)
        return .object(object)
      }
      let member = random.pick(Array(object.members))
      // An identity isn't changed, and a section seldom removed.
      if member.key == "id" { return value }
      if removes, random.oneIn(15), object.count > 2 {
        object[member.key] = nil
      } else {
        object[member.key] = changed(member.value)
      }
      return .object(object)
    case .array(var elements):
      let isOfRecords = elements.contains { if case .object = $0 { true } else { false } }
      switch random.below(4) {
      case 0 where removes && !elements.isEmpty:
        elements.remove(at: random.below(elements.count))
      case 1, 2:
        let element: JSONValue =
          isOfRecords ? ["id": identity(), "title": .string(text()), "done": false] : .string(text())
        elements.insert(element, at: random.below(elements.count + 1))
      default:
        guard !elements.isEmpty else { return value }
        let index = random.below(elements.count)
        elements[index] = changed(elements[index])
      }
      return .array(elements)
    case .string: return .string(text())
    case .number(let number):
      // A counter counts, and anything else is set.
      guard !isDistinct, random.oneIn(2), let old = number.exactly(Int.self) else {
        return .number(JSONNumber(random.below(isDistinct ? 1 << 30 : 1000)))
      }
      return .number(JSONNumber(old + 1))
    // What is set must tell who set it.
    case .bool(let flag): return isDistinct ? .string(text()) : .bool(!flag)
    case .null: return .string(text())
    }
  }
}
