/// Where a store reduces actions.
public struct Reducing: Sendable {
  let worker: SerialWorker?

  @usableFromInline var isOnCaller: Bool { worker == nil }

  /// On the thread that dispatches: on return the action has been reduced.
  public static var onCaller: Reducing { Reducing(worker: nil) }

  /// One after another in the background, in the order in which they were dispatched: `dispatch` returns at once, and
  /// `Store.commit()` waits until all were reduced.
  ///
  /// What a subscriber or a middleware dispatches there, when it hears of a change, is reduced at once, as on the caller.
  /// A store isn't freed before it has reduced what was dispatched. Stores that are made with the same value reduce one
  /// after another, too: so a node of a tree follows the store above, whose value it is made with.
  ///
  /// - Parameter priority: How urgent it is; nil is the default.
  /// - Returns: what a store is made with.
  public static func inBackground(priority: TaskPriority? = nil) -> Reducing {
    Reducing(worker: SerialWorker(priority: priority))
  }
}

extension Reducing {
  /// Calls the reducer there; none is on the caller.
  @usableFromInline
  func middleware<State: Sendable, Action: Sendable>() -> [any Middleware<State, Action>] {
    worker.map { [BackgroundReducing<State, Action>($0)] } ?? []
  }
}

extension Store {
  /// Where this store reduces actions.
  public var reducing: Reducing {
    let own = middleware(ofType: BackgroundReducing<State, Action>.self).first.map { Reducing(worker: $0.worker) }
    return own ?? link?.reducing ?? .onCaller
  }

  /// Makes a store that reduces actions elsewhere, with middleware around that: they run on the thread that dispatches,
  /// up to the reducer.
  ///
  ///     let store = try Store(App(), reducer: app, reducing: .inBackground(), middleware: [Logger()])
  ///
  /// - Throws: what a middleware's `start` threw. Those already started are abandoned, the last first.
  public convenience init(
    _ state: State, reducer: @escaping Reducer, reducing: Reducing, middleware: [any Middleware<State, Action>]
  ) throws {
    try self.init(state, reducer: reducer, middleware: middleware + reducing.middleware())
  }

  /// Makes a store that reduces actions elsewhere.
  public convenience init(_ state: State, reducer: @escaping Reducer, reducing: Reducing) {
    do {
      try self.init(state, reducer: reducer, reducing: reducing, middleware: [])
    } catch {
      fatalError("no middleware threw, and yet: \(error)")
    }
  }

  /// Makes a store of a composed reducer that reduces actions elsewhere, with middleware around that.
  ///
  /// - Throws: what a middleware's `start` threw. Those already started are abandoned, the last first.
  public convenience init(
    _ state: State, reducer: StoreCore.Reducer<State, Action>, reducing: Reducing,
    middleware: [any Middleware<State, Action>]
  ) throws {
    try self.init(state, reducer: reducer.reduce, reducing: reducing, middleware: middleware)
  }

  /// Makes a store of a composed reducer that reduces actions elsewhere.
  public convenience init(_ state: State, reducer: StoreCore.Reducer<State, Action>, reducing: Reducing) {
    self.init(state, reducer: reducer.reduce, reducing: reducing)
  }
}

/// Stands nearest to the reducer, and calls it from a worker.
private final class BackgroundReducing<State: Sendable, Action: Sendable>: Middleware {
  let worker: SerialWorker
  private let store = WeakStore<State, Action>()

  init(_ worker: SerialWorker) {
    self.worker = worker
  }

  func start(_ store: Store<State, Action>) {
    self.store.set(store)
  }

  func dispatch(_ action: Action, next: @escaping @Sendable (Action) -> Void) {
    // Called by what is being done there: it must not be overtaken, and not come too late for a commit or a close.
    if worker.isCurrent { return next(action) }
    // The store is kept until then, as `next` doesn't.
    let store = store.store
    worker.enqueue { withExtendedLifetime(store) { next(action) } }
  }

  func settle() async {
    await worker.drain()
  }
}
