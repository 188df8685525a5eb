/// Reads the members of an object.
struct KeyedObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: DecodingObject

  private var text: DecodingText { object.text }

  var codingPath: [any CodingKey] { text.codingPath(to: object.place) }
  var allKeys: [Key] {
    text.read { taped in taped.keys(of: object.place).compactMap { Key(stringValue: taped.string(at: $0)) } }
  }

  func contains(_ key: Key) -> Bool { object.member(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try text.isNull(place(of: key, as: JSONValue.self)) }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try text.bool(at: place(of: key, as: type)) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try text.string(at: place(of: key, as: type)) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try text.double(at: place(of: key, as: type)) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try text.float(at: place(of: key, as: type)) }
  @inline(__always)
  func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try text.integer(at: place(of: key, as: type))
  }
  // For these the standard library has defaults, which throw, and which it takes before a generic method.
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try text.integer(at: place(of: key, as: type)) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try text.integer(at: place(of: key, as: type))
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try text.decode(type, at: place(of: key, as: type))
  }

  // As the defaults of the standard library, but for that a member is looked for once. These too are taken before a generic
  // method, so that there is one for each type.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try presentPlace(of: key).map { try text.bool(at: $0) }
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try presentPlace(of: key).map { try text.string(at: $0) }
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try presentPlace(of: key).map { try text.double(at: $0) }
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try presentPlace(of: key).map { try text.float(at: $0) }
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try integer(ifPresent: key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try integer(ifPresent: key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try integer(ifPresent: key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try integer(ifPresent: key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try integer(ifPresent: key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try integer(ifPresent: key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try integer(ifPresent: key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try integer(ifPresent: key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try integer(ifPresent: key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try integer(ifPresent: key) }
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let place = presentPlace(of: key) else { return nil }
    return try text.decode(type, at: place)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try node(key, as: JSONObject.self).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try node(key, as: [JSONValue].self).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { superDecoder(at: AnyCodingKey.super) }
  func superDecoder(forKey key: Key) -> any Decoder { superDecoder(at: key) }

  /// A missing key reads as `null`, which a superclass that wants nothing accepts.
  private func superDecoder(at key: some CodingKey) -> any Decoder {
    DecodingNode(text: text, place: object.member(key) ?? text.null(for: key, of: object.place))
  }

  private func node<T>(_ key: Key, as type: T.Type) throws -> DecodingNode {
    DecodingNode(text: text, place: try place(of: key, as: type))
  }

  @inline(__always)
  private func integer<T: FixedWidthInteger>(ifPresent key: Key) throws -> T? {
    try presentPlace(of: key).map { try text.integer(at: $0) }
  }

  /// The place of a member that isn't `null`.
  private func presentPlace(of key: Key) -> Int? {
    guard let place = object.member(key), !text.isNull(place) else { return nil }
    return place
  }

  @inline(__always)
  private func place<T>(of key: Key, as type: T.Type) throws -> Int {
    guard let place = object.member(key) else { throw missing(key, type) }
    return place
  }

  private func missing<T>(_ key: Key, _ type: T.Type) -> DecodingError {
    .keyNotFound(
      key, .init(codingPath: codingPath, debugDescription: "missing; expected \(Expectation.of(type))"))
  }
}
