import Synchronization

/// A place in a store's middleware whose content can be replaced while the store runs.
///
///     let tools = MiddlewareSlot<App, AppAction>()
///     let store = try Store(App(), reducer: app, middleware: [tools, HotReload(file: "app.json")])
///
///     try await tools.replace(with: [Logger()])
///     try await tools.replace(with: [])
///
/// While what it begins with is being started, an action that is dispatched passes by it.
public final class MiddlewareSlot<State: Sendable, Action: Sendable>: Middleware {
  /// Why the content could not be replaced.
  public enum Failure: Error, CustomStringConvertible {
    /// The store was closed or freed.
    case closed

    public var description: String {
      "the middleware cannot be replaced: the store was closed or freed"
    }
  }

  private struct Content: Sendable {
    /// Those that see actions.
    var acting: [any Middleware<State, Action>]
    /// Those that hear of changes: also those that are being started.
    var listening: [Store<State, Action>.Listener] = []
    /// Whether any of them wants the state before.
    var needsStateBefore = false
    var isStarted = false
    var isClosed = false
  }

  private let content: Mutex<Content>
  /// Whether any see actions, and whether any hear of changes: an empty slot looks no further.
  private let isActing = Atomic<Bool>(false)
  private let isListening = Atomic<Bool>(false)
  /// The state after the last change, while anybody wants the state before the next. Changed inside the store's lock only.
  private let last = Told<State>()
  private let store = WeakStore<State, Action>()
  /// Replacing, settling, flushing and closing, one after another.
  private let queue = TaskQueue()

  /// Makes a slot with what it begins with.
  public init(_ middleware: [any Middleware<State, Action>] = []) {
    content = Mutex(Content(acting: middleware))
  }

  /// Replaces the content while the store runs.
  ///
  /// The new middleware are started, in order, and hear of changes from then on; then actions go through them instead of
  /// the old ones, which let go of what they held back and are closed, the last first. Before the store is made this only
  /// sets what it begins with. One that is in it already, the same object, stays as it is.
  ///
  /// - Throws: what a `start` threw: those new ones that were started are then abandoned, and the old ones stay. Or else
  ///   the first error of closing an old one, after all were asked: the new ones are then in place. Or ``Failure/closed``.
  public func replace(with middleware: [any Middleware<State, Action>]) async throws {
    try await queue.run { [self] in
      let (old, isStarted, isClosed) = content.withLock { content in
        if !content.isStarted { content.acting = middleware }
        return (content.acting, content.isStarted, content.isClosed)
      }
      guard isStarted else { return }
      guard !isClosed, let store = store.store else { throw Failure.closed }
      let listeners = try begin(middleware, store)
      switchTo(middleware, listeners, store)
      let (_, failure) = await end(old.filter { !Self.contains(middleware, $0) })
      if let failure { throw failure }
    }
  }

  /// What is in it now, also in slots.
  fileprivate var all: [any Middleware<State, Action>] { Store.unfolded(content.withLock { $0.acting }) }

  public func start(_ store: Store<State, Action>) throws {
    self.store.set(store)
    let first = content.withLock { content in
      content.isStarted = true
      return content.acting.takeAll()
    }
    switchTo(first, try begin(first, store), store)
  }

  public func dispatch(_ action: Action, next: @escaping @Sendable (Action) -> Void) {
    guard isActing.load(ordering: .acquiring) else { return next(action) }
    let acting = content.withLock { $0.acting }
    let chain = acting.reversed().reduce(next) { next, middleware in { middleware.dispatch($0, next: next) } }
    chain(action)
  }

  public func changed(_ change: Change<State, Action>, state: borrowing State) {
    guard isListening.load(ordering: .relaxed) else { return }
    let (listening, needsStateBefore) = content.withLock { ($0.listening, $0.needsStateBefore) }
    var before: State?
    if needsStateBefore {
      let after = copy state
      before = last.value.withLock { last in
        defer { last = after }
        return last
      }
    }
    for listener in listening {
      let change = Change(
        action: change.action, cause: change.cause, version: change.version,
        before: listener.needsStateBefore ? before : change.before)
      listener.middleware.changed(change, state: state)
    }
  }

  public func settle() async {
    // After those that are on their way out have.
    await queue.run { [self] in
      for middleware in content.withLock({ $0.acting }) { await middleware.settle() }
    }
  }

  public func flush() async throws {
    try await queue.run { [self] in
      var failure: (any Error)?
      for middleware in content.withLock({ $0.acting }) {
        do { try await middleware.flush() } catch { failure = failure ?? error }
      }
      if let failure { throw failure }
    }
  }

  public func close() async throws {
    try await queue.run { [self] in
      content.withLock { $0.isClosed = true }
      let (failed, failure) = await end(content.withLock { $0.acting })
      content.withLock { $0.acting = failed }
      if let failure { throw failure }
    }
  }

  public func abandon(state: borrowing State) {
    let acting = content.withLock { content in
      content.isClosed = true
      return content.acting
    }
    for middleware in acting.reversed() { middleware.abandon(state: state) }
  }
}

extension MiddlewareSlot {
  /// Starts the new ones, that hear of changes beside the old ones; or none of them.
  ///
  /// - Returns: those that are to hear of changes when the old ones don't any more.
  private func begin(
    _ all: [any Middleware<State, Action>], _ store: Store<State, Action>
  ) throws -> [Store<State, Action>.Listener] {
    let before = content.withLock { $0.listening }
    var listeners: [Store<State, Action>.Listener] = []
    var started: [any Middleware<State, Action>] = []
    for middleware in all {
      if let known = before.first(where: { Self.contains([$0.middleware], middleware) }) {
        listeners.append(known)
        continue
      }
      let listener = Store<State, Action>.Listener(middleware)
      listeners.append(listener)
      listen(content.withLock { $0.listening } + [listener], store)
      do {
        try middleware.start(store)
      } catch {
        listen(before, store)
        store.withState { state, _ in
          for middleware in started.reversed() { middleware.abandon(state: state) }
        }
        throw error
      }
      started.append(middleware)
    }
    return listeners
  }

  /// Whether the same object is in a list; of a value nobody can tell.
  private static func contains(
    _ list: [any Middleware<State, Action>], _ middleware: any Middleware<State, Action>
  ) -> Bool {
    guard type(of: middleware) is AnyObject.Type else { return false }
    return list.contains { type(of: $0) is AnyObject.Type && $0 as AnyObject === middleware as AnyObject }
  }

  /// Lets those hear of changes from the next one on. Inside the store's lock, so that this falls between two changes.
  private func listen(_ listeners: [Store<State, Action>.Listener], _ store: Store<State, Action>) {
    store.withState { state, _ in
      let needsStateBefore = listeners.contains { $0.needsStateBefore }
      let now = needsStateBefore ? copy state : nil
      last.value.withLock { $0 = now }
      content.withLock { content in
        content.listening = listeners
        content.needsStateBefore = needsStateBefore
      }
      isListening.store(!listeners.isEmpty, ordering: .relaxed)
    }
  }

  private func switchTo(
    _ new: [any Middleware<State, Action>], _ listeners: [Store<State, Action>.Listener],
    _ store: Store<State, Action>
  ) {
    listen(listeners, store)
    content.withLock { $0.acting = new }
    isActing.store(!new.isEmpty, ordering: .releasing)
  }

  /// Closes the old ones, the last first, and says which of them failed, and the first error.
  private func end(
    _ old: [any Middleware<State, Action>]
  ) async -> (failed: [any Middleware<State, Action>], failure: (any Error)?) {
    var failed: [any Middleware<State, Action>] = []
    var failure: (any Error)?
    for middleware in old { await middleware.settle() }
    for middleware in old.reversed() {
      do {
        try await middleware.close()
      } catch {
        failure = failure ?? error
        failed.insert(middleware, at: 0)
      }
    }
    return (failed, failure)
  }
}

extension Store {
  /// The middleware, each slot followed by what is in it now.
  var allMiddleware: [any Middleware<State, Action>] { Store.unfolded(middleware) }

  fileprivate static func unfolded(_ list: [any Middleware<State, Action>]) -> [any Middleware<State, Action>] {
    list.flatMap { [$0] + (($0 as? MiddlewareSlot<State, Action>)?.all ?? []) }
  }
}
