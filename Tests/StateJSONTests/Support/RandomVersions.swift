import TestSupport

@testable import StateJSON

/// Small random values that have much in common, and random edits of them.
struct RandomVersions {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private static let keys = ["a", "b", "c", "d", "~/", "é", "e\u{301}", ""]
  private static let numbers = ["0", "-0", "1", "1.0", "10e-1", "2", "-3.50", "1e2", "100"]

  mutating func scalar() -> JSONValue {
    switch random.below(6) {
    case 0: .null
    case 1: .bool(random.oneIn(2))
    case 2: .string(random.pick(["", "x", "é", "e\u{301}", "\u{1}\"\\"]))
    default: .number(JSONNumber(unchecked: random.pick(Self.numbers)))
    }
  }

  mutating func value(depth: Int = 3) -> JSONValue {
    guard depth > 0, !random.oneIn(3) else { return scalar() }
    switch random.below(4) {
    case 0: return .array((0..<random.below(6)).map { _ in value(depth: depth - 1) })
    case 1: return .array((0..<random.below(8)).map { _ in scalar() })
    case 2: return keyedArray(depth: depth)
    default:
      var object = JSONObject()
      for _ in 0..<random.below(6) { object.append(random.pick(Self.keys), value(depth: depth - 1)) }
      return .object(object)
    }
  }

  /// An array whose elements have ids, nearly always unique ones.
  mutating func keyedArray(depth: Int) -> JSONValue {
    let ids = (1...7).shuffled(using: &random).prefix(random.below(6))
    return .array(ids.map { element(id: random.oneIn(40) ? 1 : $0, depth: depth) })
  }

  /// A version of a value with some edits in it.
  mutating func edited(_ value: JSONValue, depth: Int = 3) -> JSONValue {
    if random.oneIn(12) { return self.value(depth: depth) }
    if random.oneIn(3) { return value }
    switch value {
    case .number(let number):
      guard random.oneIn(2) else { return scalar() }
      // The same value in another notation.
      return .number(JSONNumber(unchecked: number.literal.contains("e") ? "\(number.literal)" : "\(number.literal)e0"))
    case .array(let elements): return .array(edited(elements, depth: depth))
    case .object(let object): return .object(edited(object, depth: depth))
    default: return scalar()
    }
  }

  private mutating func edited(_ elements: [JSONValue], depth: Int) -> [JSONValue] {
    var result = elements
    for _ in 0..<random.below(3) {
      switch random.below(5) {
      case 0 where !result.isEmpty: result.remove(at: random.below(result.count))
      case 1: result.insert(sibling(of: elements, depth: depth), at: random.below(result.count + 1))
      case 2 where random.oneIn(3): result.shuffle(using: &random)
      case _ where !result.isEmpty:
        let index = random.below(result.count)
        result[index] = edited(result[index], depth: depth - 1)
      default: break
      }
    }
    return result
  }

  private mutating func edited(_ object: JSONObject, depth: Int) -> JSONObject {
    var members = Array(object.members)
    for _ in 0..<random.below(3) {
      switch random.below(5) {
      case 0 where !members.isEmpty: members.remove(at: random.below(members.count))
      case 1 where random.oneIn(3): members.shuffle(using: &random)
      case 2:
        let member = JSONObject.Member(key: random.pick(Self.keys), value: value(depth: depth - 1))
        members.insert(member, at: random.below(members.count + 1))
      case _ where !members.isEmpty:
        let index = random.below(members.count)
        if members[index].key != "id" { members[index].value = edited(members[index].value, depth: depth - 1) }
      default: break
      }
    }
    var result = JSONObject()
    for member in members { result.append(member.key, member.value) }
    return result
  }

  private mutating func sibling(of elements: [JSONValue], depth: Int) -> JSONValue {
    guard case .object(let object)? = elements.first, object["id"] != nil else { return value(depth: depth - 1) }
    return element(id: 1 + random.below(20), depth: depth)
  }

  private mutating func element(id: Int, depth: Int) -> JSONValue {
    var object = JSONObject()
    object.append("id", .number(JSONNumber(id)))
    for _ in 0..<random.below(3) { object.append(random.pick(Self.keys), value(depth: depth - 2)) }
    return .object(object)
  }
}

extension JSONValue {
  /// A deep copy that shares no storage, as another parse would give.
  var unshared: JSONValue {
    switch self {
    case .array(let elements): return .array(elements.map(\.unshared))
    case .object(let object):
      var copy = JSONObject()
      for member in object.members { copy.append(member.key, member.value.unshared) }
      return .object(copy)
    default: return self
    }
  }

  /// All scalars in it, as they are written.
  var literals: Set<String> {
    switch self {
    case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.literals) }
    case .object(let object): object.members.reduce(into: []) { $0.formUnion($1.value.literals) }
    default: ["\(self)"]
    }
  }
}
