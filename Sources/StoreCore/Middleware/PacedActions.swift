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

/// A middleware that leaves all to a pacer.
protocol PacedActions: Middleware {
  var pacer: any ActionPacing<Action> { get }
}

extension PacedActions {
  public func start(_ store: Store<State, Action>) {
    pacer.start(store.dependencies.clock)
  }

  public func dispatch(_ action: Action, next: @escaping @Sendable (Action) -> Void) {
    pacer.dispatch(action, next)
  }

  public func settle() async {
    await pacer.settle()
  }

  public func close() async {
    await pacer.close()
  }
}
