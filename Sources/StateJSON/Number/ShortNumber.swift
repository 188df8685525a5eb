/// A number of few digits and no exponent, taken apart: ±`digits` / 10^`decimals`.
struct ShortNumber {
  let isNegative: Bool
  /// Below 2^53, so that a `Double` has it exactly.
  let digits: UInt64
  let decimals: Int

  /// What a `Double` has exactly; a quotient of two such is rounded once, and so the nearest there is.
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  /// `nil` for a literal with an exponent, or of more than 15 digits.
  @inline(__always)
  init?(_ literal: UnsafeBufferPointer<UInt8>) {
    isNegative = literal[0] == UInt8(ascii: "-")
    var position = isNegative ? 1 : 0
    // With the point they are one more.
    guard literal.count - position <= 16 else { return nil }
    var digits: UInt64 = 0
    var point: Int?
    while position < literal.count {
      let digit = literal[position] &- UInt8(ascii: "0")
      if digit < 10 {
        digits = digits &* 10 &+ UInt64(digit)
      } else if literal[position] == UInt8(ascii: ".") {
        point = position
      } else {
        return nil
      }
      position += 1
    }
    decimals = point.map { literal.count - 1 - $0 } ?? 0
    guard digits < 1 << 53, decimals < Self.powers.count else { return nil }
    self.digits = digits
  }

  /// Takes a number apart that Swift writes with at most four decimals, and no exponent; `nil` for others, and for -0.
  ///
  /// Two decimals of at most 15 digits are never the same number (`DBL_DIG`). So the one found here, which has no more, is the
  /// shortest that there is.
  @inline(__always)
  init?(_ number: Double) {
    let magnitude = number.magnitude
    // Not for what isn't a number either.
    guard magnitude < 1e11, magnitude > 0 || number.sign == .plus else { return nil }
    for decimals in 0...4 {
      // Below 10^15 all that is rounded here comes to a quarter at most, so this is the only one that it can be.
      let digits = UInt64(magnitude * Self.powers[decimals] + 0.5)
      guard Double(digits) / Self.powers[decimals] == magnitude else { continue }
      (isNegative, self.digits, self.decimals) = (number < 0, digits, decimals)
      return
    }
    return nil
  }

  /// The number as an integer, if it is one without decimals and fits.
  @inline(__always)
  func exactly<T: FixedWidthInteger>(_ type: T.Type) -> T? {
    guard decimals == 0, let magnitude = T(exactly: digits) else { return nil }
    guard isNegative else { return magnitude }
    return T.isSigned ? 0 - magnitude : digits == 0 ? 0 : nil
  }

  /// The nearest `Double`.
  @inline(__always)
  var double: Double {
    let magnitude = Double(digits) / Self.powers[decimals]
    return isNegative ? -magnitude : magnitude
  }
}
