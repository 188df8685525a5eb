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
    let bits = UInt128(high) << 64 | UInt128(low)
    for place in 1..<Self.base64Count {
      text.append(Self.digit(of: UInt8(truncatingIfNeeded: bits >> UInt128(128 - 6 * place)) & 63))
    }
    text.append(Self.digit(of: UInt8(truncatingIfNeeded: bits << UInt128(Self.spareBits)) & 63))
  }

  private static func digit(of value: UInt8) -> UInt8 {
    switch value {
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
