/// The exact value of a number literal: ±0.d₁d₂…dₙ × 10^exponent, where neither d₁ nor dₙ is 0, and zero has no digits.
///
/// Each value has one such form, so that equality and hashes are those of the parts.
struct ExactDecimal: Hashable {
  let isNegative: Bool
  /// ASCII digits.
  let digits: [UInt8]
  let exponent: DecimalExponent

  var isZero: Bool { digits.isEmpty }

  init(_ number: JSONNumber) {
    self = number.literal.withContiguousUTF8 { Self(validLiteral: $0) }
  }

  private init(validLiteral text: UnsafeBufferPointer<UInt8>) {
    let isNegative = text.first == UInt8(ascii: "-")
    let mantissaStart = isNegative ? 1 : 0
    let mantissaEnd = text.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? text.count

    var digits: [UInt8] = []
    var pointPosition: Int?
    var leadingZeros = 0
    for (position, byte) in text[mantissaStart..<mantissaEnd].enumerated() {
      if byte == UInt8(ascii: ".") {
        pointPosition = position
      } else if byte == UInt8(ascii: "0") && digits.isEmpty {
        leadingZeros += 1
      } else {
        digits.append(byte)
      }
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }

    guard !digits.isEmpty else {
      (self.isNegative, self.digits, exponent) = (false, [], .small(0))
      return
    }
    self.isNegative = isNegative
    self.digits = digits
    let integerDigits = pointPosition ?? (mantissaEnd - mantissaStart)
    exponent = DecimalExponent(literal: text[min(mantissaEnd + 1, text.count)...], plus: integerDigits - leadingZeros)
  }
}

extension ExactDecimal: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    guard left.sign == right.sign else { return left.sign < right.sign }
    return left.isNegative ? right.hasSmallerMagnitude(than: left) : left.hasSmallerMagnitude(than: right)
  }

  private var sign: Int { isZero ? 0 : isNegative ? -1 : 1 }

  private func hasSmallerMagnitude(than other: Self) -> Bool {
    if exponent != other.exponent { return exponent < other.exponent }
    return digits.lexicographicallyPrecedes(other.digits)
  }
}

/// An exponent of ten of any size: as an `Int` below 10^18 in magnitude, and as digits from there on.
enum DecimalExponent: Hashable {
  case small(Int)
  /// The ASCII digits of the magnitude, without leading zeros: 19 or more.
  case large(isNegative: Bool, magnitude: [UInt8])

  private static let smallDigits = 18

  /// The sum of an exponent literal (`+5`, `-07`; empty counts as 0) and a number of digits.
  init(literal: some Collection<UInt8>, plus offset: Int) {
    let isNegative = literal.first == UInt8(ascii: "-")
    let magnitude = Array(literal.drop { $0 < UInt8(ascii: "1") || $0 > UInt8(ascii: "9") })
    if magnitude.count <= Self.smallDigits {
      let value = Self.integer(magnitude)
      let sum = (isNegative ? -value : value) + offset
      self.init(isNegative: sum < 0, magnitude: Array("\(sum.magnitude)".utf8))
    } else {
      // An offset counts characters of the literal, so it is far smaller than 10^18, and the sign stays.
      self.init(isNegative: isNegative, magnitude: Self.add(isNegative ? -offset : offset, to: magnitude))
    }
  }

  private init(isNegative: Bool, magnitude: [UInt8]) {
    let digits = magnitude.drop { $0 == UInt8(ascii: "0") }
    if digits.count > Self.smallDigits {
      self = .large(isNegative: isNegative, magnitude: Array(digits))
    } else {
      self = .small(isNegative ? -Self.integer(digits) : Self.integer(digits))
    }
  }

  private static func integer(_ digits: some Sequence<UInt8>) -> Int {
    digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// Adds a small number to a larger magnitude, digit by digit from the right.
  private static func add(_ offset: Int, to magnitude: [UInt8]) -> [UInt8] {
    var result = magnitude
    var carry = offset
    for index in result.indices.reversed() {
      if carry == 0 { return result }
      let sum = Int(result[index] - UInt8(ascii: "0")) + carry
      // Rounding down keeps the digit in 0...9 where the offset is negative, too.
      let digit = ((sum % 10) + 10) % 10
      result[index] = UInt8(digit) + UInt8(ascii: "0")
      carry = (sum - digit) / 10
    }
    return carry == 0 ? result : Array("\(carry)".utf8) + result
  }
}

extension DecimalExponent: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.small(let left), .small(let right)): left < right
    case (.small, .large(let isNegative, _)): !isNegative
    case (.large(let isNegative, _), .small): isNegative
    case (.large(true, let left), .large(true, let right)): isShorterOrSmaller(right, left)
    case (.large(false, let left), .large(false, let right)): isShorterOrSmaller(left, right)
    case (.large(let isNegative, _), .large): isNegative
    }
  }

  private static func isShorterOrSmaller(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count != right.count ? left.count < right.count : left.lexicographicallyPrecedes(right)
  }
}
