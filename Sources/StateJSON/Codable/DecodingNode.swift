/// A value being decoded, with its place.
struct DecodingNode: Decoder {
  let value: JSONValue
  let path: CodingPathNode
  let options: JSONValueDecoder

  var codingPath: [any CodingKey] { path.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object) = value else { throw value.mismatch(JSONObject.self, at: path) }
    return KeyedDecodingContainer(KeyedObjectContainer(object: object, path: path, options: options))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw value.mismatch([JSONValue].self, at: path) }
    return UnkeyedArrayContainer(elements: elements, path: path, options: options)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}
