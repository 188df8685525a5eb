extension JSONValue {
  /// How ``bytes(format:)`` lays out a text.
  public struct Format: Sendable, Hashable {
    /// What ends a line; empty for inline text.
    var newline: [UInt8]
    /// What a level of nesting adds to a line's start.
    var indentation: [UInt8]
    /// What stands between two items of a container, before the line break.
    var comma: [UInt8]
    /// What stands between a key and its value.
    var colon: [UInt8]

    /// No white space at all.
    public static let compact = Format(newline: [], indentation: [], comma: Array(",".utf8), colon: Array(":".utf8))
    /// A line for each element and member, indented by two spaces a level; empty containers stay on their line.
    public static let pretty = Format(
      newline: Array("\n".utf8), indentation: Array("  ".utf8), comma: Array(",".utf8), colon: Array(": ".utf8))
  }

  /// Parses a text; any value may be at the root, and a byte-order mark may precede it.
  ///
  ///     try JSONValue(parsing: Array(#"{"a": 1.50}"#.utf8))
  ///
  /// - Complexity: O(*n*) in the length of the text.
  /// - Throws: The first place that isn't RFC 8259, a duplicate key, an escape of a lone surrogate, or a breach of the
  ///   limits.
  public init(parsing bytes: [UInt8], limits: JSONLimits = .default) throws(JSONParseError) {
    self = try JSONParser.parse(bytes, limits: limits).with(bytes) { $0.value(at: 0) }
  }

  /// Parses a text that stands anywhere, as ``init(parsing:limits:)``.
  package init(parsing text: UnsafeBufferPointer<UInt8>) throws(JSONParseError) {
    self = try JSONParser.parse(text, limits: .default).with(text) { $0.value(at: 0) }
  }

  /// Parses a text.
  public init(parsing text: String, limits: JSONLimits = .default) throws(JSONParseError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }

  /// The value as UTF-8 text without a final newline: keys in their order, numbers as their literals, and no escapes
  /// but those of `"`, `\` and control characters.
  public func bytes(format: Format = .compact) -> [UInt8] {
    var writer = JSONWriter(format: format)
    writer.write(self)
    return writer.bytes()
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON.
  public var description: String { String(decoding: bytes(format: .compact), as: UTF8.self) }
}
