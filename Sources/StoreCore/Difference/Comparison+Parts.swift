extension Comparison {
  mutating func comparePayloads(
    _ left: Mirror, _ right: Mirror, _ old: Any, _ new: Any, at path: String, depth: Int
  ) {
    switch (left.children.first?.value, right.children.first?.value) {
    case (let old?, let new?): compare(old, new, at: path, depth: depth + 1)
    case (nil, nil): break
    default: note(before: old, after: new, at: path)
    }
  }

  mutating func compareCases(
    _ left: Mirror, _ right: Mirror, _ old: Any, _ new: Any, at path: String, depth: Int
  ) {
    switch (left.children.first, right.children.first) {
    case (let payload?, let other?) where payload.label == other.label:
      compare(payload.value, other.value, at: Self.path(path, payload.label), depth: depth + 1)
    case (nil, nil) where String(describing: old) == String(describing: new): break
    default: note(before: old, after: new, at: path)
    }
  }

  mutating func compareMembers(_ left: Mirror, _ right: Mirror, at path: String, depth: Int) {
    for (old, new) in zip(left.properties, right.properties) {
      compare(old.value, new.value, at: Self.path(path, old.label), depth: depth + 1)
    }
  }

  mutating func compareSets(_ old: [Any], _ new: [Any], at path: String) {
    let (old, new) = (Set(old.compactMap { $0 as? AnyHashable }), Set(new.compactMap { $0 as? AnyHashable }))
    for text in old.subtracting(new).map({ Readable.text($0.base) }).sorted() { add(.before, path) { text } }
    for text in new.subtracting(old).map({ Readable.text($0.base) }).sorted() { add(.after, path) { text } }
  }

  mutating func compareDictionaries(_ left: Mirror, _ right: Mirror, at path: String, depth: Int) {
    let (old, new) = (Self.members(left), Self.members(right))
    let keys = Set(old.keys).union(new.keys).map { (text: Readable.text($0.base), key: $0) }
    for (text, key) in keys.sorted(by: { $0.text < $1.text }) {
      let place = "\(path)[\(text)]"
      if let old = old[key], let new = new[key] {
        compare(old, new, at: place, depth: depth + 1)
      } else {
        note(before: old[key], after: new[key], at: place)
      }
    }
  }

  mutating func compareElements(_ old: [Any], _ new: [Any], at path: String, depth: Int) {
    if let oldIDs = Self.identities(old), let newIDs = Self.identities(new) {
      return compareByIdentity(old, oldIDs, new, newIDs, at: path, depth: depth)
    }
    let shared = min(old.count, new.count)
    let head = (0..<shared).first { !isSame(old[$0], new[$0]) } ?? shared
    let tail =
      (0..<(shared - head)).first { !isSame(old[old.count - 1 - $0], new[new.count - 1 - $0]) } ?? shared - head
    if old.count == new.count {
      for index in head..<(old.count - tail) {
        compare(old[index], new[index], at: "\(path)[\(index)]", depth: depth + 1)
      }
    } else {
      for index in head..<(old.count - tail) { note(before: old[index], at: "\(path)[\(index)]") }
      for index in head..<(new.count - tail) { note(after: new[index], at: "\(path)[\(index)]") }
    }
  }

  private mutating func compareByIdentity(
    _ old: [Any], _ oldIDs: [AnyHashable], _ new: [Any], _ newIDs: [AnyHashable], at path: String, depth: Int
  ) {
    func place(_ id: AnyHashable) -> String { "\(path)[id: \(Readable.text(id.base, limit: 60))]" }
    let known = Dictionary(uniqueKeysWithValues: zip(oldIDs, old))
    let kept = Set(newIDs)
    for (id, element) in zip(oldIDs, old) where !kept.contains(id) { note(before: element, at: place(id)) }
    for (id, element) in zip(newIDs, new) {
      if let before = known[id] {
        compare(before, element, at: place(id), depth: depth + 1)
      } else {
        note(after: element, at: place(id))
      }
    }
    let before = oldIDs.filter(kept.contains)
    let after = newIDs.filter { known[$0] != nil }
    if before != after {
      let path = path.isEmpty ? "(order)" : "\(path) (order)"
      note(before: before.map(\.base), after: after.map(\.base), at: path)
    }
  }

  private func isSame(_ old: Any, _ new: Any) -> Bool {
    if let isEqual = Comparison.areEqual(old, new) { return isEqual }
    var comparison = Comparison(limit: 0)
    comparison.compare(old, new, at: "", depth: 0)
    return comparison.count == 0
  }

  private static func path(_ path: String, _ label: String?) -> String {
    guard let label else { return path }
    // The members of a tuple are called `.0`, `.1`.
    let name = label.hasPrefix(".") ? String(label.dropFirst()) : label
    return path.isEmpty ? name : "\(path).\(name)"
  }

  private static func members(_ mirror: Mirror) -> [AnyHashable: Any] {
    var members: [AnyHashable: Any] = [:]
    for child in mirror.children {
      let pair = Array(Mirror(reflecting: child.value).children)
      if pair.count == 2, let key = pair[0].value as? AnyHashable { members[key] = pair[1].value }
    }
    return members
  }

  /// The identities of all elements, or nil unless each has one and no two the same.
  private static func identities(_ elements: [Any]) -> [AnyHashable]? {
    func id<T: Identifiable>(_ element: T) -> AnyHashable { AnyHashable(element.id) }
    var identities: [AnyHashable] = []
    var seen = Set<AnyHashable>()
    for element in elements {
      guard let element = element as? any Identifiable else { return nil }
      let identity = id(element)
      guard seen.insert(identity).inserted else { return nil }
      identities.append(identity)
    }
    return identities
  }
}
