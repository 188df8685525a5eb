extension JSONDifference {
  /// As ``compare(_:_:)``, with the same result, for values that stand in texts.
  ///
  /// Where either text has the same keys, or elements with the same ids in the same order, each is compared with its
  /// counterpart, and values are made only of those that differ. All else is compared as values.
  @discardableResult
  mutating func compare(_ old: Int, in oldText: TapedText, _ new: Int, in newText: TapedText) -> Bool {
    if oldText.hasSameText(old, as: new, in: newText) { return true }
    let counterparts = TapedCounterparts(old, in: oldText, new, in: newText)
    guard let counterparts else { return compare(oldText.value(at: old), newText.value(at: new)) }
    let first = operations.count
    // An object keeps its keys, and an array those elements of which anything is kept.
    var isKept = counterparts.areMembers
    for pair in counterparts.differing {
      path.append(pair.token)
      if compare(pair.old, in: oldText, pair.new, in: newText) { isKept = true }
      path.removeLast()
    }
    if counterparts.differing.count < counterparts.count { isKept = true }
    if !isKept { replace(since: first, with: newText.value(at: new)) }
    return isKept
  }
}

/// The members or the elements of two containers, each of which has one counterpart in the other, at the same place.
private struct TapedCounterparts {
  let areMembers: Bool
  let count: Int
  /// Those with another text.
  private(set) var differing: [(token: String, old: Int, new: Int)] = []

  /// `nil` where the containers are of two kinds, or are none, or what they have has to be aligned.
  init?(_ old: Int, in oldText: TapedText, _ new: Int, in newText: TapedText) {
    guard oldText.isContainer(old), oldText.firstByte(of: old) == newText.firstByte(of: new),
      oldText.count(of: old) == newText.count(of: new)
    else { return nil }
    count = oldText.count(of: old)
    areMembers = oldText.kind(of: old) == .object
    if areMembers {
      guard addMembers(old, in: oldText, new, in: newText) else { return nil }
    } else {
      guard count > 0, addElements(old, in: oldText, new, in: newText) else { return nil }
    }
  }

  /// - Returns: Whether both have the same keys in the same order.
  private mutating func addMembers(_ old: Int, in oldText: TapedText, _ new: Int, in newText: TapedText) -> Bool {
    var (oldKey, newKey) = (oldText.firstItem(of: old), newText.firstItem(of: new))
    for _ in 0..<count {
      guard oldText.hasSameText(oldKey, as: newKey, in: newText) else { return false }
      if !oldText.hasSameText(oldKey + 1, as: newKey + 1, in: newText) {
        differing.append((oldText.string(at: oldKey), oldKey + 1, newKey + 1))
      }
      (oldKey, newKey) = (oldText.next(after: oldKey + 1), newText.next(after: newKey + 1))
    }
    return true
  }

  /// - Returns: Whether the elements of both have the same ids in the same order.
  private mutating func addElements(_ old: Int, in oldText: TapedText, _ new: Int, in newText: TapedText) -> Bool {
    var (oldElement, newElement) = (oldText.firstItem(of: old), newText.firstItem(of: new))
    for index in 0..<count {
      if !oldText.hasSameText(oldElement, as: newElement, in: newText) {
        differing.append((String(index), oldElement, newElement))
      }
      (oldElement, newElement) = (oldText.next(after: oldElement), newText.next(after: newElement))
    }
    if differing.isEmpty { return true }
    // Values are matched by the first key that identifies the elements of both.
    guard let key = ElementIdentity.usualKeys.first(where: { oldText.identifiesElements(of: old, by: $0) }) else {
      return false
    }
    return differing.allSatisfy {
      oldText.identity(of: $0.old, by: key) == newText.identity(of: $0.new, by: key)
    }
  }
}

extension TapedText {
  /// Whether two values, or keys, have the very same text.
  @inline(__always)
  package func hasSameText(_ value: Int, as other: Int, in text: TapedText) -> Bool {
    bytes(range(of: value)).hasSameBytes(as: text.bytes(text.range(of: other)))
  }

  /// Whether each element of an array has a member, as a string or a number, by which it is told from all others.
  fileprivate func identifiesElements(of array: Int, by key: String) -> Bool {
    var seen = Set<ElementIdentity>(minimumCapacity: count(of: array))
    return elements(of: array).allSatisfy { element in
      identity(of: element, by: key).map { seen.insert($0).inserted } ?? false
    }
  }

  package func identity(of element: Int, by key: String) -> ElementIdentity? {
    guard kind(of: element) == .object, let item = item(key, of: element) else { return nil }
    return ElementIdentity(value(at: item))
  }
}
