extension TapedText {
  /// Whether a value equals one of another text, as `==` tells of values; none is made but of numbers and escaped strings.
  func hasSameValue(_ value: Int, as other: Int, in text: TapedText) -> Bool {
    if hasSameText(value, as: other, in: text) { return true }
    let kind = kind(of: value)
    guard kind == text.kind(of: other) else { return false }
    switch kind {
    case .null, .bool: return false
    case .number: return number(at: value) == text.number(at: other)
    case .string: return hasSameString(value, as: other, in: text)
    case .array:
      return count(of: value) == text.count(of: other)
        && zip(elements(of: value), text.elements(of: other)).allSatisfy { hasSameValue($0, as: $1, in: text) }
    case .object:
      return count(of: value) == text.count(of: other) && hasSameMembers(value, as: other, in: text)
    }
  }

  /// Whether two strings, or keys, say the same. Of what isn't escaped the texts tell.
  private func hasSameString(_ string: Int, as other: Int, in text: TapedText) -> Bool {
    if hasSameText(string, as: other, in: text) { return true }
    guard isEscaped(string) || text.isEscaped(other) else { return false }
    return self.string(at: string).hasSameScalars(as: text.string(at: other))
  }

  /// Whether two objects with as many members have the same ones, in any order.
  private func hasSameMembers(_ object: Int, as other: Int, in text: TapedText) -> Bool {
    // Mostly the order is the same, too.
    let isInOrder = zip(keys(of: object), text.keys(of: other)).allSatisfy { hasSameString($0, as: $1, in: text) }
    if isInOrder {
      return zip(keys(of: object), text.keys(of: other)).allSatisfy { hasSameValue($0 + 1, as: $1 + 1, in: text) }
    }
    let others = Dictionary(
      uniqueKeysWithValues: text.keys(of: other).map { (ScalarString(text.string(at: $0)), $0 + 1) })
    return keys(of: object).allSatisfy { key in
      others[ScalarString(string(at: key))].map { hasSameValue(key + 1, as: $0, in: text) } ?? false
    }
  }
}
