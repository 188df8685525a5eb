/// The escapes of a string.
enum JSONEscape {
  /// The string that a valid text between quotation marks stands for.
  static func unescaped(_ text: UnsafeBufferPointer<UInt8>) -> String {
    // An escape is never shorter than what it stands for.
    String(unsafeUninitializedCapacity: text.count) { unescape(text, into: $0) }
  }

  /// Writes what a valid text between quotation marks stands for; returns how many bytes that are, at most as many as
  /// the text has.
  static func unescape(_ text: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var count = 0
    var position = 0
    while position < text.count {
      let byte = text[position]
      guard byte == UInt8(ascii: "\\") else {
        target[count] = byte
        count += 1
        position += 1
        continue
      }
      if text[position + 1] == UInt8(ascii: "u") {
        for byte in UTF8.encode(scalar(in: text, at: &position))! {
          target[count] = byte
          count += 1
        }
      } else {
        target[count] = self.byte(after: text[position + 1])!
        count += 1
        position += 2
      }
    }
    return count
  }

  /// What a backslash and a letter stand for, or `nil` where that is no escape.
  static func byte(after letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  /// The scalar of one `\uXXXX`, or of the two that make a surrogate pair, and moves over them.
  private static func scalar(in text: UnsafeBufferPointer<UInt8>, at position: inout Int) -> Unicode.Scalar {
    func unit() -> UInt16 {
      let digits = text[position + 2..<position + 6]
      position += 6
      return digits.reduce(0) { $0 << 4 | UInt16($1.hexDigitValue!) }
    }
    let first = unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    return UTF16.decode(UTF16.EncodedScalar([first, unit()]))
  }

  /// How a control character, `"` or `\` is written in a string.
  static func escape(of byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "\""): return "\\\""
    case UInt8(ascii: "\\"): return "\\\\"
    case 0x08: return "\\b"
    case 0x09: return "\\t"
    case 0x0A: return "\\n"
    case 0x0C: return "\\f"
    case 0x0D: return "\\r"
    default:
      let digits = String(byte, radix: 16, uppercase: true)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
