/// Writes a value that is neither array nor object, or passes another value through.
extension EncodingPlace: SingleValueEncodingContainer {
  func encodeNil() throws {
    try text.become(.single, self)
    text.null()
  }
  func encode(_ value: Bool) throws {
    try text.become(.single, self)
    text.write(value)
  }
  func encode(_ value: String) throws {
    try text.become(.single, self)
    text.write(value)
  }
  func encode(_ value: Double) throws {
    try text.become(.single, self)
    try text.write(value)
  }
  func encode(_ value: Float) throws {
    try text.become(.single, self)
    try text.write(value)
  }
  @inline(__always)
  func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws {
    try text.become(.single, self)
    text.write(value)
  }
  // For these the standard library has defaults, which throw, and which it takes before a generic method.
  func encode(_ value: Int128) throws {
    try text.become(.single, self)
    text.write(value)
  }
  func encode(_ value: UInt128) throws {
    try text.become(.single, self)
    text.write(value)
  }
  func encode<T: Encodable>(_ value: T) throws {
    try text.become(.single, self)
    try text.encode(value)
  }
}
