/// Why a JSON pointer can't be parsed, or can't be followed in a value.
public struct JSONPointerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong; more may be added.
  public struct Code: Sendable, Hashable {
    /// The code as text, with hyphens.
    public let name: String
    /// The text is not in the grammar of RFC 6901.
    public static let syntax = Code(name: "syntax")
    /// No value is there, or none can be put there.
    public static let nowhere = Code(name: "nowhere")
    /// The root can be replaced, but not removed.
    public static let root = Code(name: "root")
    /// A value put there would be nested deeper than ``JSONLimits/default`` allows.
    public static let tooDeep = Code(name: "too-deep")
  }

  /// What is wrong.
  public let code: Code
  /// The pointer's text.
  public let pointer: String
  /// The whole story with the pointer in it, in lower case, ready to follow `replicate: `.
  public let message: String

  /// Makes an error of its parts.
  public init(code: Code, pointer: String, message: String) {
    self.code = code
    self.pointer = pointer
    self.message = message
  }

  public var description: String { message }
}

extension JSONPointerError {
  static func syntax(_ text: String, _ reason: String) -> Self {
    Self(code: .syntax, pointer: text, message: "'\(text)' is not a JSON pointer: \(reason)")
  }

  /// `container` is the last value on the way: the one where the token at `depth` leads nowhere.
  static func nowhere(_ pointer: JSONPointer, depth: Int, in container: JSONValue) -> Self {
    let place = depth == 0 ? "the root" : "'\(JSONPointer(Array(pointer.tokens[..<depth])))'"
    let obstacle =
      switch container {
      case .null: "is null"
      case .bool: "is a boolean"
      case .number: "is a number"
      case .string: "is a string"
      case .array(let elements): "is an array of \(elements.count) \(elements.count == 1 ? "element" : "elements")"
      case .object: "has no member \(JSONValue.string(pointer.tokens[depth]))"
      }
    return Self(
      code: .nowhere, pointer: "\(pointer)", message: "'\(pointer)' leads nowhere: \(place) \(obstacle)")
  }

  static func rootRemoval() -> Self {
    Self(code: .root, pointer: "", message: "the root cannot be removed")
  }

  static func tooDeep(_ pointer: JSONPointer, limit: Int) -> Self {
    Self(
      code: .tooDeep, pointer: "\(pointer)",
      message: "the value at '\(pointer)' would be nested deeper than \(limit) levels")
  }
}
