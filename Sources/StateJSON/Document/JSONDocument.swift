/// A JSON text together with the value it stands for.
///
/// A document keeps its exact bytes, byte-order mark and final newline (or none) included, so that a change can be
/// spliced into them: every byte outside the change stays what it was. ``value`` is made of them once it is asked for.
public struct JSONDocument: Sendable {
  /// The exact text.
  public let bytes: [UInt8]
  private let contents: DocumentContents

  /// What the text says.
  ///
  /// - Complexity: O(*n*) in the length of the text when a document, or a copy of it, is asked for the first time.
  public var value: JSONValue { contents.value }

  /// What the text says. If nobody has asked for it before, all that has the same text as what stands at the same place of another one
  /// is stored where that one's value is: comparing the two then looks at what differs alone.
  package func value(sharing other: JSONDocument) -> JSONValue { contents.value(sharing: other.contents) }

  /// What stands at a place, if anything does; no value is made of the rest.
  package func value(at pointer: JSONPointer) -> JSONValue? {
    read { text in text.entry(at: pointer.tokens).map(text.value(at:)) }
  }

  /// What the text says, where that is known, and the places of its parts are not.
  var cheapValue: JSONValue? { contents.cheapValue }

  /// Parses a text.
  public init(parsing bytes: [UInt8], limits: JSONLimits = .default) throws(JSONParseError) {
    self.init(bytes, tape: try JSONParser.parse(bytes, limits: limits))
  }

  /// Parses a text that has become of another, and is most likely the same in most places.
  ///
  /// The result, and the error if there is one, are those of ``init(parsing:limits:)``, provided that the other text is within
  /// the limits, too.
  ///
  /// - Complexity: O(*n*) as fast as memory is compared and copied, and beyond that in the length of the innermost array or
  ///   object in which all is that differs.
  public init(
    parsing bytes: [UInt8], after older: JSONDocument, limits: JSONLimits = .default
  ) throws(JSONParseError) {
    self = try JSONSuccessor(parsing: bytes, after: older, limits: limits).document
  }

  /// A text whose values are known to stand where a tape says.
  init(_ bytes: [UInt8], tape: JSONTape) {
    contents = DocumentContents(bytes, tape: tape)
    self.bytes = bytes
  }

  /// Parses a text.
  public init(parsing text: String, limits: JSONLimits = .default) throws(JSONParseError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }

  /// Formats a value as a new text: two spaces of indentation, line feeds, and a final newline.
  public init(formatting value: JSONValue) {
    self.init(written: value.bytes(format: .pretty) + [UInt8(ascii: "\n")], value: value)
  }

  /// A value as a text without white space.
  package init(compact value: JSONValue) { self.init(written: value.bytes(), value: value) }

  /// A text that a writer has made, perhaps of a value that is at hand.
  init(written bytes: [UInt8], value: JSONValue? = nil) {
    contents = DocumentContents(bytes, value: value)
    self.bytes = bytes
  }

  /// Lends the text and where its values stand.
  @inline(__always)
  package func read<Result>(_ body: (TapedText) throws -> Result) rethrows -> Result {
    try contents.tape.with(bytes, body)
  }

  /// The document with its value replaced by `value`, spliced into this document's own text.
  ///
  /// What is identical keeps its bytes. A new item is spaced, and broken into lines, as its neighbours are; with a
  /// removed one goes its line. Members that moved take their texts along, and so do elements.
  ///
  ///     let document = try JSONDocument(parsing: "{ \"n\": 1.0,  \"tags\":[] }")
  ///     document.replacingValue(with: try JSONValue(parsing: #"{"n":1.0,"tags":["new"]}"#))
  ///     // { "n": 1.0,  "tags":["new"] }
  ///
  /// - Complexity: O(*n*) in the length of the text and the size of the values, for few changes.
  public func replacingValue(with value: JSONValue) -> JSONDocument {
    guard let change = JSONChange(from: self.value, to: value) else { return self }
    return JSONDocument(written: JSONSplicer.splice(change, to: value, into: bytes), value: value)
  }

  /// Returns where the value at a path stands, or `nil` if there is none.
  ///
  /// The tokens of the path are those of a JSON Pointer, unescaped: keys, and indices of elements as decimal numbers.
  /// A member stands where its value does, not its key.
  ///
  /// - Complexity: O(*n*) in the number of values before it, and in its offset.
  public func location(of path: [String]) -> JSONLocation? {
    read { taped in
      guard let value = taped.entry(at: path) else { return nil }
      return JSONLocation(offset: taped.start(of: value), in: taped.text)
    }
  }
}

extension JSONDocument {
  /// Whether both texts stand for equal values.
  ///
  /// - Complexity: O(*n*) in the texts, as fast as memory is compared; beyond that, that of the innermost value in which
  ///   they differ.
  public func hasSameValue(as other: JSONDocument) -> Bool {
    if bytes.hasSameBytes(as: other.bytes) { return true }
    return read { old in
      other.read { new in
        guard let divergence = JSONDivergence(old, new) else { return true }
        return old.hasSameValue(divergence.old, as: divergence.new, in: new)
      }
    }
  }

  /// Where the values stand in the text.
  var tape: JSONTape { contents.tape }

  /// Finds that out by what is known of another text, of which this one has most likely become.
  func makeTape(after older: JSONDocument) { contents.makeTape(after: older.contents) }
}

extension TapedText {
  /// The value of a member, or the element at an index, by the token of a pointer.
  package func item(_ token: String, of container: Int) -> Int? {
    switch kind(of: container) {
    case .object:
      keys(of: container).first { string(at: $0).hasSameScalars(as: token) }.map { $0 + 1 }
    case .array:
      JSONPointer.arrayIndex(token).flatMap { elements(of: container).dropFirst($0).first { _ in true } }
    default: nil
    }
  }

  /// The entry of the value at a path; `nil` if there is none.
  fileprivate func entry(at path: [String]) -> Int? {
    path.reduce(0 as Int?) { container, token in container.flatMap { item(token, of: $0) } }
  }
}
