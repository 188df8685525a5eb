/// A strict RFC 8259 parser over UTF-8 bytes, by recursive descent, that notes where each value stands.
///
/// Beyond the grammar it refuses what has no single meaning: duplicate keys, as I-JSON (RFC 7493) does, and escapes of
/// lone surrogates. Lines are counted only once something is wrong.
///
/// Most often an object in an array has the keys of the one before it, in the same order. As long as that is so, its keys
/// are compared with those, and need neither be looked at nor be told from each other.
struct JSONParser: ~Copyable {
  let text: UnsafeBufferPointer<UInt8>
  private let depthLimit: Int
  var position: Int
  private var depth = 0
  private var tape: GrowingBuffer<JSONTape.Entry>
  private var keys = OpenKeys()
  /// Of what has the same bytes there, the tape is copied.
  private var older: FormerText?

  /// The tape of a whole text, which may begin with a byte-order mark.
  static func parse(_ bytes: [UInt8], limits: JSONLimits) throws(JSONParseError) -> JSONTape {
    try bytes.withUnsafeBufferPointer { text throws(JSONParseError) in try parse(text, limits: limits) }
  }

  /// The same of bytes that stand anywhere.
  static func parse(_ text: UnsafeBufferPointer<UInt8>, limits: JSONLimits) throws(JSONParseError) -> JSONTape {
    let size = min(limits.size, JSONTape.maximumSize)
    guard text.count <= size else {
      throw JSONParseError(
        code: .tooLarge, offset: 0, line: 1, column: 1,
        message: "the text has \(text.count) bytes; expected at most \(size)")
    }
    var parser = JSONParser(text, depthLimit: min(limits.depth, JSONLimits.maximumDepth))
    return try parser.parseDocument()
  }

  /// The tape of a text that a writer has made of a value, however deep that is.
  static func parse(written bytes: [UInt8]) -> JSONTape {
    precondition(bytes.count <= JSONTape.maximumSize, "a text of \(bytes.count) bytes is too large")
    return bytes.withUnsafeBufferPointer { text in
      var parser = JSONParser(text, depthLimit: .max)
      do {
        return try parser.parseDocument()
      } catch {
        preconditionFailure("what was written isn't JSON: \(error)")
      }
    }
  }

  /// The entries of a value that is to stand at a range of a text, so deep, and has most likely become of one of an older text; `nil`
  /// if there is none.
  static func parse(
    valueAt range: Range<Int>, of text: UnsafeBufferPointer<UInt8>, depth: Int, depthLimit: Int,
    after former: Int, in older: FormerText
  ) -> [JSONTape.Entry]? {
    var parser = JSONParser(text, depthLimit: depthLimit)
    (parser.position, parser.depth, parser.older) = (range.lowerBound, depth, older)
    do {
      try parser.parseValue(expected: "a value", after: former)
    } catch {
      return nil
    }
    return parser.position == range.upperBound ? parser.tape.array() : nil
  }

  private init(_ text: UnsafeBufferPointer<UInt8>, depthLimit: Int) {
    self.text = text
    self.depthLimit = depthLimit
    position = text.byteOrderMarkLength
    tape = GrowingBuffer()
  }

  // MARK: - Values

  private mutating func parseDocument() throws(JSONParseError) -> JSONTape {
    // About what a text takes that is formatted in lines.
    tape = GrowingBuffer(minimumCapacity: text.count / 16 + 16)
    skipSpace()
    guard position < text.count else {
      throw failure("the text is empty; expected a value", code: .unexpectedEnd)
    }
    try parseValue(expected: "a value")
    skipSpace()
    guard position == text.count else { throw unexpected("the end of the text after the value") }
    return JSONTape(entries: tape.array())
  }

  /// Moves over a value, which may resemble one before it: the entry of that is known, and that of what it was in the older text.
  private mutating func parseValue(
    expected: StaticString, like model: Int? = nil, after former: Int? = nil
  ) throws(JSONParseError) {
    guard position < text.count else { throw unexpected(expected) }
    switch text[position] {
    case UInt8(ascii: "{"): if !skip(like: former) { try parseObject(like: model, after: former) }
    case UInt8(ascii: "["): if !skip(like: former) { try parseArray(like: model, after: former) }
    case UInt8(ascii: "\""):
      let start = position
      note(try parseString(), from: start)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try parseNumber()
    case UInt8(ascii: "t"): try parseWord("true")
    case UInt8(ascii: "f"): try parseWord("false")
    case UInt8(ascii: "n"): try parseWord("null")
    default: throw unexpected(expected)
    }
  }

  private mutating func parseWord(_ word: StaticString) throws(JSONParseError) {
    let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard text[position...].starts(with: letters) else {
      // A text that ends within the word is told from one that goes on differently.
      if letters.starts(with: text[position...]) { position = text.count }
      throw unexpected("'\(word)'")
    }
    note(JSONTape.Extent(length: letters.count, isSpecial: false), from: position)
    position += letters.count
  }

  private mutating func parseNumber() throws(JSONParseError) {
    let start = position
    // Most numbers are integers without a sign, and take no look at the whole grammar.
    while position < text.count, text[position].isDigit { position += 1 }
    let isInteger = position > start && (text[start] != UInt8(ascii: "0") || position == start + 1)
    if isInteger, position == text.count || !text[position].continuesNumber {
      note(JSONTape.Extent(length: position - start, isSpecial: false), from: start)
      return
    }
    do throws(JSONNumberGrammar.Violation) {
      position = try JSONNumberGrammar.end(in: text, from: start)
    } catch {
      position = error.offset
      throw position < text.count
        ? failure(error.message) : failure("unexpected end of input; \(error.message)", code: .unexpectedEnd)
    }
    let isSpecial = text[start..<position].contains { $0.continuesNumber }
    note(JSONTape.Extent(length: position - start, isSpecial: isSpecial), from: start)
  }

  private mutating func parseArray(like model: Int?, after former: Int?) throws(JSONParseError) {
    let array = try open()
    var formers = FormerItems(of: former, in: older)
    var count: UInt32 = 0
    skipSpace()
    if !skip(UInt8(ascii: "]")) {
      // Its first element may resemble that of the other array, and each of the others the one before it.
      var model = model.flatMap { firstByte(of: $0) == UInt8(ascii: "[") && tape[$0 + 1].detail > 0 ? $0 + 2 : nil }
      var expected: StaticString = "a value or ']'"
      repeat {
        let element = tape.count
        var former: Int?
        if let older { former = formers.element(at: position, of: text, in: older) }
        try parseValue(expected: expected, like: model, after: former)
        model = element
        expected = "a value after ','"
        count += 1
      } while try hasNext(before: "]")
    }
    close(array, count: count)
  }

  /// Moves to the item after a comma, or over the bracket that ends the container; returns whether there is an item.
  @inline(__always)
  private mutating func hasNext(before bracket: Unicode.Scalar) throws(JSONParseError) -> Bool {
    skipSpace()
    if skip(UInt8(ascii: ",")) {
      skipSpace()
      return true
    }
    guard skip(UInt8(ascii: bracket)) else { throw unexpected("',' or '\(bracket)' after value") }
    return false
  }

  /// Moves over an array or an object that stands here as it stood in the older text.
  @inline(__always)
  private mutating func skip(like former: Int?) -> Bool {
    guard let former, let older, older.stands(former, at: position, of: text) else { return false }
    let (start, end) = (older.taped.start(of: former), older.taped.end(of: former))
    let shift = UInt32(truncatingIfNeeded: position - start)
    for entry in older.taped.tape[former..<older.taped.next(after: former)] {
      tape.append(JSONTape.Entry(start: entry.start &+ shift, detail: entry.detail))
    }
    position += end - start
    return true
  }

  private mutating func parseObject(like model: Int?, after former: Int?) throws(JSONParseError) {
    let object = try open()
    let firstKey = keys.begin()
    // The key of the other object that is the next here as well, if all were so far.
    var modelKey = model.flatMap { firstByte(of: $0) == UInt8(ascii: "{") ? $0 + 2 : nil }
    let modelEnd = model.map { next(after: $0) }
    var formers = FormerItems(of: former, in: older)
    var count: UInt32 = 0
    skipSpace()
    if !skip(UInt8(ascii: "}")) {
      var expectedKey: StaticString = "a key or '}'"
      repeat {
        if let key = modelKey, key == modelEnd || !skipKey(like: key) {
          modelKey = nil
          insertKeys(of: object, since: firstKey)
        }
        if modelKey == nil { try parseKey(expectedKey, since: firstKey) }
        var former: Int?
        if let older { former = formers.member(at: Int(tape[tape.count - 1].start), of: text, in: older) }
        skipSpace()
        guard skip(UInt8(ascii: ":")) else { throw unexpected("':' after key") }
        skipSpace()
        try parseValue(expected: "a value after ':'", like: modelKey.map { $0 + 1 }, after: former)
        modelKey = modelKey.map { next(after: $0 + 1) }
        expectedKey = "a key after ','"
        count += 1
      } while try hasNext(before: "}")
    }
    keys.end(firstKey)
    close(object, count: count)
  }

  private mutating func parseKey(_ expected: StaticString, since firstKey: Int) throws(JSONParseError) {
    let start = position
    guard start < text.count, text[start] == UInt8(ascii: "\"") else { throw unexpected(expected) }
    let extent = try parseString()
    let content = start + 1..<start + 1 + extent.length
    if let first = keys.insert(content, isEscaped: extent.isSpecial, entry: tape.count, in: text, since: firstKey) {
      throw duplicate(content, of: Int(tape[first].start))
    }
    note(extent, from: start)
  }

  /// Moves over a key that has the very text of another one.
  @inline(__always)
  private mutating func skipKey(like key: Int) -> Bool {
    let start = Int(tape[key].start)
    let length = JSONTape.Extent(detail: tape[key].detail).length + 2
    guard text.has(UnsafeBufferPointer(rebasing: text[start..<start + length]), at: position) else { return false }
    tape.append(JSONTape.Entry(start: UInt32(truncatingIfNeeded: position), detail: tape[key].detail))
    position += length
    return true
  }

  /// Inserts the keys so far of an object that has turned out to resemble no other. They differ, as those of the other do.
  private mutating func insertKeys(of object: Int, since firstKey: Int) {
    var key = object + 2
    while key < tape.count {
      let extent = JSONTape.Extent(detail: tape[key].detail)
      let start = Int(tape[key].start) + 1
      _ = keys.insert(
        start..<start + extent.length, isEscaped: extent.isSpecial, entry: key, in: text, since: firstKey)
      key = next(after: key + 1)
    }
  }

  // MARK: - The tape

  @inline(__always) private func firstByte(of value: Int) -> UInt8 { text[Int(tape[value].start)] }

  /// The entry after those of a value that has ended.
  @inline(__always)
  private func next(after value: Int) -> Int {
    // `[` and `{`, which differ in one bit.
    value + (firstByte(of: value) | 0x20 == UInt8(ascii: "{") ? Int(tape[value].detail) : 1)
  }

  @inline(__always)
  private mutating func note(_ extent: JSONTape.Extent, from start: Int) {
    tape.append(JSONTape.Entry(start: UInt32(truncatingIfNeeded: start), detail: extent.detail))
  }

  /// Notes a container that begins here, and moves into it; returns its entry.
  private mutating func open() throws(JSONParseError) -> Int {
    guard depth < depthLimit else { throw failure("nested deeper than \(depthLimit) levels", code: .tooDeep) }
    depth += 1
    tape.append(JSONTape.Entry(start: UInt32(position), detail: 0))
    tape.append(JSONTape.Entry(start: 0, detail: 0))
    position += 1
    return tape.count - 2
  }

  /// Notes how long a container is that has ended before this position.
  private mutating func close(_ container: Int, count: UInt32) {
    depth -= 1
    tape[container].detail = UInt32(tape.count - container)
    tape[container + 1] = JSONTape.Entry(start: UInt32(position), detail: count)
  }

  // MARK: - Bytes

  @inline(__always)
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard position < text.count, text[position] == byte else { return false }
    position += 1
    return true
  }

  @inline(__always)
  private mutating func skipSpace() {
    guard position < text.count, text[position] <= UInt8(ascii: " ") else { return }
    position = text.endOfSpace(from: position)
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

  private mutating func duplicate(_ content: Range<Int>, of first: Int) -> JSONParseError {
    let line = JSONLocation(offset: first, in: text).line
    position = content.lowerBound - 1
    let key = JSONEscape.unescaped(UnsafeBufferPointer(rebasing: text[content]))
    let shortened =
      key.unicodeScalars.count <= 60 ? key : "\(String(String.UnicodeScalarView(key.unicodeScalars.prefix(59))))…"
    return failure("duplicate key \(JSONValue.string(shortened)); first at line \(line)", code: .duplicateKey)
  }
}

extension UInt8 {
  /// Whether this goes on with a number after its integer digits.
  @inline(__always) fileprivate var continuesNumber: Bool {
    self == UInt8(ascii: ".") || self | 0x20 == UInt8(ascii: "e")
  }
}
