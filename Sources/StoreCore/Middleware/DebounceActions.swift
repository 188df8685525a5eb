/// Holds back an action until no other of its kind has come for a while; the newest is then reduced.
///
///     let typing = DebounceActions<App, AppAction>(for: .milliseconds(300)) { action in
///       if case .type = action { "type" } else { nil }
///     }
///
/// Other actions pass, and so may overtake. What waits is let go at once by `Store.commit()` and `Store.close()`; it is
/// lost where the store is dropped unclosed.
public struct DebounceActions<State: Sendable, Action: Sendable>: Middleware, PacedActions {
  let pacer: any ActionPacing<Action>

  /// Makes a middleware that debounces actions.
  ///
  /// - Parameters:
  ///   - quiet: For how long no other action with the same key must come.
  ///   - clock: What measures it; nil is the store's `dependencies.clock`.
  ///   - key: What the actions of a kind have in common; those with nil pass. Called once an action.
  public init<Key: Hashable & Sendable>(
    for quiet: Duration, clock: (any Clock<Duration>)? = nil,
    by key: @escaping @Sendable (Action) -> Key?
  ) {
    pacer = ActionPacer(quiet, clock, isThrottle: false, key)
  }
}
