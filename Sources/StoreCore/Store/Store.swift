import Observation
import Synchronization

/// Keeps the whole state of an app in one value, and changes it only by reducing actions.
///
///     let store = Store(0) { (count: inout Int, step: Int) in count += step }
///     let subscription = store.subscribe { count in print(count) }  // 0
///     store.dispatch(2)                                             // 2
///
/// All changes have one total order, in which middleware, subscribers and sequences hear of them, whatever number of
/// threads dispatch. The reducer changes the state in place: as long as nobody keeps a copy of the state, a dispatch
/// costs the same for a small state and for a large one.
///
/// What a dispatch runs through is inlinable, as generic code that isn't specialised for the app's types takes ten
/// times as long.
public final class Store<State: Sendable, Action: Sendable>: Sendable {
  /// Applies an action to the state. Pure: it uses nothing but what it is given, so that it can be applied again.
  public typealias Reducer = @Sendable (inout State, Action) -> Void

  @usableFromInline
  struct Core: Sendable {
    @usableFromInline var state: State
    @usableFromInline var version: UInt64 = 0
    @usableFromInline var isClosed = false
    /// Those that hear of changes: grows as they are started.
    @usableFromInline var middleware: [Listener] = []
    @usableFromInline var subscribers: [Subscriber<State>] = []
    var vacancies = Vacancies<State>()
    /// What waits for the thread that is delivering.
    @usableFromInline var outbox: [Delivery<State>] = []
    @usableFromInline var wakers: [Waker<State>] = []
    /// Sequences end: all middleware are closed.
    @usableFromInline var isEnded = false

    @inlinable
    init(state: State) {
      self.state = state
    }

    /// Whether anybody hears of changes.
    @inlinable
    var isHeard: Bool { !middleware.isEmpty || !subscribers.isEmpty || !wakers.isEmpty }
  }

  @usableFromInline
  struct Listener: Sendable {
    @usableFromInline let middleware: any Middleware<State, Action>
    @usableFromInline let needsStateBefore: Bool
    /// Takes actions that were reduced, where the middleware has something quicker than `changed`.
    @usableFromInline let record: (@Sendable (Action) -> Void)?

    @inlinable
    init(_ middleware: any Middleware<State, Action>) {
      self.middleware = middleware
      needsStateBefore = middleware.needsStateBefore
      record = Store.record(of: middleware)
    }
  }

  /// What came of a turn that was meant for a store that nobody listens to.
  @usableFromInline
  enum Outcome {
    case same
    case changed
    /// Nothing was done, as somebody has come to listen.
    case heard
  }

  /// What a change leaves to be done once the lock is released. Nothing is nil: so that of most changes costs nothing.
  ///
  /// Passed in place: each copy would retain all that the state consists of.
  @usableFromInline
  struct Aftermath: Sendable {
    @usableFromInline var deferred: [Work]?
    @usableFromInline var wakers: [Waker<State>]?
    /// Who is to be told the state by this thread.
    @usableFromInline var subscribers: [Subscriber<State>]?
    @usableFromInline var state: State?

    @inlinable
    init() {}
  }

  @usableFromInline let core: Mutex<Core>
  @usableFromInline let turn = Turn()
  @usableFromInline let deliverer = Deliverer()
  /// What actions do to the state, for middleware that must do it again.
  public let reducer: Reducer
  @usableFromInline let middleware: [any Middleware<State, Action>]
  /// Started and not yet closed, in the order of starting.
  @usableFromInline let open = Mutex<[any Middleware<State, Action>]>([])
  /// The middleware around the reducer that see actions, composed once; nil if there are none.
  ///
  /// Free of races: `init` writes it, before anybody else can know the store, and nobody writes it again.
  @usableFromInline nonisolated(unsafe) var chain: (@Sendable (Action) -> Void)?
  @usableFromInline let needsStateBefore: Bool
  @usableFromInline let tracking = Tracking<State, Action>()
  /// Those that were current when the store was made. Its effects run with them.
  public let dependencies = Dependencies.captured()

  /// Makes a store of a state and a reducer.
  @inlinable
  public init(_ state: State, reducer: @escaping Reducer) {
    core = Mutex(Core(state: state))
    self.reducer = reducer
    middleware = []
    needsStateBefore = false
  }

  /// Makes a store with middleware around the reducer: the first in the list sees an action first.
  ///
  /// - Throws: what a middleware's `start` threw. Those already started are abandoned, the last first.
  @inlinable
  public init(
    _ state: State, reducer: @escaping Reducer, middleware: [any Middleware<State, Action>]
  ) throws {
    core = Mutex(Core(state: state))
    self.reducer = reducer
    self.middleware = middleware
    let listeners = middleware.map { Listener($0) }
    needsStateBefore = listeners.contains(where: \.needsStateBefore)
    guard !middleware.isEmpty else { return }
    compose()
    for listener in listeners { try start(listener) }
  }

  @usableFromInline
  func start(_ listener: Listener) throws {
    core.withLock { $0.middleware.append(listener) }
    // A throw frees the store, and with it abandons those that are open.
    try listener.middleware.start(self)
    open.withLock { $0.append(listener.middleware) }
  }

  /// Chains the middleware that see actions.
  @inlinable
  func compose() {
    let acting = Store.acting(in: middleware)
    if acting.isEmpty { return }
    // The chain must not keep the store alive, and a delayed action may outlive it.
    let last: @Sendable (Action) -> Void = { [weak self] in self?.reduce($0) }
    chain = acting.reversed().reduce(last) { next, middleware in
      { middleware.dispatch($0, next: next) }
    }
  }

  deinit {
    let open = open.withLock { $0 }
    core.withLock { core in
      for middleware in open.reversed() { middleware.abandon(state: core.state) }
    }
    endSequences()
  }

  /// The state as it is now. Tracked by Observation; ``withState(_:)`` reads it untracked and without a copy.
  ///
  /// What `withObservationTracking` was given as `onChange` is called after the change, once the lock is released, so
  /// that it may read the new state. As with every observable that changes on other threads, a change made between the
  /// read and the end of the tracking closure goes unnoticed until the next; ``states`` misses nothing.
  @inlinable
  public var state: State {
    turn.refuse("state was read")
    tracking.access(self)
    return core.withLock { $0.state }
  }

  /// Calls `body` with the state, without copying it, and the number of changes made so far.
  ///
  /// The store's lock is held: be quick, and don't call the store. Not tracked by Observation.
  @inlinable
  public func withState<R, E: Error>(_ body: (borrowing State, _ version: UInt64) throws(E) -> R) throws(E) -> R {
    turn.refuse("withState was called")
    var result: Result<R, E>?
    core.withLock { core in
      turn.take(.reading) {
        do throws(E) {
          result = .success(try body(core.state, core.version))
        } catch {
          result = .failure(error)
        }
      }
    }
    return try result!.get()
  }

  /// Reduces an action into the state and tells those who listen.
  ///
  /// Callable from any thread. On return the action has been reduced, unless a middleware dropped or delayed it.
  /// Subscribers hear of it in the total order, on the thread that is delivering: this one, and then they have been
  /// called on return, unless another thread, or a subscriber further up the stack, is delivering right now.
  ///
  /// A subscriber and a middleware may dispatch; from a middleware's `changed(_:state:)` the action waits until the
  /// lock is released, and is dispatched before the outer call returns. A reducer that dispatches traps. Once `close()`
  /// has been called actions are ignored: the state stays what was committed.
  @inlinable
  public func dispatch(_ action: Action) {
    if let phase = turn.phase { return turn.postpone(inside: phase) { self.dispatch(action) } }
    if let chain { chain(action) } else { reduce(action) }
  }

  /// Changes the state in the total order without an action: for replicators, recorders, time travel.
  ///
  /// `body` runs inside the lock, with the newest state and the reducer, to replay actions with. Middleware and
  /// subscribers hear of the result once, as one change with this cause, even if the state is the same. Callable from
  /// any thread, also from a subscriber or a middleware's `dispatch`, and after `close()`; not from `changed`.
  ///
  /// - Throws: what `body` threw; the state and its version are then as they were, and nobody hears of anything.
  @inlinable
  public func rebase<E: Error>(cause: Cause, _ body: (inout State, Reducer) throws(E) -> Void) throws(E) {
    turn.refuse("rebase was called")
    var failure: E?
    change(.rebasing, action: nil, cause: cause) { state in
      do throws(E) {
        if E.self == Never.self {
          try body(&state, reducer)
        } else {
          // A copy, so that a throw leaves nothing half done.
          var draft = state
          try body(&draft, reducer)
          state = draft
        }
      } catch {
        failure = error
      }
      return failure == nil
    }
    if let failure { throw failure }
  }

  @inlinable
  func reduce(_ action: Action) {
    if let phase = turn.phase { return turn.postpone(inside: phase) { self.reduce(action) } }
    change(.reducing, action: action, cause: .action) { state in
      reducer(&state, action)
      return true
    }
  }

  /// Takes a turn: changes the state, unless `body` says that it didn't, and tells everybody.
  @inlinable
  func change(_ phase: Turn.Phase, action: Action?, cause: Cause, _ body: (inout State) -> Bool) {
    if !deliverer.hasAudience.load(ordering: .relaxed) {
      var outcome = Outcome.same
      core.withLock { core in
        if core.isHeard {
          deliverer.hasAudience.store(true, ordering: .relaxed)
          outcome = .heard
          return
        }
        if core.isClosed && phase == .reducing { return }
        turn.begin(phase)
        if body(&core.state) {
          core.version += 1
          outcome = .changed
        }
        turn.end()
      }
      switch outcome {
      case .same: return
      case .changed: return tracking.changed(self)
      // For the first time: from now on this is known before.
      case .heard: break
      }
    }
    tell(phase, action: action, cause: cause, body)
  }

  /// The same where somebody hears of it. Apart, so that it costs nothing where nobody does.
  @inlinable
  @inline(never)
  func tell(_ phase: Turn.Phase, action: Action?, cause: Cause, _ body: (inout State) -> Bool) {
    var isChanged = false
    var aftermath = Aftermath()
    core.withLock { core in
      if core.isClosed && phase == .reducing { return }
      if !core.isHeard { deliverer.hasAudience.store(false, ordering: .relaxed) }
      if core.middleware.isEmpty {
        turn.begin(phase)
        isChanged = body(&core.state)
        if isChanged { core.version += 1 }
        turn.end()
      } else {
        isChanged = changeBeforeMiddleware(&core, phase, action: action, cause: cause, body)
        aftermath.deferred = turn.takeDeferred()
      }
      if isChanged { gather(&core, cause, &aftermath) }
    }
    if isChanged { follow(&aftermath, cause) }
  }

  /// Changes the state in a turn that goes on until the middleware have heard of it.
  @inlinable
  @inline(never)
  func changeBeforeMiddleware(
    _ core: inout Core, _ phase: Turn.Phase, action: Action?, cause: Cause, _ body: (inout State) -> Bool
  ) -> Bool {
    let isRestore = phase == .rebasing && cause.kind == .restore
    let before = needsStateBefore || isRestore ? core.state : nil
    turn.begin(phase)
    let isChanged = body(&core.state)
    if isChanged {
      core.version += 1
      turn.goOn(to: .changing)
      for listener in core.middleware {
        if let record = listener.record, let action {
          record(action)
          continue
        }
        let before = listener.needsStateBefore || isRestore ? before : nil
        let change = Change(action: action, cause: cause, version: core.version, before: before)
        listener.middleware.changed(change, state: core.state)
      }
    }
    turn.end()
    return isChanged
  }

  /// Takes from inside the lock what those need who are told outside of it.
  @inlinable
  func gather(_ core: inout Core, _ cause: Cause, _ aftermath: inout Aftermath) {
    if !core.wakers.isEmpty { aftermath.wakers = core.wakers }
    if core.subscribers.isEmpty { return }
    if deliverer.goOnDuty() {
      aftermath.subscribers = core.subscribers
      aftermath.state = core.state
    } else {
      core.outbox.append(Delivery(state: core.state, cause: cause, subscribers: core.subscribers))
    }
  }

  @inlinable
  func follow(_ aftermath: inout Aftermath, _ cause: Cause) {
    if let deferred = aftermath.deferred.take() { Trampoline.perform(deferred, of: turn) }
    tracking.changed(self)
    if let wakers = aftermath.wakers.take() {
      for waker in wakers { waker.wake() }
    }
    if let subscribers = aftermath.subscribers.take() {
      // Lets go of its copy of the state before the next turn, which then reduces in place.
      if let state = aftermath.state.take() { Delivery.send(state, cause, to: subscribers) }
      while !deliverer.goOffDuty() { deliverOutbox() }
    }
  }
}
