/// Which level a container writes the members of.
final class LevelPlace {
  // Nothing else is accessed while one of these is.
  @exclusivity(unchecked) private(set) var index: Int
  @exclusivity(unchecked) private(set) var serial: Int

  init(_ place: EncodingPlace) { (index, serial) = (place.index, place.serial) }

  @inline(__always)
  func move(to place: EncodingPlace) { (index, serial) = (place.index, place.serial) }
}

/// Writes the members of an object.
struct KeyedPlaceContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let text: EncodingText
  let level: LevelPlace

  private var place: EncodingPlace {
    @inline(__always) get { EncodingPlace(text: text, index: level.index, serial: level.serial) }
  }

  var codingPath: [any CodingKey] { place.codingPath }

  mutating func encodeNil(forKey key: Key) throws {
    try text.member(key, of: level)
    text.null()
  }
  mutating func encode(_ value: Bool, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  mutating func encode(_ value: String, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  mutating func encode(_ value: Double, forKey key: Key) throws {
    try text.member(key, of: level)
    try text.write(value)
  }
  mutating func encode(_ value: Float, forKey key: Key) throws {
    try text.member(key, of: level)
    try text.write(value)
  }
  mutating func encode(_ value: Int, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  mutating func encode(_ value: Int8, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  mutating func encode(_ value: Int16, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  mutating func encode(_ value: Int32, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  mutating func encode(_ value: Int64, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  mutating func encode(_ value: UInt, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  mutating func encode(_ value: UInt8, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  mutating func encode(_ value: UInt16, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  mutating func encode(_ value: UInt32, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  mutating func encode(_ value: UInt64, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  mutating func encode(_ value: Int128, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  mutating func encode(_ value: UInt128, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try text.member(key, of: level)
    try text.encode(value)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    text.container(keyedBy: type, at: part(key, .object))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    UnkeyedPlaceContainer(place: part(key, .array))
  }

  mutating func superEncoder() -> any Encoder { part(AnyCodingKey.super, .undecided) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { part(key, .undecided) }

  private func part(_ key: some CodingKey, _ shape: EncodingText.Level.Shape) -> EncodingPlace {
    place.part(shape) { try text.member(key, of: level) }
  }
}
