/// Writes the members of an object.
struct KeyedNodeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodingNode

  var codingPath: [any CodingKey] { node.codingPath }

  mutating func encodeNil(forKey key: Key) { node.set(.null, forKey: key) }
  mutating func encode(_ value: Bool, forKey key: Key) { node.set(.bool(value), forKey: key) }
  mutating func encode(_ value: String, forKey key: Key) { node.set(.string(value), forKey: key) }
  mutating func encode(_ value: Double, forKey key: Key) throws {
    try node.set(JSONValue(finite: value, at: .key(key, in: node.path)), forKey: key)
  }
  mutating func encode(_ value: Float, forKey key: Key) throws {
    try node.set(JSONValue(finite: value, at: .key(key, in: node.path)), forKey: key)
  }
  mutating func encode(_ value: Int, forKey key: Key) { node.set(.number(JSONNumber(value)), forKey: key) }
  mutating func encode(_ value: Int8, forKey key: Key) { node.set(.number(JSONNumber(value)), forKey: key) }
  mutating func encode(_ value: Int16, forKey key: Key) { node.set(.number(JSONNumber(value)), forKey: key) }
  mutating func encode(_ value: Int32, forKey key: Key) { node.set(.number(JSONNumber(value)), forKey: key) }
  mutating func encode(_ value: Int64, forKey key: Key) { node.set(.number(JSONNumber(value)), forKey: key) }
  mutating func encode(_ value: UInt, forKey key: Key) { node.set(.number(JSONNumber(value)), forKey: key) }
  mutating func encode(_ value: UInt8, forKey key: Key) { node.set(.number(JSONNumber(value)), forKey: key) }
  mutating func encode(_ value: UInt16, forKey key: Key) { node.set(.number(JSONNumber(value)), forKey: key) }
  mutating func encode(_ value: UInt32, forKey key: Key) { node.set(.number(JSONNumber(value)), forKey: key) }
  mutating func encode(_ value: UInt64, forKey key: Key) { node.set(.number(JSONNumber(value)), forKey: key) }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  mutating func encode(_ value: Int128, forKey key: Key) { node.set(.number(JSONNumber(value)), forKey: key) }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  mutating func encode(_ value: UInt128, forKey key: Key) { node.set(.number(JSONNumber(value)), forKey: key) }
  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    node.set(try node.dump(value, at: .key(key, in: node.path)) ?? .nothing, forKey: key)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(KeyedNodeContainer<NestedKey>(node: node.part(forKey: key, .object)))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    UnkeyedNodeContainer(node: node.part(forKey: key, .array))
  }

  mutating func superEncoder() -> any Encoder { node.part(forKey: AnyCodingKey.super) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { node.part(forKey: key) }
}
