/// Writes the elements of an array.
struct UnkeyedPlaceContainer: UnkeyedEncodingContainer {
  let place: EncodingPlace

  var codingPath: [any CodingKey] { place.codingPath }
  var count: Int { place.text.count(place) }

  func encodeNil() throws {
    try place.text.element(place)
    place.text.null()
  }
  func encode(_ value: Bool) throws {
    try place.text.element(place)
    place.text.write(value)
  }
  func encode(_ value: String) throws {
    try place.text.element(place)
    place.text.write(value)
  }
  func encode(_ value: Double) throws {
    try place.text.element(place)
    try place.text.write(value)
  }
  func encode(_ value: Float) throws {
    try place.text.element(place)
    try place.text.write(value)
  }
  @inline(__always)
  func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws {
    try place.text.element(place)
    place.text.write(value)
  }
  // For these the standard library has defaults, which throw, and which it takes before a generic method.
  func encode(_ value: Int128) throws {
    try place.text.element(place)
    place.text.write(value)
  }
  func encode(_ value: UInt128) throws {
    try place.text.element(place)
    place.text.write(value)
  }
  func encode<T: Encodable>(_ value: T) throws {
    try place.text.element(place)
    try place.text.encode(value)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    place.text.container(keyedBy: type, at: part(.object))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedPlaceContainer(place: part(.array)) }

  func superEncoder() -> any Encoder { part(.undecided) }

  private func part(_ shape: EncodedShape) -> EncodingPlace {
    place.part(shape) { try place.text.element(place) }
  }
}
