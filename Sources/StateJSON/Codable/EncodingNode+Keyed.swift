/// Writes the members of an object.
struct KeyedNodeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodingNode

  var codingPath: [any CodingKey] { node.codingPath }

  func encodeNil(forKey key: Key) { node.set(.null, forKey: key) }
  func encode(_ value: Float, forKey key: Key) throws {
    try node.set(JSONValue(finite: value, at: .key(key, in: node.path)), forKey: key)
  }
  func encode<T: FixedWidthInteger & Encodable>(_ value: T, forKey key: Key) {
    node.set(.number(JSONNumber(value)), forKey: key)
  }
  // For these the standard library has defaults, which throw, and which it takes before a generic method.
  func encode(_ value: Int128, forKey key: Key) { node.set(.number(JSONNumber(value)), forKey: key) }
  func encode(_ value: UInt128, forKey key: Key) { node.set(.number(JSONNumber(value)), forKey: key) }
  // Other scalars, too, which are taken over.
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    node.set(try node.dump(value, at: .key(key, in: node.path)) ?? .nothing, forKey: key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(KeyedNodeContainer<NestedKey>(node: node.part(forKey: key, .object)))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    UnkeyedNodeContainer(node: node.part(forKey: key, .array))
  }

  func superEncoder() -> any Encoder { node.part(forKey: AnyCodingKey.super) }
  func superEncoder(forKey key: Key) -> any Encoder { node.part(forKey: key) }
}
