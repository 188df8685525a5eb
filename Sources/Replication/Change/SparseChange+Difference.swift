import StateJSON

extension SparseChange {
  /// How many levels of containers a difference goes down; what changed below them is said as a whole.
  ///
  /// A change is nested deeper than what it changes: by two levels for an object, and by three for a list. With this bound
  /// the JSON form of any difference between values that a parser accepts by default is within
  /// ``JSONLimits/maximumDepth``, and leaves a hundred levels to what it stands in.
  static let maximumLevels = 256

  /// The change that makes one value of another; `nil` where they are equal by meaning. A value that is `nil` is missing.
  ///
  /// Lists are compared element by element where ``ElementIdentity`` tells these apart in both, and said as a whole
  /// otherwise.
  ///
  /// - Complexity: O(*n*) in the size of the values, without what shares its storage.
  package init?(from old: JSONValue?, to new: JSONValue?) {
    if let old, let new {
      guard let change = Self.difference(old, new, levels: Self.maximumLevels) else { return nil }
      self = change
    } else {
      guard old != nil || new != nil else { return nil }
      self = .replaced(was: old, is: new)
    }
  }

  private static func difference(_ old: JSONValue, _ new: JSONValue, levels: Int) -> SparseChange? {
    if old.sharesStorage(with: new) { return nil }
    switch (old, new) {
    case (.object(let old), .object(let new)) where levels > 0:
      let changes = members(from: old, to: new, levels: levels - 1)
      return changes.isEmpty ? nil : .members(changes)
    case (.array(let oldElements), .array(let newElements)) where levels > 0:
      guard let lists = KeyedLists(oldElements, newElements) else { fallthrough }
      return elements(lists, levels: levels - 1).map { .elements($0) }
    default:
      return old == new ? nil : .replaced(was: old, is: new)
    }
  }

  private static func members(from old: JSONObject, to new: JSONObject, levels: Int) -> [Member] {
    var members: [Member] = []
    let haveSameKeys = old.hasSameKeys(as: new)
    for (index, key) in old.keys.enumerated() {
      guard let counterpart = haveSameKeys ? index : new.index(forKey: key) else {
        members.append(Member(key: key, change: .replaced(was: old.values[index], is: nil)))
        continue
      }
      if let change = difference(old.values[index], new.values[counterpart], levels: levels) {
        members.append(Member(key: key, change: change))
      }
    }
    guard !haveSameKeys else { return members }
    for (index, key) in new.keys.enumerated() where old.index(forKey: key) == nil {
      members.append(Member(key: key, change: .replaced(was: nil, is: new.values[index])))
    }
    return members
  }

  private static func elements(_ lists: KeyedLists, levels: Int) -> Elements? {
    let (old, new) = (lists.old, lists.new)
    var changes: [Element] = []
    var isNamed = [Bool](repeating: lists.hasMoves, count: new.count)
    for place in old.indices {
      guard let counterpart = lists.counterpart(of: place) else {
        changes.append(Element(id: lists.id(of: old[place]), change: .replaced(was: old[place], is: nil)))
        continue
      }
      if let change = difference(old[place], new[counterpart], levels: levels) {
        changes.append(Element(id: lists.id(of: old[place]), change: change))
        isNamed[counterpart] = true
      }
    }
    for place in lists.insertions {
      changes.append(Element(id: lists.id(of: new[place]), change: .replaced(was: nil, is: new[place])))
      for place in max(place - 1, 0)...min(place + 1, new.count - 1) { isNamed[place] = true }
    }
    guard lists.hasMoves || !changes.isEmpty else { return nil }
    let was = old.indices.filter { lists.counterpart(of: $0).map { isNamed[$0] } ?? true }
    let now = new.indices.filter { isNamed[$0] }
    return Elements(
      key: lists.key, was: was.map { lists.id(of: old[$0]) }, now: now.map { lists.id(of: new[$0]) }, changes: changes)
  }
}
