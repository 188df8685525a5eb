/// A text and its tape, on loan: what stands where.
///
/// A value is named by the index of its first entry.
package struct TapedText {
  let text: UnsafeBufferPointer<UInt8>
  let tape: UnsafeBufferPointer<JSONTape.Entry>

  /// What a value's first byte says about it.
  package enum Kind { case null, bool, number, string, array, object }

  // MARK: - Values

  @inline(__always) package func start(of value: Int) -> Int { Int(tape[value].start) }
  @inline(__always) package func firstByte(of value: Int) -> UInt8 { text[start(of: value)] }

  @inline(__always)
  package func kind(of value: Int) -> Kind {
    switch firstByte(of: value) {
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    case UInt8(ascii: "n"): .null
    default: .number
    }
  }

  @inline(__always)
  package func isContainer(_ value: Int) -> Bool {
    // `[` and `{`, which differ in one bit.
    firstByte(of: value) | 0x20 == UInt8(ascii: "{")
  }

  /// Where the value's text ends.
  @inline(__always)
  package func end(of value: Int) -> Int {
    if isContainer(value) { return Int(tape[value + 1].start) }
    let quotes = firstByte(of: value) == UInt8(ascii: "\"") ? 2 : 0
    return start(of: value) + extent(of: value).length + quotes
  }

  @inline(__always) package func range(of value: Int) -> Range<Int> { start(of: value)..<end(of: value) }

  /// The bytes of a value, or of several that follow each other.
  @inline(__always)
  package func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: text[range]) }

  /// The entry after those of a value: that of the next one, if there is one.
  @inline(__always)
  package func next(after value: Int) -> Int { value + (isContainer(value) ? Int(tape[value].detail) : 1) }

  // MARK: - Containers

  /// How many elements or members a container has.
  @inline(__always) package func count(of container: Int) -> Int { Int(tape[container + 1].detail) }

  /// The first element, or the first key; what comes after it, in an empty container.
  @inline(__always) package func firstItem(of container: Int) -> Int { container + 2 }

  /// The elements of an array in order.
  @inline(__always)
  package func elements(of array: Int) -> some Sequence<Int> { Items(self, of: array, begin: 0, value: 0) }

  /// The keys of an object in order; a value is right after its key.
  @inline(__always)
  package func keys(of object: Int) -> some Sequence<Int> { Items(self, of: object, begin: 0, value: 1) }

  /// The elements of an array, or the values of an object's members, in order.
  @inline(__always)
  func values(of container: Int) -> some Sequence<Int> {
    Items(self, of: container, begin: kind(of: container) == .object ? 1 : 0, value: 0)
  }

  /// One entry of each item of a container, in order.
  private struct Items: Sequence, IteratorProtocol {
    private let text: TapedText
    /// How far the entry is from the first one of the item, and the value from it.
    private let begin: Int
    private let value: Int
    private var upcoming: Int
    private var rest: Int

    @inline(__always)
    init(_ text: TapedText, of container: Int, begin: Int, value: Int) {
      (self.text, self.begin, self.value) = (text, begin, value)
      upcoming = text.firstItem(of: container) + begin
      rest = text.count(of: container)
    }

    @inline(__always)
    mutating func next() -> Int? {
      guard rest > 0 else { return nil }
      rest -= 1
      defer { upcoming = text.next(after: upcoming + value) + begin }
      return upcoming
    }
  }

  // MARK: - Scalars

  @inline(__always)
  func extent(of scalar: Int) -> JSONTape.Extent { JSONTape.Extent(detail: tape[scalar].detail) }

  /// Whether a string or a key says something else than what stands between its quotation marks.
  package func isEscaped(_ string: Int) -> Bool { extent(of: string).isSpecial }

  /// What stands between the quotation marks of a string or a key.
  @inline(__always)
  package func content(of string: Int) -> UnsafeBufferPointer<UInt8> {
    let start = start(of: string) + 1
    return bytes(start..<start + extent(of: string).length)
  }

  /// A string or a key, unescaped.
  @inline(__always)
  package func string(at string: Int) -> String {
    let content = content(of: string)
    return extent(of: string).isSpecial ? JSONEscape.unescaped(content) : String(decoding: content, as: UTF8.self)
  }

  /// A number as it is written.
  @inline(__always) func literal(at number: Int) -> UnsafeBufferPointer<UInt8> { bytes(range(of: number)) }

  package func number(at number: Int) -> JSONNumber {
    JSONNumber(unchecked: String(decoding: literal(at: number), as: UTF8.self))
  }
}
