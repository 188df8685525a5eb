import StateJSON
import TestSupport

/// Small random documents, and random edits of them.
struct RandomDocuments {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private static let keys = ["p", "q", "r", "s", "~/", "é", "e\u{301}"]
  private static let idKeys = ["id", "id", "_id", "uuid", "key"]
  private static let numbers = ["0", "-0", "1", "1.0", "10e-1", "2", "-7", "1.50"].compactMap { JSONNumber($0) }

  mutating func scalar() -> JSONValue {
    switch random.below(6) {
    case 0: .null
    case 1: .bool(random.oneIn(2))
    case 2: .string(random.pick(["a", "b", "", "é", "e\u{301}"]))
    default: .number(random.pick(Self.numbers))
    }
  }

  mutating func document(depth: Int = 0) -> JSONValue {
    guard depth < 3 else { return scalar() }
    switch random.below(20) {
    case 0..<7: return scalar()
    case 7..<12:
      var object = JSONObject()
      for _ in 0..<random.below(4) { object.append(random.pick(Self.keys), document(depth: depth + 1)) }
      return .object(object)
    case 12..<15: return .array((0..<random.below(4)).map { _ in document(depth: depth + 1) })
    default: return keyedList(depth: depth)
    }
  }

  private mutating func keyedList(depth: Int) -> JSONValue {
    let key = random.pick(Self.idKeys)
    return .array(
      (0..<8).shuffled(using: &random).prefix(random.below(5)).map { id in
        var element = JSONObject()
        element.append(key, self.id(id))
        for _ in 0..<random.below(3) { element.append(random.pick(["p", "q"]), document(depth: depth + 1)) }
        return .object(element)
      })
  }

  /// An id in one of its notations.
  private mutating func id(_ number: Int) -> JSONValue {
    switch random.below(12) {
    case 0: .number(JSONNumber("\(number).0") ?? JSONNumber(number))
    case 1: .string("\(number)")
    default: .number(JSONNumber(number))
    }
  }

  // MARK: Edits

  mutating func edited(_ value: JSONValue) -> JSONValue {
    (0...random.below(3)).reduce(value) { value, _ in editedOnce(value) }
  }

  private mutating func editedOnce(_ value: JSONValue, depth: Int = 0) -> JSONValue {
    guard !random.oneIn(12) else { return document(depth: depth) }
    switch value {
    case .object(let object): return .object(editedOnce(object, depth: depth))
    case .array(let elements):
      let key = Self.idKeys.first { key in !elements.isEmpty && elements.allSatisfy { $0.member(key) != nil } }
      if let key, !random.oneIn(7) { return .array(editedOnce(elements, key: key, depth: depth)) }
      return .array(editedOnce(elements, depth: depth))
    default: return document(depth: depth)
    }
  }

  private mutating func editedOnce(_ object: JSONObject, depth: Int) -> JSONObject {
    var object = object
    let key = object.isEmpty ? nil : random.pick(object.keys)
    switch (random.below(5), key) {
    case (0..<3, let key?): object[key] = object[key].map { editedOnce($0, depth: depth + 1) }
    case (3, let key?): object[key] = nil
    default: object[random.pick(Self.keys)] = document(depth: depth + 1)
    }
    return object
  }

  private mutating func editedOnce(_ elements: [JSONValue], depth: Int) -> [JSONValue] {
    var elements = elements
    switch random.below(10) {
    case 0..<4: elements.insert(document(depth: depth + 1), at: random.below(elements.count + 1))
    case 4..<6 where !elements.isEmpty: elements.remove(at: random.below(elements.count))
    case 6: elements.shuffle(using: &random)
    case _ where !elements.isEmpty:
      let place = random.below(elements.count)
      elements[place] = editedOnce(elements[place], depth: depth + 1)
    default: break
    }
    return elements
  }

  /// Edits a list whose elements a member tells apart, sometimes so that it doesn't any more.
  mutating func editedOnce(_ elements: [JSONValue], key: String, depth: Int = 0) -> [JSONValue] {
    var elements = elements
    switch random.below(100) {
    case 0..<30:
      let taken = Set(elements.compactMap { $0.member(key).flatMap(ElementIdentity.init) })
      let free = (0..<12).filter { !taken.contains(.integer($0)) }
      elements.insert(
        [key: id(random.pick(free)), "p": scalar()] as JSONValue, at: random.below(elements.count + 1))
    case 30..<50: elements.remove(at: random.below(elements.count))
    case 50..<65: elements.shuffle(using: &random)
    case 65..<68: elements.append([key: random.pick(elements).member(key) ?? 0, "p": 9])
    case 68..<72: elements.append(["p": "no key"])
    default:
      let place = random.below(elements.count)
      guard case .object(var element) = elements[place] else { break }
      let member = random.pick(["p", "q", "x"])
      element[member] = element[member].map { editedOnce($0, depth: depth + 1) } ?? scalar()
      elements[place] = .object(element)
    }
    return elements
  }

  // MARK: Tables

  /// A list of like elements.
  mutating func table() -> [JSONValue] {
    (0..<6).shuffled(using: &random).prefix(1 + random.below(4)).map { id in
      [
        "id": .number(JSONNumber(id)), "t": .string(random.pick(["a", "b", "c"])),
        "v": .number(JSONNumber(random.below(4))),
      ]
    }
  }

  mutating func editedTable(_ elements: [JSONValue]) -> [JSONValue] {
    elements.isEmpty ? table() : editedOnce(elements, key: "id")
  }
}

extension JSONValue {
  /// A member of an object.
  func member(_ key: String) -> JSONValue? { if case .object(let object) = self { object[key] } else { nil } }

  /// A deep copy that shares no storage, as another parse would give.
  var unshared: JSONValue {
    switch self {
    case .array(let elements): return .array(elements.map(\.unshared))
    case .object(let object):
      return .object(
        object.members.reduce(into: JSONObject()) { $0.append($1.key, $1.value.unshared) })
    default: return self
    }
  }
}
