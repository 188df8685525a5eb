/// A value being decoded, with its place.
struct DecodingNode: Decoder {
  let text: DecodingText
  let place: Int

  var codingPath: [any CodingKey] { text.codingPath(to: place) }
  var userInfo: [CodingUserInfoKey: Any] { text.options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard text.isObject(place) else { throw text.mismatch(JSONObject.self, at: place) }
    return text.container(keyedBy: type, at: place)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard text.isArray(place) else { throw text.mismatch([JSONValue].self, at: place) }
    return UnkeyedArrayContainer(text: text, array: place)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}
