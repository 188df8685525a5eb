extension JSONValue {
  /// The same value, in which all that is identical to what stands at the same place of another one is stored there.
  ///
  /// Comparing the two, or merging them, then looks at what differs alone, and what they have in common is there once. Elements of
  /// arrays are at the same place counted from either end.
  ///
  /// - Complexity: O(*n*) in the size of the values, but for what they share already.
  package func sharing(with other: JSONValue) -> JSONValue { differing(from: other) ?? other }

  /// The value with what it has in common with the other one; `nil` where that is all.
  private func differing(from other: JSONValue) -> JSONValue? {
    if sharesStorage(with: other) { return nil }
    switch (self, other) {
    case (.array(let elements), .array(let others)):
      return Self.differing(elements, from: others, isSame: elements.count == others.count).map { .array($0) }
    case (.object(let object), .object(let others)):
      guard object.hasSameKeys(as: others) else { return .object(object.sharing(with: others)) }
      return Self.differing(object.values, from: others.values, isSame: true).map { .object(others.withValues($0)) }
    default:
      return isIdentical(to: other) ? nil : self
    }
  }

  /// - Parameter isSame: Whether they may all be identical, so that `nil` is an answer.
  private static func differing(_ values: [JSONValue], from others: [JSONValue], isSame: Bool) -> [JSONValue]? {
    var result: [JSONValue]? = isSame ? nil : values
    // From the first one on that differs, the rest may have moved.
    var shift = 0
    for (index, value) in values.enumerated() {
      func differing() -> JSONValue? {
        others.indices.contains(index + shift) ? value.differing(from: others[index + shift]) : value
      }
      var own = differing()
      if own != nil, shift == 0 {
        shift = others.count - values.count
        if shift != 0 { own = differing() }
      }
      if own != nil, result == nil { result = Array(others[..<index]) + values[index...] }
      if result != nil { result?[index] = own ?? others[index + shift] }
    }
    return result
  }
}

extension JSONObject {
  /// The members with what is identical to the other's of the same key.
  fileprivate func sharing(with other: JSONObject) -> JSONObject {
    withValues(zip(keys, values).map { key, value in other[key].map { value.sharing(with: $0) } ?? value })
  }
}
