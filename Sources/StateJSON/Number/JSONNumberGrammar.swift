/// The number grammar of RFC 8259, section 6: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
enum JSONNumberGrammar {
  /// Where a text leaves the grammar.
  struct Violation: Error {
    let offset: Int
    let message: String
  }

  /// The end of the number that begins at `start`, as the longest text that fits the grammar.
  static func end(in text: UnsafeBufferPointer<UInt8>, from start: Int) throws(Violation) -> Int {
    // Handed on and not captured, since each access to what a throwing closure captures is checked.
    func has(_ character: Unicode.Scalar, at position: Int) -> Bool {
      position < text.count && text[position] == UInt8(ascii: character)
    }

    var position = has("-", at: start) ? start + 1 : start
    if has("0", at: position) {
      position += 1
      if position < text.count, text[position].isDigit {
        throw Violation(offset: position, message: "expected no digit after a leading 0")
      }
    } else {
      position = try endOfDigits(in: text, from: position, after: "'-'")
    }
    if has(".", at: position) { position = try endOfDigits(in: text, from: position + 1, after: "'.'") }
    if has("e", at: position) || has("E", at: position) {
      position += 1
      if has("+", at: position) || has("-", at: position) { position += 1 }
      position = try endOfDigits(in: text, from: position, after: "the exponent mark")
    }
    return position
  }

  @inline(__always)
  private static func endOfDigits(
    in text: UnsafeBufferPointer<UInt8>, from first: Int, after what: StaticString
  ) throws(Violation) -> Int {
    var position = first
    while position < text.count, text[position].isDigit { position += 1 }
    if position == first { throw Violation(offset: position, message: "expected a digit after \(what)") }
    return position
  }
}

extension UInt8 {
  /// Whether this is one of the ASCII digits.
  @inline(__always) var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}
