/// Lets an action pass at once, and then not more than one of its kind in each interval: the newest.
///
///     let dragging = ThrottleActions<App, AppAction>(for: .milliseconds(100)) { action in
///       if case .drag(let id, _) = action { id } else { nil }
///     }
///
/// The last action is never lost: it is reduced at the end of its interval, or at once by `Store.commit()` and
/// `Store.close()`. It is lost where the store is dropped unclosed.
public struct ThrottleActions<State: Sendable, Action: Sendable>: Middleware, PacedActions {
  let pacer: any ActionPacing<Action>

  /// Makes a middleware that throttles actions.
  ///
  /// - Parameters:
  ///   - interval: What lies at least between two actions with the same key.
  ///   - clock: What measures it; nil is the store's `dependencies.clock`.
  ///   - key: What the actions of a kind have in common; those with nil pass. Called once an action.
  public init<Key: Hashable & Sendable>(
    for interval: Duration, clock: (any Clock<Duration>)? = nil,
    by key: @escaping @Sendable (Action) -> Key?
  ) {
    pacer = ActionPacer(interval, clock, isThrottle: true, key)
  }
}
