/// Closures before and after each action.
///
///     let hooks = Hooks<App, AppAction>(
///       before: { action in print("dispatched", action) },
///       after: { change, state in print(change.cause, state.count) })
public struct Hooks<State: Sendable, Action: Sendable>: Middleware {
  private let before: @Sendable (Action) -> Void
  private let after: @Sendable (Change<State, Action>, borrowing State) -> Void

  /// Makes hooks.
  ///
  /// - Parameters:
  ///   - before: Called with an action on its way to the reducer, with no lock held.
  ///   - after: Called after each change, also one without an action, in the total order. The store's lock is held: be
  ///     quick, and don't read the store, but the state that is passed.
  public init(
    before: @escaping @Sendable (Action) -> Void = { _ in },
    after: @escaping @Sendable (Change<State, Action>, borrowing State) -> Void = { _, _ in }
  ) {
    self.before = before
    self.after = after
  }

  public func dispatch(_ action: Action, next: @escaping @Sendable (Action) -> Void) {
    before(action)
    next(action)
  }

  public func changed(_ change: Change<State, Action>, state: borrowing State) {
    after(change, state)
  }
}
