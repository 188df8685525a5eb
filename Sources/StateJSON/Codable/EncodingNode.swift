/// A value while it is being encoded in any order: what its containers write to.
///
/// A reference, because nested containers and super-encoders may be written to until the value around them is done.
final class EncodingNode {
  let path: CodingPathNode
  /// How many arrays and objects this node is inside of.
  let depth: Int
  let options: JSONValueEncoder

  private(set) var shape = EncodedShape.undecided
  private var single = EncodedPart(.null)
  private var members = JSONObject()
  private var elements: [JSONValue] = []
  /// By position in `members` or `elements`, where a `null` keeps the place: parts that may still be written to.
  private var open: [Int: EncodingNode] = [:]
  /// By position: the parts with unordered places.
  private var places: [Int: UnorderedPlaces] = [:]

  init(path: CodingPathNode, depth: Int, options: JSONValueEncoder) {
    self.path = path
    self.depth = depth
    self.options = options
  }

  /// How many elements the array has so far.
  var count: Int { elements.count }

  /// Settles what the value is.
  func become(_ shape: EncodedShape) {
    precondition(
      self.shape == .undecided || (self.shape == shape && shape != .single),
      "a value encodes into one kind of container, and into a single-value container once")
    self.shape = shape
  }

  // MARK: Writing parts

  func setSingle(_ dump: EncodedPart) {
    become(.single)
    single = dump
  }

  func set(_ value: JSONValue, forKey key: some CodingKey) {
    _ = position(forKey: key.stringValue, value)
  }

  func set(_ dump: EncodedPart, forKey key: some CodingKey) {
    let position = position(forKey: key.stringValue, dump.value)
    if !dump.unordered.isEmpty { places[position] = dump.unordered }
  }

  func append(_ value: JSONValue) { elements.append(value) }

  func append(_ dump: EncodedPart) {
    if !dump.unordered.isEmpty { places[elements.count] = dump.unordered }
    elements.append(dump.value)
  }

  /// A part to be written to later. Asked for again in the same shape, it is the same part.
  func part(forKey key: some CodingKey, _ shape: EncodedShape = .undecided) -> EncodingNode {
    if shape != .undecided, let position = members.index(forKey: key.stringValue),
      let part = open[position], part.shape == shape
    {
      return part
    }
    let part = EncodingNode(path: .key(key, in: path), depth: depth + 1, options: options)
    part.shape = shape
    open[position(forKey: key.stringValue, .null)] = part
    return part
  }

  /// A new last element to be written to later.
  func appendPart(_ shape: EncodedShape = .undecided) -> EncodingNode {
    let part = EncodingNode(path: .index(elements.count, in: path), depth: depth + 1, options: options)
    part.shape = shape
    open[elements.count] = part
    elements.append(.null)
    return part
  }

  /// Sets a member and returns its position; what was there before is forgotten.
  private func position(forKey key: String, _ value: JSONValue) -> Int {
    if members.append(key, value) { return members.count - 1 }
    guard let position = members.index(forKey: key) else { preconditionFailure("a key that can't be added is there") }
    _ = members.exchangeValue(at: position, with: value)
    open[position] = nil
    places[position] = nil
    return position
  }

  // MARK: Finishing

  /// The JSON form of a part of this node, or `nil` if it encoded nothing.
  func dump<T: Encodable>(_ value: T, at path: @autoclosure () -> CodingPathNode) throws -> EncodedPart? {
    if let direct = try JSONValue(direct: value, at: path()) { return EncodedPart(direct) }
    let node = EncodingNode(
      path: path(), depth: shape == .array || shape == .object ? depth + 1 : depth, options: options)
    // A type that contains itself must not exhaust the stack before its containers are finished, inside out.
    guard node.depth <= options.limits.depth else { throw node.tooDeep(value) }
    try value.encode(to: node)
    return try node.finished(as: (T.self as? any UnorderedEncodable.Type)?.unorderedForm)
  }

  /// The JSON form of all that was written, or `nil` if nothing was.
  private func finished(as form: UnorderedPlaces.Form?) throws -> EncodedPart? {
    for (position, part) in open { try close(part, at: position) }
    open = [:]
    switch shape {
    case .undecided: return nil
    case .single: return single
    case _ where depth >= options.limits.depth: throw tooDeep(shape == .array ? elements : members)
    case .array: return finished(.array(elements), as: form)
    case .object: return finished(.object(members), as: form)
    }
  }

  /// A collection, sorted if it has no order, with the places in it.
  private func finished(_ collection: JSONValue, as form: UnorderedPlaces.Form?) -> EncodedPart {
    if let form {
      let sorted = EncodedCollection(bytes: collection.bytes(), places: places).sorted(form)
      return EncodedPart(JSONDocument(written: sorted.bytes).value, unordered: sorted.places)
    }
    var part = EncodedPart(collection)
    for (position, places) in places {
      part.unordered[shape == .array ? "\(position)" : members.keys[position]] = places
    }
    return part
  }

  private func close(_ part: EncodingNode, at position: Int) throws {
    let dump = try part.finished(as: nil) ?? .nothing
    if shape == .array {
      elements[position] = dump.value
    } else {
      _ = members.exchangeValue(at: position, with: dump.value)
    }
    if !dump.unordered.isEmpty { places[position] = dump.unordered }
  }

  private func tooDeep(_ value: Any) -> EncodingError {
    .invalidValue(
      value,
      .init(
        codingPath: path.codingPath,
        debugDescription: "nested deeper than the limit of \(options.limits.depth) levels"))
  }
}

extension EncodingNode: Encoder {
  var codingPath: [any CodingKey] { path.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    become(.object)
    return KeyedEncodingContainer(KeyedNodeContainer(node: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    become(.array)
    return UnkeyedNodeContainer(node: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}
