extension JSONNumber {
  /// The number as an integer, or `nil` where that type can't hold its exact value.
  ///
  ///     JSONNumber("1e2")!.exactly(Int.self)    // 100
  ///     JSONNumber("1.0")!.exactly(Int.self)    // 1
  ///     JSONNumber("1.5")!.exactly(Int.self)    // nil
  ///     JSONNumber("300")!.exactly(UInt8.self)  // nil
  public func exactly<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer? {
    if let integer = Integer(literal) { return integer }
    let value = ExactDecimal(self)
    if value.isZero { return 0 }
    // Two bits hold less than a decimal digit, so that nothing longer can fit; the bound keeps `1e999999999` cheap.
    guard case .small(let integerDigits) = value.exponent, integerDigits >= value.digits.count,
      integerDigits <= Integer.bitWidth / 2 + 1
    else { return nil }
    let zeros = String(repeating: "0", count: integerDigits - value.digits.count)
    return Integer((value.isNegative ? "-" : "") + String(decoding: value.digits, as: UTF8.self) + zeros)
  }

  /// The nearest `Double`: infinite where the number is too large for one, zero where it is too small.
  public var doubleValue: Double {
    // The standard library rounds correctly, to even on a tie, and knows every literal of the JSON grammar.
    guard let value = Double(literal) else { preconditionFailure("'\(literal)' is not a number literal") }
    return value
  }

  /// The nearest `Float`, rounded once; infinite where the number is too large for one.
  public var floatValue: Float {
    guard let value = Float(literal) else { preconditionFailure("'\(literal)' is not a number literal") }
    return value
  }
}
