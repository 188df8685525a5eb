/// A hash in few digits: as its bytes in Base 64 with the alphabet for URLs and file names, without padding (RFC 4648, section 5).
extension ContentHash {
  /// How many digits that takes.
  private static let base64Count = 22
  /// How many bits of the last digit are left over: zeros.
  private static let spareBits = base64Count * 6 - 128

  /// A hash from such digits in ASCII; nil unless they are those of one.
  package init?(base64 digits: ArraySlice<UInt8>) {
    guard digits.count == Self.base64Count, let last = digits.last.flatMap(Self.value(of:)),
      last & (1 << Self.spareBits - 1) == 0
    else { return nil }
    var bits: UInt128 = 0
    for digit in digits.dropLast() {
      guard let value = Self.value(of: digit) else { return nil }
      bits = bits << 6 | UInt128(value)
    }
    bits = bits << UInt128(6 - Self.spareBits) | UInt128(last >> Self.spareBits)
    self.init(high: UInt64(truncatingIfNeeded: bits >> 64), low: UInt64(truncatingIfNeeded: bits))
  }

  /// Adds such digits to a text, in ASCII.
  package func writeBase64(to text: inout [UInt8]) {
    // The bits from the 60th on, which both halves have.
    let middle = high << 60 | low >> 4
    for place in 1...10 { text.append(Self.digit(of: high >> UInt64(64 - 6 * place))) }
    for place in 1...10 { text.append(Self.digit(of: middle >> UInt64(64 - 6 * place))) }
    text.append(Self.digit(of: low >> 2))
    text.append(Self.digit(of: low << UInt64(Self.spareBits)))
  }

  /// The digit of the last six bits.
  private static func digit(of bits: UInt64) -> UInt8 {
    let value = UInt8(truncatingIfNeeded: bits) & 63
    return switch value {
    case 0..<26: UInt8(ascii: "A") + value
    case 26..<52: UInt8(ascii: "a") + value - 26
    case 52..<62: UInt8(ascii: "0") + value - 52
    case 62: UInt8(ascii: "-")
    default: UInt8(ascii: "_")
    }
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
