extension JSONNumber {
  /// The literal that all numbers of this value share: an integer without leading or trailing zeros, then `e` and the
  /// power of ten unless that is 0; zero is `0`.
  ///
  ///     JSONNumber("10.0e-1")!.canonicalLiteral  // "1"
  ///     JSONNumber("-1200")!.canonicalLiteral    // "-12e2"
  public var canonicalLiteral: String {
    let value = ExactDecimal(self)
    guard !value.isZero else { return "0" }
    let integer = (value.isNegative ? "-" : "") + String(decoding: value.digits, as: UTF8.self)
    // The digits of the exact value stand after the point, those of the canonical form before it.
    let power = DecimalExponent(literal: value.exponent.literal.utf8, plus: -value.digits.count)
    return power == .small(0) ? integer : "\(integer)e\(power.literal)"
  }
}

extension DecimalExponent {
  fileprivate var literal: String {
    switch self {
    case .small(let exponent): String(exponent)
    case .large(let isNegative, let magnitude):
      (isNegative ? "-" : "") + String(decoding: magnitude, as: UTF8.self)
    }
  }
}
