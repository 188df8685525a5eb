/// Where a store reduces actions.
public struct Reducing: Sendable {
  @usableFromInline let worker: SerialWorker?

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

extension Store {
  /// Where this store reduces actions.
  public var reducing: Reducing { worker.map(Reducing.init) ?? link?.reducing ?? .onCaller }

  /// Makes a store that reduces actions elsewhere, with middleware around that: they run on the thread that dispatches,
  /// up to the reducer.
  ///
  ///     let store = try Store(App(), reducer: app, reducing: .inBackground(), middleware: [Logger()])
  ///
  /// - Throws: what a middleware's `start` threw. Those already started are abandoned, the last first.
  public convenience init(
    _ state: State, reducer: @escaping Reducer, reducing: Reducing, middleware: [any Middleware<State, Action>]
  ) throws {
    self.init(state, reducer, middleware, nil, reducing)
    _ = try started()
  }

  /// Makes a store that reduces actions elsewhere.
  public convenience init(_ state: State, reducer: @escaping Reducer, reducing: Reducing) {
    self.init(state, reducer, [], nil, reducing)
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
