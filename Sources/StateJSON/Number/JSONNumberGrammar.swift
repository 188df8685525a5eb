/// The number grammar of RFC 8259, section 6: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
enum JSONNumberGrammar {
  /// Where a text leaves the grammar.
  struct Violation: Error {
    let offset: Int
    let message: String
  }

  /// The end of the number that begins at `start`, as the longest text that fits the grammar.
  static func end(in text: UnsafeBufferPointer<UInt8>, from start: Int) throws(Violation) -> Int {
    var position = start

    func at(_ character: Unicode.Scalar) -> Bool { position < text.count && text[position] == UInt8(ascii: character) }

    func digits(after what: StaticString) throws(Violation) {
      let first = position
      while position < text.count, text[position].isDigit { position += 1 }
      if position == first { throw Violation(offset: position, message: "expected a digit after \(what)") }
    }

    if at("-") { position += 1 }
    if at("0") {
      position += 1
      if position < text.count, text[position].isDigit {
        throw Violation(offset: position, message: "expected no digit after a leading 0")
      }
    } else {
      try digits(after: "'-'")
    }
    if at(".") {
      position += 1
      try digits(after: "'.'")
    }
    if at("e") || at("E") {
      position += 1
      if at("+") || at("-") { position += 1 }
      try digits(after: "the exponent mark")
    }
    return position
  }
}

extension UInt8 {
  /// Whether this is one of the ASCII digits.
  @inline(__always) var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}
