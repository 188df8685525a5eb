import StoreCore

/// Where a replay comes to another state than was recorded, or can't go on.
public struct ReplayMismatchError: Error, Sendable, CustomStringConvertible {
  /// The file.
  public let file: String
  /// The line of the step, from 1.
  public let line: Int
  /// The number of the step; 0 for the state that it begins with.
  public let step: Int
  /// What is wrong, in lower case.
  public let message: String
  /// What was recorded, and what came out; nil where nothing did.
  public let difference: StateDifference?

  /// The place, what is wrong, and the difference: `-` is what was recorded, `+` what came out.
  public var description: String {
    "\(file):\(line): \(message)" + (difference.map { ":\n\($0)" } ?? "")
  }
}
