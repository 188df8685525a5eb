import StateJSON

/// Values that were removed, or gave way to one of another kind, place by place.
///
/// A change says only what it changed. Where it is done to a value from which somebody else has removed what it edits, the
/// edit wins, and what it doesn't say comes from here.
///
/// It depends on the changes alone, in their order, and not on any value they were done to. So it is the same for all who
/// have the same changes, whatever they began with.
package struct Ghosts: Sendable {
  /// The value that this place held last, before it held nothing, or something of another kind.
  package private(set) var value: JSONValue?
  private var inner: [Token: Ghosts] = [:]

  private enum Token: Hashable {
    case member(ScalarString)
    case element(key: ScalarString, ElementIdentity)
  }

  /// Remembers nothing.
  package init() {}

  /// Whether nothing is remembered.
  package var isEmpty: Bool { value == nil && inner.isEmpty }

  /// The ghosts of a member.
  func ofMember(_ key: String) -> Ghosts {
    inner.isEmpty ? Ghosts() : inner[.member(ScalarString(key))] ?? Ghosts()
  }

  /// The ghosts of an element of a list whose elements this key tells apart.
  func ofElement(_ identity: ElementIdentity, key: String) -> Ghosts {
    inner.isEmpty ? Ghosts() : inner[.element(key: ScalarString(key), identity)] ?? Ghosts()
  }

  /// Takes note of what a change removes.
  ///
  /// - Complexity: O(*n*) in the length of the change; what it removes is not copied.
  package mutating func remember(_ change: SparseChange) {
    switch change {
    case .replaced(let was?, let now):
      guard was.hasSameKind(as: now) else {
        value = was
        return
      }
      if case (.array(let was), .array(let now)) = (was, now) { remember(was, now) }
    case .replaced(nil, _), .added: break
    case .members(let members):
      for member in members { Self.remember(member.change, in: &inner[.member(ScalarString(member.key))]) }
    case .elements(let elements):
      let key = ScalarString(elements.key)
      for element in elements.changes {
        Self.remember(element.change, in: &inner[.element(key: key, element.id.identity)])
      }
    }
  }

  /// Takes note of what is gone from a list that was said as a whole, if its elements can be told apart.
  private mutating func remember(_ was: [JSONValue], _ now: [JSONValue]) {
    guard let (key, identities) = ElementIdentity.key(of: [was]) else { return }
    let stayed = Set(now.lazy.compactMap { $0.identity(by: key) })
    for (element, identity) in zip(was, identities[0]) where !stayed.contains(identity) {
      inner[.element(key: ScalarString(key), identity), default: Ghosts()].value = element
    }
  }

  /// A place of which there is nothing to remember takes no memory.
  private static func remember(_ change: SparseChange, in place: inout Ghosts?) {
    var ghosts = place.take() ?? Ghosts()
    ghosts.remember(change)
    place = ghosts.isEmpty ? nil : ghosts
  }
}

extension JSONValue {
  fileprivate func hasSameKind(as other: JSONValue?) -> Bool {
    switch (self, other) {
    case (.null, .null), (.bool, .bool), (.number, .number), (.string, .string), (.array, .array), (.object, .object):
      true
    default: false
    }
  }
}
