/// The keys of an object in order, each once. Objects that have the same share one list.
///
/// Sendable, since only ``JSONObject`` changes one, and only while it has the only reference to it.
final class JSONKeys: @unchecked Sendable {
  static let none = JSONKeys([])

  /// Below this many keys a scan is faster than a hash table, and takes no memory.
  private static let indexThreshold = 16
  /// Noting all positions takes long; so does looking for a key around its own.
  private static let removalLimit = 256

  private(set) var names: [String]
  /// Positions by key, as they were before the last ``removals``; empty while there are few.
  private var positions: [ScalarString: Int] = [:]
  /// How many keys were removed since the positions were noted: each has since moved by so many at most.
  private var removals = 0

  /// Names that are known to differ from each other.
  init(_ names: [String]) {
    self.names = names
    reindex()
  }

  /// A copy.
  init(_ other: JSONKeys) { (names, positions, removals) = (other.names, other.positions, other.removals) }

  func position(of key: String) -> Int? {
    if positions.isEmpty { return names.firstIndex { $0.hasSameScalars(as: key) } }
    guard let noted = positions[ScalarString(key)] else { return nil }
    if removals == 0 { return noted }
    let last = min(noted, names.count - 1)
    return names[max(noted - removals, 0)...last].lastIndex { $0.hasSameScalars(as: key) }
  }

  /// Inserts a key that isn't there yet.
  func insert(_ key: String, at index: Int) {
    names.insert(key, at: index)
    if !positions.isEmpty && index == names.count - 1 {
      positions[ScalarString(key)] = index
    } else {
      reindex()
    }
  }

  func remove(at index: Int) {
    let key = names.remove(at: index)
    if positions.isEmpty || removals == Self.removalLimit || names.count <= Self.indexThreshold {
      reindex()
    } else {
      positions[ScalarString(key)] = nil
      removals += 1
    }
  }

  /// Whether both are the same keys in the same order.
  func areSame(as other: JSONKeys) -> Bool {
    self === other
      || names.count == other.names.count && zip(names, other.names).allSatisfy { $0.hasSameScalars(as: $1) }
  }

  private func reindex() {
    removals = 0
    guard names.count > Self.indexThreshold else {
      positions = [:]
      return
    }
    positions.removeAll(keepingCapacity: true)
    for (index, name) in names.enumerated() { positions[ScalarString(name)] = index }
  }
}
