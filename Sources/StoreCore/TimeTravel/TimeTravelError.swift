/// Why time travel could not go to a step, or skip it. Everything is as it was.
public struct TimeTravelError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error; more may be added.
  public struct Code: Sendable, Hashable {
    /// What it is called.
    public let name: String

    /// There never was such a step.
    public static let unknown = Code(name: "unknown")
    /// The step is not kept any more.
    public static let forgotten = Code(name: "forgotten")
    /// A later step came from outside, and there is nothing to carry it over with.
    public static let barrier = Code(name: "barrier")
    /// What a step from outside changed could not be carried over.
    public static let unmerged = Code(name: "unmerged")
    /// The store was closed or freed, or does without this time travel now.
    public static let closed = Code(name: "closed")
  }

  /// The kind.
  public let code: Code
  /// The number of the step that was to be shown or skipped.
  public let step: Int
  /// What is wrong, with the step and what next, in lower case.
  public let message: String

  init(_ code: Code, _ verb: String, _ step: Int, _ reason: String) {
    self.code = code
    self.step = step
    message = "cannot \(verb) step \(step): \(reason)"
  }

  static func closed(_ verb: String, _ step: Int) -> TimeTravelError {
    TimeTravelError(.closed, verb, step, "the store was closed or freed, or has let go of its time travel")
  }

  /// The message.
  public var description: String { message }
}
