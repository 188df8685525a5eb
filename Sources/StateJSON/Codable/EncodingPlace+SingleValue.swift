/// Writes a value that is neither array nor object, or passes another value through.
struct SingleValuePlaceContainer: SingleValueEncodingContainer {
  let place: EncodingPlace

  var codingPath: [any CodingKey] { place.codingPath }

  mutating func encodeNil() throws {
    try place.text.become(.single, place)
    place.text.null()
  }
  mutating func encode(_ value: Bool) throws {
    try place.text.become(.single, place)
    place.text.write(value)
  }
  mutating func encode(_ value: String) throws {
    try place.text.become(.single, place)
    place.text.write(value)
  }
  mutating func encode(_ value: Double) throws {
    try place.text.become(.single, place)
    try place.text.write(value)
  }
  mutating func encode(_ value: Float) throws {
    try place.text.become(.single, place)
    try place.text.write(value)
  }
  @inline(__always)
  mutating func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws {
    try place.text.become(.single, place)
    place.text.write(value)
  }
  // For these the standard library has defaults, which throw, and which it takes before a generic method.
  mutating func encode(_ value: Int128) throws {
    try place.text.become(.single, place)
    place.text.write(value)
  }
  mutating func encode(_ value: UInt128) throws {
    try place.text.become(.single, place)
    place.text.write(value)
  }
  mutating func encode<T: Encodable>(_ value: T) throws {
    try place.text.become(.single, place)
    try place.text.encode(value)
  }
}
