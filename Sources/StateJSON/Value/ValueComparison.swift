/// Compares values, and remembers what it has found out about their subtrees.
///
/// Who goes down two values together compares their members, then the members of these, and so on: without a memory
/// that takes time in the depth times the size, with it in the size. Containers are told apart by the addresses of
/// their storage, so all values must be alive as long as this is.
struct ValueComparison {
  private struct Pair: Hashable {
    let left: UnsafeRawPointer
    let right: UnsafeRawPointer

    /// `nil` unless both are containers that aren't empty.
    init?(_ left: JSONValue, _ right: JSONValue) {
      guard let left = left.storage, let right = right.storage else { return nil }
      (self.left, self.right) = (left, right)
    }
  }

  // Only pairs that differ, which lie on the way to a difference: who finds no difference doesn't go down any further.
  private var unequal: Set<Pair> = []
  private var unidentical: Set<Pair> = []
  private var hashes: [UnsafeRawPointer: Int] = [:]

  /// Whether two values are equal, as by `==`.
  mutating func areEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
    guard let pair = Pair(left, right) else { return left == right }
    guard pair.left != pair.right else { return true }
    guard left.count == right.count, !unequal.contains(pair) else { return false }
    let result =
      switch (left, right) {
      case (.array(let left), .array(let right)):
        zip(left, right).allSatisfy { areEqual($0, $1) }
      case (.object(let left), .object(let right)):
        left.hasSameKeys(as: right)
          ? zip(left.values, right.values).allSatisfy { areEqual($0, $1) }
          : left.members.allSatisfy { member in right[member.key].map { areEqual(member.value, $0) } ?? false }
      default: false
      }
    if !result { unequal.insert(pair) }
    return result
  }

  /// Whether two values would be written as the same bytes, as by ``JSONValue/isIdentical(to:)``; both may be missing.
  mutating func areIdentical(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return areIdentical(left, right)
  }

  private mutating func areIdentical(_ left: JSONValue, _ right: JSONValue) -> Bool {
    guard let pair = Pair(left, right) else { return left.isIdentical(to: right) }
    guard pair.left != pair.right else { return true }
    guard left.count == right.count, !unidentical.contains(pair) else { return false }
    let result =
      switch (left, right) {
      case (.array(let left), .array(let right)):
        areIdentical(left, right)
      case (.object(let left), .object(let right)):
        left.hasSameKeys(as: right) && areIdentical(left.values, right.values)
      default: false
      }
    if !result { unidentical.insert(pair) }
    return result
  }

  /// The same of arrays that have as many elements. By their indices: with `zip` a difference costs half as much again.
  private mutating func areIdentical(_ left: [JSONValue], _ right: [JSONValue]) -> Bool {
    for index in left.indices where !areIdentical(left[index], right[index]) { return false }
    return true
  }

  /// A hash that equal values share.
  mutating func hash(_ value: JSONValue) -> Int {
    guard let storage = value.storage else { return value.hashValue }
    if let known = hashes[storage] { return known }
    var hasher = Hasher()
    switch value {
    case .array(let elements):
      for element in elements { hasher.combine(hash(element)) }
    case .object(let object):
      // A sum, because the order must not matter.
      let sum = object.members.reduce(0) { sum, member in
        var hasher = Hasher()
        hasher.combine(ScalarString(member.key))
        hasher.combine(hash(member.value))
        return sum &+ hasher.finalize()
      }
      hasher.combine(sum)
    default: break
    }
    let result = hasher.finalize()
    hashes[storage] = result
    return result
  }
}

extension JSONValue {
  /// Whether two containers are one in memory, and so the same value, which a change in place has left alone. Empty ones
  /// never are, nor are scalars.
  package func sharesStorage(with other: JSONValue) -> Bool { storage.map { $0 == other.storage } ?? false }

  /// An address in what a container holds; `nil` for scalars, and for empty containers, which all share one.
  ///
  /// Containers of the same storage are the same value, since it is copied before it is changed; that of an object is changed
  /// together with its keys. An array may hold just what an object holds, so the object's address is within its first value.
  var storage: UnsafeRawPointer? {
    switch self {
    case .array(let elements) where !elements.isEmpty: elements.withUnsafeBytes { $0.baseAddress }
    case .object(let object) where !object.isEmpty: object.values.withUnsafeBytes { $0.baseAddress.map { $0 + 1 } }
    default: nil
    }
  }

  fileprivate var count: Int {
    switch self {
    case .array(let elements): elements.count
    case .object(let object): object.count
    default: 0
    }
  }
}
