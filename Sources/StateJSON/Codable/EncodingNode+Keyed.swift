/// Writes the members of an object.
struct KeyedNodeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodingNode

  var codingPath: [any CodingKey] { node.codingPath }

  mutating func encodeNil(forKey key: Key) { node.set(.null, forKey: key) }
  mutating func encode(_ value: Float, forKey key: Key) throws {
    try node.set(JSONValue(finite: value, at: .key(key, in: node.path)), forKey: key)
  }
  mutating func encode<T: FixedWidthInteger & Encodable>(_ value: T, forKey key: Key) {
    node.set(.number(JSONNumber(value)), forKey: key)
  }
  // For these the standard library has defaults, which throw, and which it takes before a generic method.
  mutating func encode(_ value: Int128, forKey key: Key) { node.set(.number(JSONNumber(value)), forKey: key) }
  mutating func encode(_ value: UInt128, forKey key: Key) { node.set(.number(JSONNumber(value)), forKey: key) }
  // Other scalars, too, which are taken over.
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
