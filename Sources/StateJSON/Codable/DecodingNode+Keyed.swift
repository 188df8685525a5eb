/// Reads the members of an object.
struct KeyedObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let text: DecodingText
  let object: Int

  var codingPath: [any CodingKey] { text.codingPath(to: object) }
  var allKeys: [Key] {
    text.read { taped in taped.keys(of: object).compactMap { Key(stringValue: taped.string(at: $0)) } }
  }

  func contains(_ key: Key) -> Bool { text.member(key, of: object) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try text.isNull(place(of: key, as: JSONValue.self)) }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try text.bool(at: place(of: key, as: type)) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try text.string(at: place(of: key, as: type)) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try text.double(at: place(of: key, as: type)) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try text.float(at: place(of: key, as: type)) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try text.integer(at: place(of: key, as: type)) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try text.integer(at: place(of: key, as: type)) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try text.integer(at: place(of: key, as: type)) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try text.integer(at: place(of: key, as: type)) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try text.integer(at: place(of: key, as: type)) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try text.integer(at: place(of: key, as: type)) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try text.integer(at: place(of: key, as: type)) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try text.integer(at: place(of: key, as: type)) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try text.integer(at: place(of: key, as: type)) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try text.integer(at: place(of: key, as: type)) }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try text.integer(at: place(of: key, as: type)) }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try text.integer(at: place(of: key, as: type))
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try text.decode(type, at: place(of: key, as: type))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try node(key, as: JSONObject.self).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try node(key, as: [JSONValue].self).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { superDecoder(at: AnyCodingKey.super) }
  func superDecoder(forKey key: Key) -> any Decoder { superDecoder(at: key) }

  /// A missing key reads as `null`, which a superclass that wants nothing accepts.
  private func superDecoder(at key: some CodingKey) -> any Decoder {
    DecodingNode(text: text, place: text.memberOrNull(key, of: object))
  }

  private func node<T>(_ key: Key, as type: T.Type) throws -> DecodingNode {
    DecodingNode(text: text, place: try place(of: key, as: type))
  }

  private func place<T>(of key: Key, as type: T.Type) throws -> Int {
    if let place = text.member(key, of: object) { return place }
    throw DecodingError.keyNotFound(
      key,
      .init(codingPath: codingPath, debugDescription: "missing; expected \(Expectation.of(type))"))
  }
}
