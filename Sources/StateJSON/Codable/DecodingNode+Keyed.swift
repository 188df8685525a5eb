/// Reads the members of an object.
struct KeyedObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONObject
  let path: CodingPathNode
  let options: JSONValueDecoder

  var codingPath: [any CodingKey] { path.codingPath }
  var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.key) } }

  func contains(_ key: Key) -> Bool { object.index(forKey: key.stringValue) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try value(key, as: JSONValue.self).isNull }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try value(key, as: type).decodedBool(at: place(key))
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try value(key, as: type).decodedString(at: place(key))
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try value(key, as: type).decodedDouble(at: place(key))
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try value(key, as: type).decodedFloat(at: place(key))
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try value(key, as: type).decodedInteger(at: place(key))
  }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try value(key, as: type).decodedInteger(at: place(key))
  }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try value(key, as: type).decodedInteger(at: place(key))
  }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try value(key, as: type).decodedInteger(at: place(key))
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try value(key, as: type).decodedInteger(at: place(key))
  }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try value(key, as: type).decodedInteger(at: place(key))
  }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try value(key, as: type).decodedInteger(at: place(key))
  }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try value(key, as: type).decodedInteger(at: place(key))
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try value(key, as: type).decodedInteger(at: place(key))
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try value(key, as: type).decodedInteger(at: place(key))
  }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try value(key, as: type).decodedInteger(at: place(key))
  }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try value(key, as: type).decodedInteger(at: place(key))
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try options.decode(type, from: value(key, as: type), at: place(key))
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
    DecodingNode(value: object[key.stringValue] ?? .null, path: .key(key, in: path), options: options)
  }

  private func place(_ key: Key) -> CodingPathNode { .key(key, in: path) }

  private func node<T>(_ key: Key, as type: T.Type) throws -> DecodingNode {
    DecodingNode(value: try value(key, as: type), path: place(key), options: options)
  }

  private func value<T>(_ key: Key, as type: T.Type) throws -> JSONValue {
    if let index = object.index(forKey: key.stringValue) { return object.members[index].value }
    throw DecodingError.keyNotFound(
      key,
      .init(codingPath: codingPath, debugDescription: "missing; expected \(Expectation.of(type))"))
  }
}
