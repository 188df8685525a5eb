/// A strict RFC 8259 parser over UTF-8 bytes, by recursive descent.
///
/// Beyond the grammar it refuses what has no single meaning: duplicate keys, as I-JSON (RFC 7493) does, and escapes of
/// lone surrogates. Lines are counted only once something is wrong.
struct JSONParser {
  let text: UnsafeBufferPointer<UInt8>
  private let depthLimit: Int
  var position: Int
  private var depth = 0
  /// The unescaped text of the string being parsed; kept for its capacity.
  var unescaped: [UInt8] = []

  /// The value of a whole text, which may begin with a byte-order mark.
  static func parse(_ bytes: [UInt8], limits: JSONLimits) throws(JSONParseError) -> JSONValue {
    guard bytes.count <= limits.size else {
      throw JSONParseError(
        code: .tooLarge, offset: 0, line: 1, column: 1,
        message: "the text has \(bytes.count) bytes; expected at most \(limits.size)")
    }
    return try bytes.withUnsafeBufferPointer { text throws(JSONParseError) in
      var parser = JSONParser(text, limits: limits)
      return try parser.parseDocument()
    }
  }

  private init(_ text: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
    self.text = text
    depthLimit = min(limits.depth, JSONLimits.maximumDepth)
    position = text.byteOrderMarkLength
  }

  // MARK: - Values

  private mutating func parseDocument() throws(JSONParseError) -> JSONValue {
    skipSpace()
    guard position < text.count else {
      throw failure("the text is empty; expected a value", code: .unexpectedEnd)
    }
    let value = try parseValue(expected: "a value")
    skipSpace()
    guard position == text.count else { throw unexpected("the end of the text after the value") }
    return value
  }

  private mutating func parseValue(expected: StaticString) throws(JSONParseError) -> JSONValue {
    guard position < text.count else { throw unexpected(expected) }
    switch text[position] {
    case UInt8(ascii: "{"): return try parseObject()
    case UInt8(ascii: "["): return try parseArray()
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try parseNumber())
    case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
    case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    default: throw unexpected(expected)
    }
  }

  private mutating func parseWord(_ word: StaticString, _ value: JSONValue) throws(JSONParseError) -> JSONValue {
    let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard text[position...].starts(with: letters) else {
      // A text that ends within the word is told from one that goes on differently.
      if letters.starts(with: text[position...]) { position = text.count }
      throw unexpected("'\(word)'")
    }
    position += letters.count
    return value
  }

  private mutating func parseNumber() throws(JSONParseError) -> JSONNumber {
    let start = position
    do throws(JSONNumberGrammar.Violation) {
      position = try JSONNumberGrammar.end(in: text, from: start)
    } catch {
      position = error.offset
      throw position < text.count
        ? failure(error.message) : failure("unexpected end of input; \(error.message)", code: .unexpectedEnd)
    }
    return JSONNumber(unchecked: String(decoding: UnsafeBufferPointer(rebasing: text[start..<position]), as: UTF8.self))
  }

  private mutating func parseArray() throws(JSONParseError) -> JSONValue {
    try descend()
    defer { depth -= 1 }
    skipSpace()
    if skip(UInt8(ascii: "]")) { return .array([]) }
    var elements = [try parseValue(expected: "a value or ']'")]
    while true {
      skipSpace()
      if skip(UInt8(ascii: ",")) {
        skipSpace()
        elements.append(try parseValue(expected: "a value after ','"))
      } else if skip(UInt8(ascii: "]")) {
        return .array(elements)
      } else {
        throw unexpected("',' or ']' after value")
      }
    }
  }

  private mutating func parseObject() throws(JSONParseError) -> JSONValue {
    let start = position
    try descend()
    defer { depth -= 1 }
    var object = JSONObject()
    skipSpace()
    if skip(UInt8(ascii: "}")) { return .object(object) }
    var expectedKey: StaticString = "a key or '}'"
    while true {
      let keyStart = position
      guard position < text.count, text[position] == UInt8(ascii: "\"") else { throw unexpected(expectedKey) }
      let key = try parseString()
      skipSpace()
      guard skip(UInt8(ascii: ":")) else { throw unexpected("':' after key") }
      skipSpace()
      let value = try parseValue(expected: "a value after ':'")
      guard object.append(key, value) else { throw duplicate(key, at: keyStart, of: object, at: start) }
      skipSpace()
      if skip(UInt8(ascii: ",")) {
        skipSpace()
        expectedKey = "a key after ','"
      } else if skip(UInt8(ascii: "}")) {
        return .object(object)
      } else {
        throw unexpected("',' or '}' after value")
      }
    }
  }

  private mutating func descend() throws(JSONParseError) {
    guard depth < depthLimit else { throw failure("nested deeper than \(depthLimit) levels", code: .tooDeep) }
    depth += 1
    position += 1
  }

  @inline(__always)
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard position < text.count, text[position] == byte else { return false }
    position += 1
    return true
  }

  @inline(__always)
  private mutating func skipSpace() {
    while position < text.count, text[position].isJSONSpace { position += 1 }
  }

  // MARK: - Errors

  func failure(_ message: String, code: JSONParseError.Code = .syntax) -> JSONParseError {
    JSONParseError(code: code, location: JSONLocation(offset: position, in: text), message: message)
  }

  /// What is at the position isn't what was expected; that bytes are no UTF-8 at all goes first.
  func unexpected(_ expected: some CustomStringConvertible) -> JSONParseError {
    guard position < text.count else {
      return failure("unexpected end of input; expected \(expected)", code: .unexpectedEnd)
    }
    if text[position] >= 0x80 && text.lengthOfScalar(at: position) == 0 { return invalidUTF8() }
    return failure("expected \(expected)")
  }

  func invalidUTF8() -> JSONParseError {
    let byte = String(text[position], radix: 16, uppercase: true)
    return failure("invalid UTF-8: unexpected byte 0x\(byte)", code: .invalidUTF8)
  }

  private mutating func duplicate(
    _ key: String, at keyStart: Int, of object: JSONObject, at objectStart: Int
  ) -> JSONParseError {
    var scanner = JSONScanner(text, from: objectStart)
    scanner.enter(item: object.index(forKey: key) ?? 0)
    let line = JSONLocation(offset: scanner.position, in: text).line
    position = keyStart
    let shortened =
      key.unicodeScalars.count <= 60 ? key : "\(String(String.UnicodeScalarView(key.unicodeScalars.prefix(59))))…"
    return failure("duplicate key \(JSONValue.string(shortened)); first at line \(line)", code: .duplicateKey)
  }
}
