import StateJSON

/// Where a value differs from an older one, as places in the newer.
///
/// A patch wouldn't do: its pointers are those of the moment when each operation is applied, not of the final value.
struct ChangedPlaces: Equatable {
  /// Changed scalars, and added members and elements with all that is in them.
  private(set) var values: Set<JSONPointer> = []
  /// Objects and arrays that lost something.
  private(set) var shrunken: Set<JSONPointer> = []

  init() {}

  init(from old: JSONValue, to new: JSONValue) {
    collect(old, new, at: .root)
  }

  /// Whether what begins at a place is part of the change.
  func contain(_ pointer: JSONPointer) -> Bool {
    if shrunken.contains(pointer) { return true }
    guard !values.isEmpty else { return false }
    return (0...pointer.tokens.count).contains { values.contains(JSONPointer(Array(pointer.tokens[..<$0]))) }
  }

  private mutating func collect(_ old: JSONValue, _ new: JSONValue, at pointer: JSONPointer) {
    switch (old, new) {
    case (.object(let old), .object(let new)):
      for member in new.members {
        let place = pointer.appending(member.key)
        guard let before = old[member.key] else {
          values.insert(place)
          continue
        }
        collect(before, member.value, at: place)
      }
      if old.keys.contains(where: { new.index(forKey: $0) == nil }) { shrunken.insert(pointer) }
    case (.array(let old), .array(let new)):
      collect(old, new, at: pointer)
    default:
      if old != new { values.insert(pointer) }
    }
  }

  /// Elements between the common ends are compared one by one; those left over were added or removed.
  private mutating func collect(_ old: [JSONValue], _ new: [JSONValue], at pointer: JSONPointer) {
    let shared = min(old.count, new.count)
    var start = 0
    while start < shared && old[start] == new[start] { start += 1 }
    var end = 0
    while end < shared - start && old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    let oldGap = old[start..<old.count - end]
    let newGap = new[start..<new.count - end]
    for (before, index) in zip(oldGap, newGap.indices) {
      collect(before, new[index], at: pointer.appending(index))
    }
    for index in newGap.indices.dropFirst(oldGap.count) { values.insert(pointer.appending(index)) }
    if oldGap.count > newGap.count { shrunken.insert(pointer) }
  }
}
