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
  mutating func encode(_ value: Int) throws {
    try place.text.become(.single, place)
    place.text.write(value)
  }
  mutating func encode(_ value: Int8) throws {
    try place.text.become(.single, place)
    place.text.write(value)
  }
  mutating func encode(_ value: Int16) throws {
    try place.text.become(.single, place)
    place.text.write(value)
  }
  mutating func encode(_ value: Int32) throws {
    try place.text.become(.single, place)
    place.text.write(value)
  }
  mutating func encode(_ value: Int64) throws {
    try place.text.become(.single, place)
    place.text.write(value)
  }
  mutating func encode(_ value: UInt) throws {
    try place.text.become(.single, place)
    place.text.write(value)
  }
  mutating func encode(_ value: UInt8) throws {
    try place.text.become(.single, place)
    place.text.write(value)
  }
  mutating func encode(_ value: UInt16) throws {
    try place.text.become(.single, place)
    place.text.write(value)
  }
  mutating func encode(_ value: UInt32) throws {
    try place.text.become(.single, place)
    place.text.write(value)
  }
  mutating func encode(_ value: UInt64) throws {
    try place.text.become(.single, place)
    place.text.write(value)
  }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  mutating func encode(_ value: Int128) throws {
    try place.text.become(.single, place)
    place.text.write(value)
  }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  mutating func encode(_ value: UInt128) throws {
    try place.text.become(.single, place)
    place.text.write(value)
  }
  mutating func encode<T: Encodable>(_ value: T) throws {
    try place.text.become(.single, place)
    try place.text.encode(value)
  }
}
