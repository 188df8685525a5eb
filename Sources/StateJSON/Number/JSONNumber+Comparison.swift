extension JSONNumber: Hashable, Comparable {
  public static func == (left: Self, right: Self) -> Bool {
    if left.literal.utf8.elementsEqual(right.literal.utf8) { return true }
    // Each integer has one literal, but for `-0`, so most unequal numbers are told apart without a closer look.
    if left.isPlainInteger && right.isPlainInteger { return false }
    return ExactDecimal(left) == ExactDecimal(right)
  }

  public static func < (left: Self, right: Self) -> Bool { ExactDecimal(left) < ExactDecimal(right) }

  public func hash(into hasher: inout Hasher) { hasher.combine(ExactDecimal(self)) }

  /// Whether the literal consists of digits only, after a minus sign that isn't followed by a zero.
  private var isPlainInteger: Bool {
    let digits = literal.utf8.first == UInt8(ascii: "-") ? literal.utf8.dropFirst() : literal.utf8[...]
    if digits.count < literal.utf8.count && digits.first == UInt8(ascii: "0") { return false }
    return digits.allSatisfy { $0.isDigit }
  }
}
