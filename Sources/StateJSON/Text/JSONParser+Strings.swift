extension JSONParser {
  /// Moves over the string that begins here.
  mutating func parseString() throws(JSONParseError) -> JSONTape.Extent {
    position += 1
    let start = position
    var hasEscapes = false
    while true {
      position = text.endOfPlainText(from: position)
      guard position < text.count else { throw unexpected("'\"' at the end of the string") }
      switch text[position] {
      case UInt8(ascii: "\""):
        position += 1
        return JSONTape.Extent(length: position - 1 - start, isSpecial: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        try skipEscape()
      case 0x80...:
        let length = text.lengthOfScalar(at: position)
        guard length > 0 else { throw invalidUTF8() }
        position += length
      case let control:
        throw failure("control character in a string; expected its escape \(JSONEscape.escape(of: control))")
      }
    }
  }

  private mutating func skipEscape() throws(JSONParseError) {
    let start = position
    position += 1
    guard position < text.count else { throw unexpected("an escape after '\\'") }
    if text[position] == UInt8(ascii: "u") {
      position += 1
      try skipUnicodeEscape(from: start)
    } else if JSONEscape.byte(after: text[position]) != nil {
      position += 1
    } else {
      throw unexpected("one of '\"', '\\', '/', 'b', 'f', 'n', 'r', 't' or 'u' after '\\'")
    }
  }

  /// Moves over the digits of one `\uXXXX`, or of the two that make a surrogate pair; the position is after the first
  /// `\u`.
  private mutating func skipUnicodeEscape(from start: Int) throws(JSONParseError) {
    let first = try skipHexDigits()
    if Unicode.Scalar(first) != nil { return }
    if UTF16.isLeadSurrogate(first), position + 1 < text.count, text[position] == UInt8(ascii: "\\"),
      text[position + 1] == UInt8(ascii: "u")
    {
      position += 2
      if UTF16.isTrailSurrogate(try skipHexDigits()) { return }
    }
    let escape = String(decoding: text[start..<start + 6], as: UTF8.self)
    position = start
    throw failure(
      UTF16.isLeadSurrogate(first)
        ? "lone surrogate \(escape); expected \\uDC00 to \\uDFFF after it"
        : "lone surrogate \(escape); expected \\uD800 to \\uDBFF before it",
      code: .loneSurrogate)
  }

  private mutating func skipHexDigits() throws(JSONParseError) -> UInt16 {
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
