/// One step of the state, as middleware hears of it.
public struct Change<State: Sendable, Action: Sendable>: Sendable {
  // First those that are where they are whatever the app's types: generic code that only asks for them needn't look up the others'
  // layout.

  /// Where the change came from.
  public let cause: Cause

  /// Its place in the store's total order, counted from 1, without gaps.
  public let version: UInt64

  /// The action that was reduced, or nil where the state was rebased.
  public let action: Action?

  /// The state before the change: where the cause is a restore, and of other changes only for middleware whose
  /// ``Middleware/needsStateBefore`` is true.
  public let before: State?

  /// Makes a change, as a middleware does that passes changes on to others.
  public init(action: Action?, cause: Cause, version: UInt64, before: State? = nil) {
    self.action = action
    self.cause = cause
    self.version = version
    self.before = before
  }
}
