extension JSONParser {
  /// Parses the string that begins here.
  mutating func parseString() throws(JSONParseError) -> String {
    position += 1
    let start = position
    try skipPlainText()
    if text[position] == UInt8(ascii: "\"") {
      defer { position += 1 }
      return String(decoding: UnsafeBufferPointer(rebasing: text[start..<position]), as: UTF8.self)
    }

    unescaped.removeAll(keepingCapacity: true)
    unescaped.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<position]))
    while text[position] != UInt8(ascii: "\"") {
      try parseEscape()
      let start = position
      try skipPlainText()
      unescaped.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<position]))
    }
    position += 1
    return String(decoding: unescaped, as: UTF8.self)
  }

  /// Moves to the next quotation mark or backslash.
  private mutating func skipPlainText() throws(JSONParseError) {
    while true {
      position = text.endOfPlainText(from: position)
      guard position < text.count else { throw unexpected("'\"' at the end of the string") }
      switch text[position] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        return
      case 0x80...:
        let length = text.lengthOfScalar(at: position)
        guard length > 0 else { throw invalidUTF8() }
        position += length
      case let control:
        throw failure("control character in a string; expected its escape \(JSONWriter.escape(of: control))")
      }
    }
  }

  private mutating func parseEscape() throws(JSONParseError) {
    let start = position
    position += 1
    guard position < text.count else { throw unexpected("an escape after '\\'") }
    let byte: UInt8
    switch text[position] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte = text[position]
    case UInt8(ascii: "b"): byte = 0x08
    case UInt8(ascii: "f"): byte = 0x0C
    case UInt8(ascii: "n"): byte = 0x0A
    case UInt8(ascii: "r"): byte = 0x0D
    case UInt8(ascii: "t"): byte = 0x09
    case UInt8(ascii: "u"):
      position += 1
      unescaped.append(contentsOf: UTF8.encode(try parseUnicodeEscape(from: start))!)
      return
    default: throw unexpected("one of '\"', '\\', '/', 'b', 'f', 'n', 'r', 't' or 'u' after '\\'")
    }
    unescaped.append(byte)
    position += 1
  }

  /// The scalar of one `\uXXXX`, or of the two that make a surrogate pair; the position is after the first `\u`.
  private mutating func parseUnicodeEscape(from start: Int) throws(JSONParseError) -> Unicode.Scalar {
    let first = try parseHexDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    if UTF16.isLeadSurrogate(first), position + 1 < text.count, text[position] == UInt8(ascii: "\\"),
      text[position + 1] == UInt8(ascii: "u")
    {
      position += 2
      let second = try parseHexDigits()
      if UTF16.isTrailSurrogate(second) {
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
      }
    }
    let escape = String(decoding: text[start..<start + 6], as: UTF8.self)
    position = start
    throw failure(
      UTF16.isLeadSurrogate(first)
        ? "lone surrogate \(escape); expected \\uDC00 to \\uDFFF after it"
        : "lone surrogate \(escape); expected \\uD800 to \\uDBFF before it",
      code: .loneSurrogate)
  }

  private mutating func parseHexDigits() throws(JSONParseError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard position < text.count, let digit = text[position].hexDigitValue else {
        throw unexpected("four hexadecimal digits after '\\u'")
      }
      value = value << 4 | UInt16(digit)
      position += 1
    }
    return value
  }
}
