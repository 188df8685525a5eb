/// Writes the members of an object.
struct KeyedPlaceContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: EncodingPlace

  var codingPath: [any CodingKey] { place.codingPath }

  mutating func encodeNil(forKey key: Key) throws {
    try place.text.member(key, place)
    place.text.null()
  }
  mutating func encode(_ value: Bool, forKey key: Key) throws {
    try place.text.member(key, place)
    place.text.write(value)
  }
  mutating func encode(_ value: String, forKey key: Key) throws {
    try place.text.member(key, place)
    place.text.write(value)
  }
  mutating func encode(_ value: Double, forKey key: Key) throws {
    try place.text.member(key, place)
    try place.text.write(value)
  }
  mutating func encode(_ value: Float, forKey key: Key) throws {
    try place.text.member(key, place)
    try place.text.write(value)
  }
  mutating func encode(_ value: Int, forKey key: Key) throws {
    try place.text.member(key, place)
    place.text.write(value)
  }
  mutating func encode(_ value: Int8, forKey key: Key) throws {
    try place.text.member(key, place)
    place.text.write(value)
  }
  mutating func encode(_ value: Int16, forKey key: Key) throws {
    try place.text.member(key, place)
    place.text.write(value)
  }
  mutating func encode(_ value: Int32, forKey key: Key) throws {
    try place.text.member(key, place)
    place.text.write(value)
  }
  mutating func encode(_ value: Int64, forKey key: Key) throws {
    try place.text.member(key, place)
    place.text.write(value)
  }
  mutating func encode(_ value: UInt, forKey key: Key) throws {
    try place.text.member(key, place)
    place.text.write(value)
  }
  mutating func encode(_ value: UInt8, forKey key: Key) throws {
    try place.text.member(key, place)
    place.text.write(value)
  }
  mutating func encode(_ value: UInt16, forKey key: Key) throws {
    try place.text.member(key, place)
    place.text.write(value)
  }
  mutating func encode(_ value: UInt32, forKey key: Key) throws {
    try place.text.member(key, place)
    place.text.write(value)
  }
  mutating func encode(_ value: UInt64, forKey key: Key) throws {
    try place.text.member(key, place)
    place.text.write(value)
  }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  mutating func encode(_ value: Int128, forKey key: Key) throws {
    try place.text.member(key, place)
    place.text.write(value)
  }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  mutating func encode(_ value: UInt128, forKey key: Key) throws {
    try place.text.member(key, place)
    place.text.write(value)
  }
  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try place.text.member(key, place)
    try place.text.encode(value)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(KeyedPlaceContainer<NestedKey>(place: part(key, .object)))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    UnkeyedPlaceContainer(place: part(key, .array))
  }

  mutating func superEncoder() -> any Encoder { part(AnyCodingKey.super, .undecided) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { part(key, .undecided) }

  private func part(_ key: some CodingKey, _ shape: EncodingText.Level.Shape) -> EncodingPlace {
    place.part(shape) { try place.text.member(key, place) }
  }
}
