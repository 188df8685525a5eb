import StoreCore

/// Takes the coordinators of an app wherever the route in the state of its store leads.
///
///     let router = Router(store, route: \.route, action: AppAction.route, root: AppCoordinator())
///     router.route(.push("/42"))   // the state changes, and then what is shown
///
/// The route is state like any other: it may change by an action, by an edit of the mirrored file, by another instance
/// or by time travel, and the router follows. Routes are gone to one after another. One that is overtaken while it
/// waits or is being prepared isn't shown any more: the newest counts.
///
/// It works until it is closed or freed, and doesn't keep the store alive. Safe to use from any thread.
public final class Router: Sendable {
  private let navigator: Navigator
  private let subscription: Subscription
  private let dispatch: @Sendable (RouteAction) -> Void
  private let set: @Sendable (RouteAction) -> Void
  private let worker: Task<Void, Never>

  /// Makes a router, which goes to the route that the store has now, and then to each that it gets.
  ///
  /// - Parameters:
  ///   - store: Whose state has the route.
  ///   - route: Where in the state: a key path or a closure, called inside the lock: be quick, and don't call the store.
  ///   - action: The app's action that changes the route. Its reducer calls `Route.reduce`.
  ///   - root: The coordinator of the root.
  ///   - patience: How long a call to a coordinator may take before it is reported.
  ///   - clock: The time to measure that by. The store's, unless you say otherwise.
  ///   - report: Called on any thread with what hinders the router. Prints it, unless you say otherwise.
  public init<State, Action>(
    _ store: Store<State, Action>, route: @escaping @Sendable (State) -> Route,
    action: @escaping @Sendable (RouteAction) -> Action, root: any Coordinator, patience: Duration = .seconds(3),
    clock: (any Clock<Duration>)? = nil,
    report: @escaping @Sendable (RoutingProblem) -> Void = { print($0) }
  ) {
    let watch = Watch(patience: patience, clock: clock ?? store.dependencies.clock, report: report)
    let (wakes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let navigator = Navigator { continuation.yield() }
    self.navigator = navigator
    let read = { @Sendable (store: Store<State, Action>) in
      store.withState { state, version in (route: route(copy state), version: version) }
    }
    // Not only by the subscription, whose first call comes later if another thread is delivering.
    navigator.go(to: read(store).route)
    subscription = store.subscribe(select: route) { route in navigator.go(to: route) }
    dispatch = { [weak store] in store?.dispatch(action($0)) }
    set = { [weak store] change in
      guard let store else { return }
      let (old, version) = read(store)
      // The state may be ahead of the screen, and the change was made there.
      let before = navigator.onScreen ?? old
      var route = before
      route.reduce(change)
      if route == before, route == old { return }
      navigator.note(route)
      // Not the change itself: what has happened, has, wherever the state went in between.
      store.dispatch(action(.set(route)))
      let now = read(store)
      // The reducer had other ideas, or somebody else has: what is shown must follow. An action that is held back, or
      // reduced in the background, has done nothing yet.
      if now.version != version, now.route != route { navigator.go(to: now.route) }
    }
    worker = Task {
      var tree = CoordinatorTree(root, watch)
      for await _ in wakes {
        while let destination = navigator.next() { await navigator.perform(destination, &tree) }
      }
    }
    navigator.onEnd { continuation.finish() }
  }

  deinit {
    subscription.cancel()
    navigator.end()
  }

  /// Changes the route: dispatches the app's action for it.
  public func route(_ action: RouteAction) {
    dispatch(action)
  }

  /// Makes the state say what has already happened on the screen, as when a user went back by a gesture.
  ///
  /// The app's action is dispatched, as `set`, and reduced as any other, so that subscribers and other instances hear of it. But no
  /// coordinator is called, as that is on the screen already: those that don't belong to the route any
  /// more are let go, and new ones are asked for by `child(for:)`, but not started. If the reducer doesn't go there, the
  /// coordinators are taken to where it went; where it is called later, or not at all, they stay until the route changes.
  public func setRoute(_ action: RouteAction) {
    set(action)
  }

  /// The route that the coordinators show. It is behind that of the state until they have got there; nil until the root
  /// coordinator has been started.
  public var shown: Route? { navigator.shown }

  /// Waits until nothing is under way: the newest route is shown, or was refused, or the router is closed. Returns also
  /// when the task is cancelled.
  public func settle() async {
    await navigator.settle()
  }

  /// Stops following the store. A preparation is cancelled, any other call to a coordinator is waited for.
  ///
  /// What is shown stays. No coordinator is called after this has returned.
  public func close() async {
    subscription.cancel()
    navigator.end()
    await worker.value
  }
}
