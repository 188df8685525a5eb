/// Why a JSON patch can't be read or applied.
public struct JSONPatchError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong; more may be added.
  public struct Code: Sendable, Hashable {
    /// The code as text, with hyphens.
    public let name: String
    /// The document is not a patch: see RFC 6902, sections 3 and 4.
    public static let syntax = Code(name: "syntax")
    /// A pointer leads nowhere.
    public static let nowhere = Code(name: "nowhere")
    /// The root was to be removed.
    public static let root = Code(name: "root")
    /// A value would be nested too deep.
    public static let tooDeep = Code(name: "too-deep")
    /// A `test` found another value.
    public static let testFailed = Code(name: "test-failed")
    /// A value was to be moved into itself.
    public static let moveIntoItself = Code(name: "move-into-itself")
    /// The copies come to more than ``JSONPatch/copyLimit``.
    public static let tooLarge = Code(name: "too-large")
  }

  /// What is wrong.
  public let code: Code
  /// The operation's index, from 0; `nil` if the patch as a whole is at fault.
  public let index: Int?
  /// The whole story with the operation in it, in lower case, ready to follow `replicate: `.
  public let message: String

  /// Makes an error of its parts.
  public init(code: Code, index: Int?, message: String) {
    self.code = code
    self.index = index
    self.message = message
  }

  public var description: String { message }
}

extension JSONPatchError {
  /// What stops an operation, before it is known which operation of the patch it is.
  enum Reason: Error {
    case pointer(JSONPointerError)
    case testFailed(found: JSONValue, expected: JSONValue)
    case moveIntoItself(JSONPointer)
    case copiesTooLarge
  }

  init(_ reason: Reason, operation: JSONPatch.Operation, index: Int) {
    let prefix = "operation \(index) (\(operation.name) '\(operation.path)'): "
    switch reason {
    case .pointer(let error):
      self.init(code: Code(name: error.code.name), index: index, message: prefix + error.message)
    case .testFailed(let found, let expected):
      self.init(code: .testFailed, index: index, message: prefix + Self.difference(found, expected))
    case .moveIntoItself(let from):
      self.init(code: .moveIntoItself, index: index, message: prefix + "'\(from)' cannot be moved into itself")
    case .copiesTooLarge:
      self.init(
        code: .tooLarge, index: index,
        message: prefix + "the copies of this patch come to more than \(JSONPatch.copyLimit) bytes")
    }
  }

  static func syntax(_ index: Int?, _ reason: String) -> Self {
    let prefix = index.map { "operation \($0): " } ?? ""
    return Self(code: .syntax, index: index, message: prefix + reason)
  }

  /// Both values if they fit into a message.
  private static func difference(_ found: JSONValue, _ expected: JSONValue) -> String {
    let texts = (found.description, expected.description)
    guard texts.0.utf8.count <= 60, texts.1.utf8.count <= 60 else { return "the value there is another" }
    return "the value is \(texts.0), not \(texts.1)"
  }
}
