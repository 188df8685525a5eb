/// Turns `Encodable` values into JSON values, without a text in between.
///
/// Members stand in the order of the `encode` calls, which is the order of declaration for synthesised conformances; a
/// key encoded twice keeps its first place and its last value. `URL`, `Date`, `Data` and `Decimal` take the form that
/// Foundation's `JSONEncoder` gives them by default. Sets and dictionaries, which have no order, are sorted.
///
///     struct Episode: Encodable { var id: Int; var tags: Set<String> }
///     try JSONValueEncoder().encode(Episode(id: 1, tags: ["seen", "liked"]))
///     // {"id": 1, "tags": ["liked", "seen"]}
///
/// What isn't finite has no JSON form and is an error, as is nesting beyond ``limits``; ``JSONEncodingFailure`` puts
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

  /// The JSON form of a value, and which of its arrays have no order.
  ///
  /// - Throws: `EncodingError`, or what an `encode(to:)` throws.
  public func dump(_ value: some Encodable) throws -> TypedDump {
    let node = EncodingNode(path: .root, depth: 0, options: self)
    if let dump = try node.dump(value, at: .root) { return dump }
    throw EncodingError.invalidValue(
      value, .init(codingPath: [], debugDescription: "a value of type \(type(of: value)) encoded nothing"))
  }
}
