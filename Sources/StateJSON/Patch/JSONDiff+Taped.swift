extension JSONDifference {
  /// As ``compare(_:_:)``, for values that stand in texts: values are made only of what differs.
  @discardableResult
  mutating func compare(_ old: Int, in oldText: TapedText, _ new: Int, in newText: TapedText) -> Bool {
    if oldText.hasSameText(old, as: new, in: newText) { return true }
    guard oldText.isContainer(old), oldText.firstByte(of: old) == newText.firstByte(of: new) else {
      return compare(oldText.value(at: old), newText.value(at: new))
    }
    let first = operations.count
    let isKept =
      oldText.kind(of: old) == .object
      ? compareMembers(of: old, in: oldText, new, in: newText)
      : compareElements(of: old, in: oldText, new, in: newText)
    if !isKept { replace(since: first, with: newText.value(at: new)) }
    return isKept
  }

  private mutating func compare(
    _ old: Int, in oldText: TapedText, _ new: Int, in newText: TapedText, at token: @autoclosure () -> String
  ) -> Bool {
    if oldText.hasSameText(old, as: new, in: newText) { return true }
    path.append(token())
    defer { path.removeLast() }
    return compare(old, in: oldText, new, in: newText)
  }

  private mutating func compareMembers(
    of old: Int, in oldText: TapedText, _ new: Int, in newText: TapedText
  ) -> Bool {
    let (oldKeys, newKeys) = (Array(oldText.keys(of: old)), Array(newText.keys(of: new)))
    if oldKeys.count == newKeys.count,
      zip(oldKeys, newKeys).allSatisfy({ oldText.hasSameText($0, as: $1, in: newText) })
    {
      for (old, new) in zip(oldKeys, newKeys) {
        _ = compare(old + 1, in: oldText, new + 1, in: newText, at: oldText.string(at: old))
      }
      return true
    }
    let olds = oldKeys.map { (name: oldText.string(at: $0), value: $0 + 1) }
    let news = newKeys.map { (name: newText.string(at: $0), value: $0 + 1) }
    let names = Set(news.map { ScalarString($0.name) })
    for old in olds where !names.contains(ScalarString(old.name)) { remove(old.name) }
    let values = Dictionary(uniqueKeysWithValues: olds.map { (ScalarString($0.name), $0.value) })
    var isKept = olds.isEmpty
    for new in news {
      if let before = values[ScalarString(new.name)] {
        _ = compare(before, in: oldText, new.value, in: newText, at: new.name)
        isKept = true
      } else {
        add(newText.value(at: new.value), new.name)
      }
    }
    return isKept
  }

  private mutating func compareElements(
    of old: Int, in oldText: TapedText, _ new: Int, in newText: TapedText
  ) -> Bool {
    let (olds, news) = (Array(oldText.elements(of: old)), Array(newText.elements(of: new)))
    let ends = CommonEnds(olds.count, news.count) { oldText.hasSameText(olds[$0], as: news[$1], in: newText) }
    let (oldBetween, newBetween) = (olds[ends.between.old], news[ends.between.new])
    if TapedText.areIdentifiedAlike(oldBetween, in: oldText, newBetween, in: newText) {
      var isKept = ends.areThere
      for index in oldBetween.indices {
        if compare(olds[index], in: oldText, news[index], in: newText, at: String(index)) { isKept = true }
      }
      return isKept
    }
    let (oldValues, newValues) = (oldBetween.map(oldText.value(at:)), newBetween.map(newText.value(at:)))
    defer { forget() }
    return compareElements(oldValues, newValues, between: ends)
  }
}

extension TapedText {
  /// Whether two values, or keys, have the very same text.
  @inline(__always)
  package func hasSameText(_ value: Int, as other: Int, in text: TapedText) -> Bool {
    bytes(range(of: value)).hasSameBytes(as: text.bytes(text.range(of: other)))
  }

  /// Whether there are as many elements of one text as of another, with the same ids in the same order.
  fileprivate static func areIdentifiedAlike(
    _ olds: ArraySlice<Int>, in oldText: TapedText, _ news: ArraySlice<Int>, in newText: TapedText
  ) -> Bool {
    guard olds.count == news.count, !olds.isEmpty else { return false }
    // Values are matched by the first key that identifies the elements of both.
    guard let key = ElementIdentity.usualKeys.first(where: { oldText.areIdentified(olds, by: $0) }) else {
      return false
    }
    return zip(olds, news).allSatisfy { old, new in
      oldText.hasSameText(old, as: new, in: newText)
        || oldText.identity(of: old, by: key) == newText.identity(of: new, by: key)
    }
  }

  /// Whether each of some elements has a member, as a string or a number, by which it is told from the others.
  private func areIdentified(_ elements: ArraySlice<Int>, by key: String) -> Bool {
    var seen = Set<ElementIdentity>(minimumCapacity: elements.count)
    return elements.allSatisfy { element in
      identity(of: element, by: key).map { seen.insert($0).inserted } ?? false
    }
  }

  package func identity(of element: Int, by key: String) -> ElementIdentity? {
    guard kind(of: element) == .object, let item = item(key, of: element) else { return nil }
    return ElementIdentity(value(at: item))
  }
}
