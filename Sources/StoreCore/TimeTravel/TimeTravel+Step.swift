extension TimeTravel {
  /// One change of a store, and the state after it.
  public struct Step: Sendable, Identifiable {
    /// Counted from 1. It stays, and no other step of this time travel ever has it.
    public let number: Int

    /// The action that was reduced, or nil where the change came from outside: a replicator's rebase, an edit, another's
    /// restore.
    public let action: Action?

    /// Where the change came from.
    public let cause: Cause

    /// The state after it; if it is skipped, that before it.
    public internal(set) var state: State

    /// Whether it is left out.
    public internal(set) var isSkipped = false

    /// What it changed when it was made.
    let before: State
    let after: State

    /// The number.
    public var id: Int { number }
  }
}

extension TimeTravel.Step: CustomStringConvertible {
  /// The action, as a person reads it, or where the change came from.
  public var description: String { action.map { Readable.text($0) } ?? "\(cause)" }
}
