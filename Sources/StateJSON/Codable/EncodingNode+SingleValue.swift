/// Writes a value that is neither array nor object, or passes another value through.
struct SingleValueNodeContainer: SingleValueEncodingContainer {
  let node: EncodingNode

  var codingPath: [any CodingKey] { node.codingPath }

  mutating func encodeNil() { node.setSingle(EncodedPart(.null)) }
  mutating func encode(_ value: Bool) { node.setSingle(EncodedPart(.bool(value))) }
  mutating func encode(_ value: String) { node.setSingle(EncodedPart(.string(value))) }
  mutating func encode(_ value: Double) throws {
    try node.setSingle(EncodedPart(JSONValue(finite: value, at: node.path)))
  }
  mutating func encode(_ value: Float) throws {
    try node.setSingle(EncodedPart(JSONValue(finite: value, at: node.path)))
  }
  mutating func encode<T: FixedWidthInteger & Encodable>(_ value: T) {
    node.setSingle(EncodedPart(.number(JSONNumber(value))))
  }
  // For these the standard library has defaults, which throw, and which it takes before a generic method.
  mutating func encode(_ value: Int128) { node.setSingle(EncodedPart(.number(JSONNumber(value)))) }
  mutating func encode(_ value: UInt128) { node.setSingle(EncodedPart(.number(JSONNumber(value)))) }
  mutating func encode<T: Encodable>(_ value: T) throws {
    node.setSingle(try node.dump(value, at: node.path) ?? .nothing)
  }
}
