/// Writes a value that is neither array nor object, or passes another value through.
extension EncodingNode: SingleValueEncodingContainer {
  func encodeNil() { setSingle(EncodedPart(.null)) }
  func encode(_ value: Float) throws { try setSingle(EncodedPart(JSONValue(finite: value, at: path))) }
  func encode<T: FixedWidthInteger & Encodable>(_ value: T) { setSingle(EncodedPart(.number(JSONNumber(value)))) }
  // For these the standard library has defaults, which throw, and which it takes before a generic method.
  func encode(_ value: Int128) { setSingle(EncodedPart(.number(JSONNumber(value)))) }
  func encode(_ value: UInt128) { setSingle(EncodedPart(.number(JSONNumber(value)))) }
  // Other scalars, too, which are taken over.
  func encode<T: Encodable>(_ value: T) throws { setSingle(try dump(value, at: path) ?? .nothing) }
}
