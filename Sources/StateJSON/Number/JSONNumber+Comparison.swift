extension JSONNumber: Hashable, Comparable {
  public static func == (left: Self, right: Self) -> Bool {
    if left.literal == right.literal { return true }
    // Each integer has one literal, but for `-0`, so most unequal numbers are told apart without a closer look.
    if left.isPlainInteger && right.isPlainInteger { return false }
    return ExactDecimal(left) == ExactDecimal(right)
  }

  public static func < (left: Self, right: Self) -> Bool { ExactDecimal(left) < ExactDecimal(right) }

  public func hash(into hasher: inout Hasher) { hasher.combine(ExactDecimal(self)) }

  /// Whether the literal consists of digits only, after a minus sign that isn't followed by a zero.
  private var isPlainInteger: Bool {
    literal.withContiguousUTF8 { text in
      let first = text[0] == UInt8(ascii: "-") ? 1 : 0
      if first == 1, text[1] == UInt8(ascii: "0") { return false }
      return text[first...].allSatisfy { $0.isDigit }
    }
  }
}
