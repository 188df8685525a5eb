/// A JSON text together with the value it stands for.
///
/// A document keeps its exact bytes, byte-order mark and final newline (or none) included, so that a change can be
/// spliced into them: every byte outside the change stays what it was.
public struct JSONDocument: Sendable {
  /// The exact text.
  public let bytes: [UInt8]
  /// What the text says.
  public let value: JSONValue

  /// Parses a text.
  public init(parsing bytes: [UInt8], limits: JSONLimits = .default) throws(JSONParseError) {
    value = try JSONParser.parse(bytes, limits: limits)
    self.bytes = bytes
  }

  /// Parses a text.
  public init(parsing text: String, limits: JSONLimits = .default) throws(JSONParseError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }

  /// Formats a value as a new text: two spaces of indentation, line feeds, and a final newline.
  public init(formatting value: JSONValue) {
    self.init(bytes: value.bytes(format: .pretty) + [UInt8(ascii: "\n")], value: value)
  }

  /// A text that is known to stand for the value.
  private init(bytes: [UInt8], value: JSONValue) {
    self.bytes = bytes
    self.value = value
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
    return JSONDocument(bytes: JSONSplicer.splice(change, to: value, into: bytes), value: value)
  }

  /// Returns where the value at a path stands, or `nil` if there is none.
  ///
  /// The tokens of the path are those of a JSON Pointer, unescaped: keys, and indices of elements as decimal numbers.
  /// A member stands where its value does, not its key.
  ///
  /// - Complexity: O(*n*) in the length of the text; nothing is kept for it.
  public func location(of path: [String]) -> JSONLocation? {
    bytes.withUnsafeBufferPointer { text in
      var scanner = JSONScanner(text)
      var value = value
      for token in path {
        switch value {
        case .object(let object):
          guard let index = object.index(forKey: token) else { return nil }
          value = object.members[index].value
          scanner.enter(item: index)
          scanner.skipKey()
        case .array(let elements):
          guard let index = Int(token), "\(index)" == token, elements.indices.contains(index) else { return nil }
          value = elements[index]
          scanner.enter(item: index)
        default:
          return nil
        }
      }
      return JSONLocation(offset: scanner.position, in: text)
    }
  }
}
