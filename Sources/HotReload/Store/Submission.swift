import StateJSON
import Synchronization

/// What a store has done to its state by itself, and the file has not got yet.
@usableFromInline
enum Submission<State: Sendable, Action: Sendable>: Sendable {
  /// An action was reduced.
  case action(Action)
  /// An earlier state was brought back.
  case restored(StateRestore<State>)
}

/// A return to an earlier state, as a change that can be made to other states as well: to one that others have changed
/// meanwhile.
@usableFromInline
final class StateRestore<State: Sendable>: Sendable {
  let before: State
  let after: State
  private let dumps = Mutex<(before: TypedDump, after: TypedDump)?>(nil)

  init(from before: State, to after: State) {
    self.before = before
    self.after = after
  }

  /// Both states as they are encoded, which is done once.
  func dumps(_ encode: (State) throws -> TypedDump) throws -> (before: TypedDump, after: TypedDump) {
    try dumps.withLock { dumps in
      if let dumps { return dumps }
      let new = (before: try encode(before), after: try encode(after))
      dumps = new
      return new
    }
  }
}
