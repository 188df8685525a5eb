/// Reads the elements of an array, one after the other. An element that can't be read stays the next one.
struct UnkeyedArrayContainer: UnkeyedDecodingContainer {
  let text: DecodingText
  let array: Int
  private(set) var currentIndex = 0
  /// The next element, unless this is the end.
  private var element: Int
  private let elements: Int

  init(text: DecodingText, array: Int) {
    self.text = text
    self.array = array
    (elements, element) = text.read { ($0.count(of: array), $0.firstItem(of: array)) }
  }

  var codingPath: [any CodingKey] { text.codingPath(to: array) }
  var count: Int? { elements }
  var isAtEnd: Bool { currentIndex >= elements }

  mutating func decodeNil() throws -> Bool {
    guard try text.isNull(next(JSONValue.self)) else { return false }
    advance()
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { advance(past: try text.bool(at: next(type))) }
  mutating func decode(_ type: String.Type) throws -> String { advance(past: try text.string(at: next(type))) }
  mutating func decode(_ type: Double.Type) throws -> Double { advance(past: try text.double(at: next(type))) }
  mutating func decode(_ type: Float.Type) throws -> Float { advance(past: try text.float(at: next(type))) }
  @inline(__always)
  mutating func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
    advance(past: try text.integer(at: next(type)))
  }
  // For these the standard library has defaults, which throw, and which it takes before a generic method.
  mutating func decode(_ type: Int128.Type) throws -> Int128 { advance(past: try text.integer(at: next(type))) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { advance(past: try text.integer(at: next(type))) }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    advance(past: try text.decode(type, at: next(type)))
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    advance(past: try node(JSONObject.self).container(keyedBy: type))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    advance(past: try node([JSONValue].self).unkeyedContainer())
  }

  mutating func superDecoder() throws -> any Decoder { advance(past: try node(JSONValue.self)) }

  /// Moves on, once the element has been read.
  private mutating func advance<T>(past value: T) -> T {
    advance()
    return value
  }

  private mutating func advance() {
    currentIndex += 1
    element = text.read { $0.next(after: element) }
  }

  private func node<T>(_ type: T.Type) throws -> DecodingNode { DecodingNode(text: text, place: try next(type)) }

  @inline(__always)
  private func next<T>(_ type: T.Type) throws -> Int {
    if currentIndex < elements { return element }
    throw DecodingError.valueNotFound(
      type,
      .init(
        codingPath: codingPath + [AnyCodingKey(currentIndex)],
        debugDescription: "missing; expected \(Expectation.of(type)), found the end of an array of \(elements)"))
  }
}
