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
  mutating func encode(_ value: Int) { node.setSingle(EncodedPart(.number(JSONNumber(value)))) }
  mutating func encode(_ value: Int8) { node.setSingle(EncodedPart(.number(JSONNumber(value)))) }
  mutating func encode(_ value: Int16) { node.setSingle(EncodedPart(.number(JSONNumber(value)))) }
  mutating func encode(_ value: Int32) { node.setSingle(EncodedPart(.number(JSONNumber(value)))) }
  mutating func encode(_ value: Int64) { node.setSingle(EncodedPart(.number(JSONNumber(value)))) }
  mutating func encode(_ value: UInt) { node.setSingle(EncodedPart(.number(JSONNumber(value)))) }
  mutating func encode(_ value: UInt8) { node.setSingle(EncodedPart(.number(JSONNumber(value)))) }
  mutating func encode(_ value: UInt16) { node.setSingle(EncodedPart(.number(JSONNumber(value)))) }
  mutating func encode(_ value: UInt32) { node.setSingle(EncodedPart(.number(JSONNumber(value)))) }
  mutating func encode(_ value: UInt64) { node.setSingle(EncodedPart(.number(JSONNumber(value)))) }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  mutating func encode(_ value: Int128) { node.setSingle(EncodedPart(.number(JSONNumber(value)))) }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  mutating func encode(_ value: UInt128) { node.setSingle(EncodedPart(.number(JSONNumber(value)))) }
  mutating func encode<T: Encodable>(_ value: T) throws {
    node.setSingle(try node.dump(value, at: node.path) ?? .nothing)
  }
}
