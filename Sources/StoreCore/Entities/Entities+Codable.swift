extension Entities: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  ///
  /// Where arrays are merged by the identities of their elements, as a mirrored file is, it takes elements that encode
  /// their identity as a string or a number called `id`, `_id`, `uuid` or `key`.
  @inlinable
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension Entities: Decodable where Element: Decodable {
  /// Decodes an array of elements.
  ///
  /// - Throws: also `DecodingError.dataCorrupted`, if two elements have the same identity: as it is not known which of
  ///   them is meant, none is dropped. The error has the place of the second, and names the identity.
  @inlinable
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    if let count = container.count {
      // What a decoder says may be what a hostile text says: no more than would do no harm.
      slots.reserveCapacity(Swift.min(count, 1 << 16))
    }
    while !container.isAtEnd {
      let position = container.currentIndex
      let element = try container.decode(Element.self)
      guard positions[element.id] == nil else {
        let place = decoder.codingPath + [EntityKey(position)]
        throw DecodingError.dataCorrupted(.init(codingPath: place, debugDescription: duplicate(of: element.id)))
      }
      append(new: element)
    }
  }

  @usableFromInline
  func duplicate(of id: ID) -> String {
    // The text of an identity may be long, and come from outside.
    let text = Readable.text(id, limit: 80)
    return "the id \(text) is that of the element at position \(positions[id] ?? 0), too"
  }
}

/// The place of an element in the coding path.
@usableFromInline
struct EntityKey: CodingKey {
  @usableFromInline let index: Int

  @usableFromInline
  init(_ index: Int) { self.index = index }

  @usableFromInline
  init?(intValue: Int) { index = intValue }

  @usableFromInline
  init?(stringValue: String) { return nil }

  @usableFromInline var intValue: Int? { index }
  @usableFromInline var stringValue: String { "Index \(index)" }
}
