/// A value that is being encoded, and its place in the text.
struct EncodingPlace: Encoder {
  let text: EncodingText
  /// Which of the open levels this is, as long as that has the serial.
  let index: Int
  let serial: Int

  var codingPath: [any CodingKey] { text.codingPath(to: self) }
  var userInfo: [CodingUserInfoKey: Any] { text.options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    // A place that was left can't be told from here; the first write to it is refused.
    try? text.become(.object, self)  // it has been noted that this isn't in order
    return text.container(keyedBy: type, at: self)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    try? text.become(.array, self)  // it has been noted that this isn't in order
    return UnkeyedPlaceContainer(place: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// A place for a part of this one, which has been begun.
  func part(_ shape: EncodedShape, _ begin: () throws -> Void) -> EncodingPlace {
    do {
      try begin()
      return try text.part(shape)
    } catch {
      // Nested containers can't be refused; what is written to this one is.
      return EncodingPlace(text: text, index: -1, serial: -1)
    }
  }
}
