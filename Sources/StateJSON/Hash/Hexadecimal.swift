extension UInt8 {
  /// A hexadecimal digit in ASCII, lower case, for 0...15.
  init(hexDigit value: UInt8) { self = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10 }
}

extension [UInt8] {
  /// Two digits for each byte, lower case.
  var hexadecimal: String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * count)
    for byte in self {
      text.append(UInt8(hexDigit: byte >> 4))
      text.append(UInt8(hexDigit: byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }
}
