/// Turns `Encodable` values into JSON texts and values.
///
/// Members stand in the order of the `encode` calls, which is the order of declaration for synthesised conformances; a
/// key encoded twice keeps its first place and its last value. `URL`, `Date`, `Data` and `Decimal` take the form that
/// Foundation's `JSONEncoder` gives them by default. Sets and dictionaries, which have no order, are sorted.
///
///     struct Episode: Encodable { var id: Int; var tags: Set<String> }
///     try JSONValueEncoder().encode(Episode(id: 1, tags: ["seen", "liked"]))
///     // {"id": 1, "tags": ["liked", "seen"]}
///
/// What isn't finite has no JSON form and is an error, as is nesting beyond ``limits``; ``JSONEncodingError`` puts
/// either into words.
public struct JSONValueEncoder: Sendable {
  /// What `encode(to:)` finds as its encoder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable]
  /// How deep the value may be nested: no deeper than those who read it accept.
  public var limits: JSONLimits

  /// Makes an encoder that hands types what they find as their encoder's `userInfo`.
  public init(userInfo: [CodingUserInfoKey: any Sendable] = [:], limits: JSONLimits = .default) {
    self.userInfo = userInfo
    self.limits = limits
  }

  /// The JSON form of a value.
  ///
  /// - Throws: `EncodingError`, or what an `encode(to:)` throws.
  public func encode(_ value: some Encodable) throws -> JSONValue {
    try dump(value).value
  }

  /// The JSON form of a value as a text, and which of its arrays have no order.
  ///
  /// A type that doesn't encode in one go, such as one that writes to two nested containers by turns, is asked twice.
  ///
  /// - Throws: `EncodingError`, or what an `encode(to:)` throws.
  public func dump(_ value: some Encodable) throws -> TypedDump {
    if let (bytes, places) = try EncodingText.encode(value, options: self) {
      return TypedDump(JSONDocument(written: bytes), unordered: places)
    }
    let node = EncodingNode(path: .root, depth: 0, options: self)
    if let part = try node.dump(value, at: .root) { return TypedDump(part.value, unordered: part.unordered) }
    throw EncodingError.invalidValue(
      value, .init(codingPath: [], debugDescription: "a value of type \(type(of: value)) encoded nothing"))
  }
}
