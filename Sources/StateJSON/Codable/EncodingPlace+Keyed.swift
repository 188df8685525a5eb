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

  func encodeNil(forKey key: Key) throws {
    try text.member(key, of: level)
    text.null()
  }
  func encode(_ value: Bool, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  func encode(_ value: String, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  func encode(_ value: Double, forKey key: Key) throws {
    try text.member(key, of: level)
    try text.write(value)
  }
  func encode(_ value: Float, forKey key: Key) throws {
    try text.member(key, of: level)
    try text.write(value)
  }
  @inline(__always)
  func encode<T: FixedWidthInteger & Encodable>(_ value: T, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  // For these the standard library has defaults, which throw, and which it takes before a generic method.
  func encode(_ value: Int128, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  func encode(_ value: UInt128, forKey key: Key) throws {
    try text.member(key, of: level)
    text.write(value)
  }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try text.member(key, of: level)
    try text.encode(value)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    text.container(keyedBy: type, at: part(key, .object))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    UnkeyedPlaceContainer(place: part(key, .array))
  }

  func superEncoder() -> any Encoder { part(AnyCodingKey.super, .undecided) }
  func superEncoder(forKey key: Key) -> any Encoder { part(key, .undecided) }

  private func part(_ key: some CodingKey, _ shape: EncodedShape) -> EncodingPlace {
    place.part(shape) { try text.member(key, of: level) }
  }
}
