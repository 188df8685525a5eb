/// What a decoder reads: a text and its tape, kept for as long as any of its containers is.
///
/// A place is the entry of a value, or a negative number for a `null` that isn't there.
final class DecodingText {
  private let bytes: [UInt8]
  private let tape: JSONTape
  let options: JSONValueDecoder
  /// What is known of a text before this one.
  private let increment: DecodingIncrement?
  /// The keys of objects that weren't asked in order.
  private var indices: [Int: [ScalarString: Int]] = [:]
  /// Members that aren't there, and read as `null`.
  private var absent: [(object: Int, key: any CodingKey)] = []

  /// None of these calls into a type that is being decoded.
  @exclusivity(unchecked)
  private var containers = ContainerCache<DecodingObject>()

  private init(_ document: JSONDocument, options: JSONValueDecoder, increment: DecodingIncrement?) {
    bytes = document.bytes
    tape = document.tape
    self.options = options
    self.increment = increment
  }

  /// The value of a type that a text stands for.
  static func decode<T: Decodable>(
    _ type: T.Type, from document: JSONDocument, options: JSONValueDecoder, increment: DecodingIncrement? = nil
  ) throws -> T {
    let text = DecodingText(document, options: options, increment: increment)
    defer { text.containers.close() }
    return try text.decode(type, at: 0)
  }

  @inline(__always)
  func read<Result>(_ body: (TapedText) throws -> Result) rethrows -> Result { try tape.with(bytes, body) }

  // MARK: - Values

  /// A value of a type.
  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, at place: Int) throws -> T {
    guard let increment, place >= 0, read({ $0.isContainer(place) }) else { return try make(type, at: place) }
    return try increment.value(type, in: read { $0.range(of: place) }) { try make(type, at: place) }
  }

  /// A container of the members of an object.
  @inline(__always)
  func container<Key: CodingKey>(keyedBy type: Key.Type, at object: Int) -> KeyedDecodingContainer<Key> {
    // What was kept for these keys is a container for them.
    if let kept = containers.unused(for: type, move: { $0.become(object) }) { return KeptContainer.copy(of: kept) }
    return newContainer(keyedBy: type, at: object)
  }

  /// Not inlined, as it has to look up the container's type.
  @inline(never)
  private func newContainer<Key: CodingKey>(keyedBy type: Key.Type, at object: Int) -> KeyedDecodingContainer<Key> {
    let object = DecodingObject(text: self, place: object)
    let container = KeyedDecodingContainer(KeyedObjectContainer<Key>(object: object))
    containers.keep(container, for: type, object)
    return container
  }

  @inline(__always)
  func isNull(_ place: Int) -> Bool { place < 0 || read { $0.firstByte(of: place) == UInt8(ascii: "n") } }

  func isObject(_ place: Int) -> Bool { place >= 0 && read { $0.firstByte(of: place) == UInt8(ascii: "{") } }
  func isArray(_ place: Int) -> Bool { place >= 0 && read { $0.firstByte(of: place) == UInt8(ascii: "[") } }

  func value(at place: Int) -> JSONValue { place < 0 ? .null : read { $0.value(at: place) } }

  /// The place of a `null` that stands for a member that isn't there.
  func null(for key: some CodingKey, of object: Int) -> Int {
    absent.append((object, key))
    return -absent.count
  }

  /// The entries of all keys of an object, for those that aren't asked for in order.
  func index(of object: Int) -> [ScalarString: Int] {
    if let index = indices[object] { return index }
    let index = read { taped in
      Dictionary(uniqueKeysWithValues: taped.keys(of: object).map { (ScalarString(taped.string(at: $0)), $0) })
    }
    indices[object] = index
    return index
  }
}

// MARK: - Paths

extension DecodingText {
  /// The keys that lead to a place. Nothing is kept for this: it is looked for from the root.
  func codingPath(to place: Int) -> [any CodingKey] {
    if place < 0 {
      let (object, key) = absent[-place - 1]
      return codingPath(to: object) + [key]
    }
    return read { taped in
      var path: [any CodingKey] = []
      var container = 0
      while container != place {
        // One of the items has the place in it.
        if taped.kind(of: container) == .object {
          let key = taped.keys(of: container).first { place < taped.next(after: $0 + 1) }!
          path.append(AnyCodingKey(taped.string(at: key)))
          container = key + 1
        } else {
          let elements = taped.elements(of: container).enumerated()
          let (index, element) = elements.first { place < taped.next(after: $0.element) }!
          path.append(AnyCodingKey(index))
          container = element
        }
      }
      return path
    }
  }
}
