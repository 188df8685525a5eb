/// The members of a JSON object, in the order of the text, each key once.
///
/// Keys are compared by Unicode scalars, so that `"é"` in its composed and its decomposed form are two keys, as JSON
/// has it. Lookup takes constant time in large objects and a short scan in small ones.
public struct JSONObject: Sendable {
  /// A key with its value.
  public struct Member: Sendable {
    /// The key, unescaped.
    public let key: String
    /// What stands for the key.
    public var value: JSONValue

    /// Makes a member of its parts.
    public init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// Below this many members a scan is faster than a hash table, and takes no memory.
  private static let indexThreshold = 16

  /// The members in their order.
  public private(set) var members: [Member] = []
  /// Positions by key, as they were before the last ``removals``; empty while the object is small.
  private var positions: [ScalarString: Int] = [:]
  /// How many members were removed since the positions were noted: each has since moved by so many at most.
  private var removals = 0
  /// Noting all positions takes long; so does looking for a member around its own.
  private static let removalLimit = 256

  /// Makes an object without members.
  public init() {}

  /// An object of members that are known to have a key each of their own.
  init(unique members: [Member]) {
    self.members = members
    reindex()
  }

  /// How many members there are.
  public var count: Int { members.count }
  /// Whether there are no members.
  public var isEmpty: Bool { members.isEmpty }

  /// The position of a key in ``members``.
  public func index(forKey key: String) -> Int? {
    if positions.isEmpty {
      return members.indices.first { members[$0].key.hasSameScalars(as: key) }
    }
    guard let noted = positions[ScalarString(key)] else { return nil }
    if removals == 0 { return noted }
    let last = min(noted, members.count - 1)
    return members[max(noted - removals, 0)...last].lastIndex { $0.key.hasSameScalars(as: key) }
  }

  /// The value of a key. Setting a new key appends a member; setting `nil` removes the member.
  public subscript(key: String) -> JSONValue? {
    get { index(forKey: key).map { members[$0].value } }
    set {
      guard let newValue else {
        removeValue(forKey: key)
        return
      }
      if let index = index(forKey: key) {
        members[index].value = newValue
      } else {
        append(key, newValue)
      }
    }
    _modify {
      var value = index(forKey: key).map { exchangeValue(at: $0, with: .null) }
      defer { self[key] = value }
      yield &value
    }
  }

  /// Appends a member whose key must not be there yet; returns whether it wasn't.
  @discardableResult
  public mutating func append(_ key: String, _ value: JSONValue) -> Bool {
    insert(key, value, at: members.count)
  }

  /// Inserts a member before position `index`; returns `false`, and does nothing, if the key is there already.
  @discardableResult
  public mutating func insert(_ key: String, _ value: JSONValue, at index: Int) -> Bool {
    guard self.index(forKey: key) == nil else { return false }
    members.insert(Member(key: key, value: value), at: index)
    if !positions.isEmpty && index == members.count - 1 {
      positions[ScalarString(key)] = index
    } else {
      reindex()
    }
    return true
  }

  /// Removes a member, keeping the order of the others; returns its value.
  @discardableResult
  public mutating func removeValue(forKey key: String) -> JSONValue? {
    guard let index = index(forKey: key) else { return nil }
    let removed = members.remove(at: index)
    if positions.isEmpty || removals == Self.removalLimit || members.count <= Self.indexThreshold {
      reindex()
    } else {
      positions[ScalarString(key)] = nil
      removals += 1
    }
    return removed.value
  }

  /// Replaces the value at a position of ``members`` and returns the old one, so that it can be changed in place.
  mutating func exchangeValue(at index: Int, with value: JSONValue) -> JSONValue {
    var value = value
    swap(&members[index].value, &value)
    return value
  }

  private mutating func reindex() {
    removals = 0
    guard members.count > Self.indexThreshold else {
      positions = [:]
      return
    }
    positions.removeAll(keepingCapacity: true)
    for (index, member) in members.enumerated() { positions[ScalarString(member.key)] = index }
  }
}

/// A string that is equal only to a string of the same Unicode scalars, where `String` compares canonical equivalents
/// as equal.
struct ScalarString: Hashable, Sendable {
  let string: String

  init(_ string: String) { self.string = string }

  static func == (left: Self, right: Self) -> Bool { left.string.hasSameScalars(as: right.string) }

  func hash(into hasher: inout Hasher) {
    var copy = string
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// Whether both strings consist of the same Unicode scalars; `==` would also accept canonical equivalents.
  func hasSameScalars(as other: String) -> Bool {
    let (left, right) = (utf8, other.utf8)
    guard left.count == right.count else { return false }
    // Nearly all keys are contiguous; comparing bytes takes a fraction of what an iterator over each does.
    let areEqual = left.withContiguousStorageIfAvailable { left in
      right.withContiguousStorageIfAvailable { right in left.indices.allSatisfy { left[$0] == right[$0] } }
    }
    return (areEqual ?? nil) ?? left.elementsEqual(right)
  }
}
