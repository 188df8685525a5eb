/// What a test expected and didn't get, in words; thrown rather than recorded, so that any test framework will do.
public struct TestFailure: Error, Sendable, Hashable {
  /// What went wrong; more may be added.
  public struct Code: Sendable, Hashable {
    /// The code as text.
    public let name: String

    /// A code of that name.
    public init(name: String) {
      self.name = name
    }

    /// The state isn't what the test says it is.
    public static let unexpectedState = Code(name: "unexpected-state")
    /// The state changed, and the test doesn't say how.
    public static let undescribedChange = Code(name: "undescribed-change")
    /// The test describes a change that is none.
    public static let emptyDescription = Code(name: "empty-description")
    /// Something came that the test doesn't expect now, or not at all.
    public static let unassertedAction = Code(name: "unasserted-action")
    /// Another action came than the one expected.
    public static let wrongAction = Code(name: "wrong-action")
    /// What is expected didn't come.
    public static let missingAction = Code(name: "missing-action")
    /// An effect sent an action when it had ended, so that nothing was done with it.
    public static let lateAction = Code(name: "late-action")
    /// An effect is left running.
    public static let runningEffect = Code(name: "running-effect")
    /// Nobody sleeps on the clock whose time is to be moved.
    public static let missingSleeper = Code(name: "missing-sleeper")
  }

  /// What is wrong.
  public let code: Code
  /// What happened, on one line or more.
  public let message: String
  /// Where the test asked for it: the module and the file, as `#fileID` has them.
  public let fileID: String
  /// The line of the test.
  public let line: Int

  /// Makes a failure of its parts.
  public init(_ code: Code, _ message: String, fileID: String, line: Int) {
    self.code = code
    self.message = message
    self.fileID = fileID
    self.line = line
  }
}

extension TestFailure: CustomStringConvertible {
  /// Place and message: `AppTests/SearchTests.swift:12: …`.
  public var description: String { "\(fileID):\(line): \(message)" }
}
