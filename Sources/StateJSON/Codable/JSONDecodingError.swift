/// Why a JSON value isn't one of the type it should be, and where.
///
/// Its ``pointer`` leads to the place in a document, and thereby to line and column.
public struct JSONDecodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong; more may be added.
  public struct Code: Sendable, Hashable {
    /// The code as text, with hyphens.
    public let name: String
    /// A member or an element isn't there. The pointer says where it should be; only what leads up to it exists.
    public static let missing = Code(name: "missing")
    /// A value of another JSON type than expected.
    public static let typeMismatch = Code(name: "type-mismatch")
    /// `null` where a value is needed.
    public static let null = Code(name: "null")
    /// The right JSON type, but no value that the type has.
    public static let invalid = Code(name: "invalid")
    /// An error of a type's own.
    public static let other = Code(name: "other")
  }

  /// What is wrong.
  public let code: Code
  /// Where.
  public let pointer: JSONPointer
  /// What was expected and what was found, in lower case, ready to follow `FILE:LINE:COLUMN: `.
  public let message: String

  /// Makes a failure of its parts.
  public init(code: Code, pointer: JSONPointer, message: String) {
    self.code = code
    self.pointer = pointer
    self.message = message
  }

  /// What a decoder threw: a `DecodingError`, or an error of a type's own, which has no place.
  public init(_ error: any Error) {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      self.init(code: .missing, context, key: key)
    case DecodingError.valueNotFound(_, let context):
      self.init(code: context.debugDescription.hasPrefix("missing") ? .missing : .null, context)
    case DecodingError.typeMismatch(_, let context):
      self.init(code: .typeMismatch, context)
    case DecodingError.dataCorrupted(let context):
      self.init(code: .invalid, context)
    default:
      self.init(code: .other, pointer: .root, message: "\(error)")
    }
  }

  private init(code: Code, _ context: DecodingError.Context, key: (any CodingKey)? = nil) {
    let path = context.codingPath + (key.map { [$0] } ?? [])
    self.init(code: code, pointer: JSONPointer(codingPath: path), message: context.debugDescription.asMessage)
  }

  /// Place and message: `at /items/3/title: expected a string, found the number 12`.
  public var description: String { "\(pointer.placeDescription): \(message)" }
}

extension String {
  /// The sentence of another author, such as the standard library, as part of one of ours: not capitalised, no full
  /// stop.
  var asMessage: String {
    let sentence = hasSuffix(".") ? dropLast() : self[...]
    // Words such as NaN and URL stay.
    guard let first = sentence.first, sentence.prefix(while: { $0 != " " }).dropFirst().allSatisfy(\.isLowercase)
    else { return String(sentence) }
    return first.lowercased() + sentence.dropFirst()
  }
}

extension JSONPointer {
  /// How error messages name the place: `at /items/3`.
  var placeDescription: String { tokens.isEmpty ? "at the root" : "at \(self)" }
}
