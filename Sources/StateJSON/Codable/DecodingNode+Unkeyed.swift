/// Reads the elements of an array, one after the other. An element that can't be read stays the next one.
struct UnkeyedArrayContainer: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let path: CodingPathNode
  let options: JSONValueDecoder
  private(set) var currentIndex = 0

  init(elements: [JSONValue], path: CodingPathNode, options: JSONValueDecoder) {
    self.elements = elements
    self.path = path
    self.options = options
  }

  var codingPath: [any CodingKey] { path.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() throws -> Bool {
    guard try peek(JSONValue.self).isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { advance(past: try peek(type).decodedBool(at: place)) }
  mutating func decode(_ type: String.Type) throws -> String { advance(past: try peek(type).decodedString(at: place)) }
  mutating func decode(_ type: Double.Type) throws -> Double { advance(past: try peek(type).decodedDouble(at: place)) }
  mutating func decode(_ type: Float.Type) throws -> Float { advance(past: try peek(type).decodedFloat(at: place)) }
  mutating func decode(_ type: Int.Type) throws -> Int { advance(past: try peek(type).decodedInteger(at: place)) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { advance(past: try peek(type).decodedInteger(at: place)) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { advance(past: try peek(type).decodedInteger(at: place)) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { advance(past: try peek(type).decodedInteger(at: place)) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { advance(past: try peek(type).decodedInteger(at: place)) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { advance(past: try peek(type).decodedInteger(at: place)) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { advance(past: try peek(type).decodedInteger(at: place)) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { advance(past: try peek(type).decodedInteger(at: place)) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { advance(past: try peek(type).decodedInteger(at: place)) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { advance(past: try peek(type).decodedInteger(at: place)) }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  mutating func decode(_ type: Int128.Type) throws -> Int128 { advance(past: try peek(type).decodedInteger(at: place)) }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    advance(past: try peek(type).decodedInteger(at: place))
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    advance(past: try options.decode(type, from: peek(type), at: place))
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
  private mutating func advance<T>(past element: T) -> T {
    currentIndex += 1
    return element
  }

  private var place: CodingPathNode { .index(currentIndex, in: path) }

  private func node<T>(_ type: T.Type) throws -> DecodingNode {
    DecodingNode(value: try peek(type), path: place, options: options)
  }

  private func peek<T>(_ type: T.Type) throws -> JSONValue {
    if !isAtEnd { return elements[currentIndex] }
    throw DecodingError.valueNotFound(
      type,
      .init(
        codingPath: place.codingPath,
        debugDescription: "missing; expected \(Expectation.of(type)), found the end of an array of \(elements.count)"))
  }
}
