extension JSONValue {
  /// Applies a merge patch (RFC 7386): members of `patch` replace members of the same key, objects are merged, and
  /// `null` removes. Anything else than an object replaces the whole.
  ///
  /// A member keeps its place; new ones come last, in the order of the patch.
  public mutating func applyMergePatch(_ patch: JSONValue) {
    guard case .object(let changes) = patch else {
      self = patch
      return
    }
    var object = if case .object(let members) = self { members } else { JSONObject() }
    self = .null
    for change in changes.members {
      if case .null = change.value {
        object.removeValue(forKey: change.key)
      } else {
        let index = object.index(forKey: change.key)
        var value = index.map { object.exchangeValue(at: $0, with: .null) } ?? .null
        value.applyMergePatch(change.value)
        object[change.key] = value
      }
    }
    self = .object(object)
  }

  /// The merge patch that turns this value into `target`, or `nil` if none does: where an object gains a member that
  /// is `null`, or contains one, a merge patch can't say so.
  ///
  /// Changes of literals count as changes; the order of members does not.
  public func mergePatch(to target: JSONValue) -> JSONValue? {
    guard case .object(let new) = target else { return target }
    let old = if case .object(let members) = self { members } else { JSONObject() }
    var changes = JSONObject()
    for member in old.members where new[member.key] == nil { changes.append(member.key, .null) }
    for member in new.members {
      let before = old[member.key]
      if let before, before.isIdentical(to: member.value) { continue }
      if case .null = member.value {
        guard case .null? = before else { return nil }
        continue
      }
      guard let change = (before ?? .null).mergePatch(to: member.value) else { return nil }
      // An empty object changes nothing in an object.
      if case .object(let inner) = change, inner.isEmpty, case .object? = before { continue }
      changes.append(member.key, change)
    }
    return .object(changes)
  }
}
