/// Writes the elements of an array.
struct UnkeyedNodeContainer: UnkeyedEncodingContainer {
  let node: EncodingNode

  var codingPath: [any CodingKey] { node.codingPath }
  var count: Int { node.count }

  func encodeNil() { node.append(.null) }
  func encode(_ value: Float) throws {
    try node.append(JSONValue(finite: value, at: .index(node.count, in: node.path)))
  }
  func encode<T: FixedWidthInteger & Encodable>(_ value: T) { node.append(.number(JSONNumber(value))) }
  // For these the standard library has defaults, which throw, and which it takes before a generic method.
  func encode(_ value: Int128) { node.append(.number(JSONNumber(value))) }
  func encode(_ value: UInt128) { node.append(.number(JSONNumber(value))) }
  // Other scalars, too, which are taken over.
  func encode<T: Encodable>(_ value: T) throws {
    node.append(try node.dump(value, at: .index(node.count, in: node.path)) ?? .nothing)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(KeyedNodeContainer<NestedKey>(node: node.appendPart(.object)))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedNodeContainer(node: node.appendPart(.array))
  }

  func superEncoder() -> any Encoder { node.appendPart() }
}
