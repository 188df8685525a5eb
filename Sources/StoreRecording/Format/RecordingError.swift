import StateJSON

/// What is wrong with a line of a recording; the rest may be read all the same.
public struct RecordingLineError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file.
  public let file: String
  /// From 1.
  public let line: Int
  /// From 1, counted in Unicode scalars, where it is known.
  public let column: Int?
  /// What is wrong, in lower case, without the place.
  public let message: String

  /// Makes a problem of its parts.
  public init(file: String, line: Int, column: Int? = nil, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  /// `FILE:LINE:COLUMN: MESSAGE`.
  public var description: String { "\(file):\(line)\(column.map { ":\($0)" } ?? ""): \(message)" }
}

/// Why a file can't be read as a recording at all.
public struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error; more may be added.
  public struct Code: Sendable, Hashable {
    /// What it is called.
    public let name: String

    /// The system doesn't let it be read.
    public static let unreadable = Code(name: "unreadable")
    /// It doesn't begin as a recording does.
    public static let noRecording = Code(name: "no-recording")
    /// A newer version of this library, or of the program, made it.
    public static let newer = Code(name: "newer")
    /// The state that it begins with can't be decoded.
    public static let undecodable = Code(name: "undecodable")
  }

  /// The kind.
  public let code: Code
  /// What is wrong, with the file and what next, in lower case.
  public let message: String
  /// What is wrong with the line that it begins with, if that is it.
  public let problem: RecordingLineError?

  /// Makes an error of its parts.
  public init(_ code: Code, _ message: String, problem: RecordingLineError? = nil) {
    self.code = code
    self.message = message
    self.problem = problem
  }

  /// The message.
  public var description: String { message }
}
