extension [UInt8] {
  /// Two digits for each byte, lower case.
  var hexadecimal: String {
    func digit(_ half: UInt8) -> UInt8 { half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") + half - 10 }
    var text: [UInt8] = []
    text.reserveCapacity(2 * count)
    for byte in self {
      text.append(digit(byte >> 4))
      text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes that pairs of hexadecimal digits stand for, or `nil` if anything else is in the text.
  init?(hexadecimal text: String) {
    self = []
    var high: UInt8?
    for digit in text.utf8 {
      guard let half = digit.hexDigitValue else { return nil }
      if let whole = high {
        append(whole << 4 | half)
        high = nil
      } else {
        high = half
      }
    }
    guard high == nil else { return nil }
  }
}
