import StateJSON

extension SparseChange {
  /// Does to a value what was done to another one; `nil` is a value that is missing.
  ///
  /// A place that is changed inside but isn't there any more, or holds something else by now, is first brought back as `ghosts`
  /// remember it, so that an edit that wins over a removal has the whole to edit. Where they don't, nothing can be changed
  /// inside of it, and what is there stays. Members keep their order, new ones come last; what isn't changed keeps its
  /// literals.
  ///
  /// - Complexity: O(*n*) in the lengths of the containers on the way to what changes, and in the size of the change. A
  ///   change that replaces one container by another one is merged: see ``JSONMerge``.
  package func applying(to value: JSONValue?, ghosts: Ghosts = Ghosts()) -> JSONValue? {
    var value = value
    apply(to: &value, ghosts: ghosts)
    return value
  }

  /// The same in place: only containers on the way that are shared with another value are copied.
  package func apply(to value: inout JSONValue?, ghosts: Ghosts = Ghosts()) {
    switch self {
    case .replaced(let was, let now):
      value = JSONMerge.value(base: was, older: value, newer: now)
    case .members(let members):
      guard var object = Self.take(\.asObject, from: &value, else: ghosts) else { return }
      Self.apply(members, to: &object, ghosts: ghosts)
      value = .object(object)
    case .elements(let changes):
      guard var elements = Self.take(\.asArray, from: &value, else: ghosts) else { return }
      changes.apply(to: &elements, ghosts: ghosts)
      value = .array(elements)
    case .added(let number):
      // A sum that is too long to be written out is none, for all who come to add it.
      guard let start = value?.asNumber ?? ghosts.value?.asNumber, let sum = try? start.adding(number) else { return }
      value = .number(sum)
    }
  }

  /// Takes a container out of a place, so that it can be changed without a copy; or, if none of the kind is there, takes the
  /// one that was. `nil` if none was, or it isn't known any more.
  private static func take<Contents>(
    _ contents: (JSONValue) -> Contents?, from value: inout JSONValue?, else ghosts: Ghosts
  ) -> Contents? {
    guard let found = value.flatMap(contents) ?? ghosts.value.flatMap(contents) else { return nil }
    value = nil
    return found
  }

  private static func apply(_ changes: [Member], to object: inout JSONObject, ghosts: Ghosts) {
    var removed: Set<Int> = []
    for member in changes {
      let inner = ghosts.ofMember(member.key)
      guard let index = object.index(forKey: member.key) else {
        if let value = member.change.applying(to: nil, ghosts: inner) { object.append(member.key, value) }
        continue
      }
      var value: JSONValue? = object.exchangeValue(at: index, with: .null)
      member.change.apply(to: &value, ghosts: inner)
      if let value { _ = object.exchangeValue(at: index, with: value) } else { removed.insert(index) }
    }
    object.remove(at: removed)
  }
}

extension JSONObject {
  /// Removes members in one pass.
  fileprivate mutating func remove(at indices: Set<Int>) {
    guard let first = indices.first else { return }
    guard indices.count > 1 else {
      removeValue(forKey: keys[first])
      return
    }
    let kept = keys.indices.filter { !indices.contains($0) }
    self = JSONObject(unique: kept.map { keys[$0] }, values: kept.map { values[$0] })
  }
}

extension JSONValue {
  fileprivate var asObject: JSONObject? { if case .object(let object) = self { object } else { nil } }
  fileprivate var asArray: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  fileprivate var asNumber: JSONNumber? { if case .number(let number) = self { number } else { nil } }
}
