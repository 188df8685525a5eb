extension JSONNumber {
  /// How many digits the operands and the result of ``adding(_:)`` may have in plain notation.
  public static let maximumSumDigits = 1_000

  /// A sum that has no reasonable literal: in plain notation it, or an operand, has too many digits.
  public struct SumTooLongError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The number added to.
    public let left: JSONNumber
    /// The number added.
    public let right: JSONNumber

    public var description: String {
      "the sum of \(left.abbreviated) and \(right.abbreviated) has more than \(JSONNumber.maximumSumDigits) digits"
    }
  }

  /// The exact decimal sum, in plain notation, with as many digits after the point as the operand that has more.
  ///
  ///     try JSONNumber("1.50")!.adding(JSONNumber(1))          // 2.50
  ///     try JSONNumber("0.1")!.adding(JSONNumber("0.2")!)      // 0.3
  ///     try JSONNumber("1e3")!.adding(JSONNumber(1))           // 1001
  ///
  /// - Throws: ``SumTooLongError`` where `1e1000` or the like would have to be written out; see ``maximumSumDigits``.
  public func adding(_ other: JSONNumber) throws(SumTooLongError) -> JSONNumber {
    guard let left = PlainDecimal(self), let right = PlainDecimal(other) else {
      throw SumTooLongError(left: self, right: other)
    }
    let sum = left + right
    guard sum.digits.count <= Self.maximumSumDigits else { throw SumTooLongError(left: self, right: other) }
    return JSONNumber(unchecked: sum.literal)
  }

  fileprivate var abbreviated: String {
    literal.utf8.count <= 40 ? literal : "\(literal.prefix(39))…"
  }
}

/// A decimal number written out: ±digits × 10^-scale.
private struct PlainDecimal {
  var isNegative: Bool
  /// From the least significant up, each 0...9; at least one before the point.
  var digits: [UInt8]
  /// How many of the digits stand after the point.
  var scale: Int

  /// `nil` where there would be more than ``JSONNumber/maximumSumDigits`` digits.
  init?(_ number: JSONNumber) {
    let text = Array(number.literal.utf8)
    let mantissaEnd = text.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? text.count
    let pointPosition = text[..<mantissaEnd].firstIndex(of: UInt8(ascii: ".")) ?? mantissaEnd
    let fraction = max(0, mantissaEnd - pointPosition - 1)
    isNegative = text.first == UInt8(ascii: "-")
    digits = text[..<mantissaEnd].reversed().filter(\.isDigit).map { $0 - UInt8(ascii: "0") }
    while digits.count > fraction + 1, digits.last == 0 { digits.removeLast() }

    let isZero = digits.allSatisfy { $0 == 0 }
    let limit = JSONNumber.maximumSumDigits
    let exponent = DecimalExponent(literal: text.suffix(from: min(mantissaEnd + 1, text.count)), plus: 0)
    switch exponent {
    case .small(let exponent) where exponent <= fraction: scale = fraction - exponent
    // The digits of 0e5 are those of 0.
    case _ where isZero && exponent > .small(0): scale = 0
    case .small(let exponent) where exponent - fraction <= limit:
      digits.insert(contentsOf: repeatElement(0, count: exponent - fraction), at: 0)
      scale = 0
    default: return nil
    }
    guard scale < limit else { return nil }
    while digits.count > scale + 1, digits.last == 0 { digits.removeLast() }
    digits.append(contentsOf: repeatElement(0, count: max(0, scale + 1 - digits.count)))
    guard digits.count <= limit else { return nil }
  }

  static func + (left: Self, right: Self) -> Self {
    var (left, right) = (left, right)
    let scale = max(left.scale, right.scale)
    left.align(scale: scale)
    right.align(scale: scale)
    if left.isNegative == right.isNegative {
      left.combine(right) { $0 + $1 }
      return left
    }
    if left.hasSmallerMagnitude(than: right) { swap(&left, &right) }
    left.combine(right) { $0 - $1 }
    return left
  }

  var literal: String {
    var text: [UInt8] = isNegative && digits.contains { $0 != 0 } ? [UInt8(ascii: "-")] : []
    for (index, digit) in digits.enumerated().reversed() {
      text.append(digit + UInt8(ascii: "0"))
      if index == scale && scale > 0 { text.append(UInt8(ascii: ".")) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func align(scale: Int) {
    digits.insert(contentsOf: repeatElement(0, count: scale - self.scale), at: 0)
    self.scale = scale
  }

  private func hasSmallerMagnitude(than other: Self) -> Bool {
    if digits.count != other.digits.count { return digits.count < other.digits.count }
    return digits.reversed().lexicographicallyPrecedes(other.digits.reversed())
  }

  /// Adds or subtracts another number of the same scale digit by digit.
  private mutating func combine(_ other: Self, _ operation: (Int, Int) -> Int) {
    digits.append(contentsOf: repeatElement(0, count: max(0, other.digits.count - digits.count) + 1))
    var carry = 0
    for index in digits.indices {
      let operand = index < other.digits.count ? Int(other.digits[index]) : 0
      let result = operation(Int(digits[index]), operand) + carry
      let digit = (result + 10) % 10
      digits[index] = UInt8(digit)
      carry = (result - digit) / 10
    }
    while digits.count > scale + 1, digits.last == 0 { digits.removeLast() }
  }
}
