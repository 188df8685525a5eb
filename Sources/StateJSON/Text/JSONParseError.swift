/// Where a text stops being the JSON that was expected, and why.
public struct JSONParseError: Error, Sendable, Hashable {
  /// What went wrong; more may be added.
  public struct Code: Sendable, Hashable {
    /// The code as text, with hyphens.
    public let name: String
    /// Something else was expected there.
    public static let syntax = Code(name: "syntax")
    /// An object has a key twice.
    public static let duplicateKey = Code(name: "duplicate-key")
    /// An escape is half of a surrogate pair.
    public static let loneSurrogate = Code(name: "lone-surrogate")
    /// The bytes aren't UTF-8.
    public static let invalidUTF8 = Code(name: "invalid-utf8")
    /// Arrays and objects lie deeper in each other than the limits allow.
    public static let tooDeep = Code(name: "too-deep")
    /// The text is larger than the limits allow.
    public static let tooLarge = Code(name: "too-large")
    /// The text stops in the middle of a value.
    public static let unexpectedEnd = Code(name: "unexpected-end")
  }

  /// What is wrong.
  public let code: Code
  /// Bytes before the place, from 0.
  public let offset: Int
  /// From 1; a line ends at a line feed.
  public let line: Int
  /// From 1, counted in Unicode scalars; a byte-order mark doesn't count.
  public let column: Int
  /// What was expected or found, in lower case, ready to follow `FILE:LINE:COLUMN: `.
  public let message: String

  /// Makes an error of its parts.
  public init(code: Code, offset: Int, line: Int, column: Int, message: String) {
    self.code = code
    self.offset = offset
    self.line = line
    self.column = column
    self.message = message
  }

  init(code: Code, location: JSONLocation, message: String) {
    self.init(
      code: code, offset: location.offset, line: location.line, column: location.column, message: message)
  }
}

extension JSONParseError: CustomStringConvertible {
  /// `LINE:COLUMN: MESSAGE`.
  public var description: String { "\(line):\(column): \(message)" }
}
