import Observation
import Synchronization

/// Keeps the whole state of an app in one value, and changes it only by reducing actions.
///
///     let store = Store(0) { (count: inout Int, step: Int) in count += step }
///     let subscription = store.subscribe { count in print(count) }  // 0
///     store.dispatch(2)                                             // 2
///
/// All changes have one total order, in which middleware, subscribers and sequences hear of them, whatever number of threads
/// dispatch. The reducer changes the state in place: as long as nobody keeps a copy of the state, a dispatch costs the same for a
/// small state and for a large one.
///
/// All code of a dispatch is inlinable, as generic code that isn't specialised for the app's types takes ten times as long.
public final class Store<State: Sendable, Action: Sendable>: Sendable {
  /// Applies an action to the state. Pure: it uses nothing but what it is given, so that it can be applied again.
  public typealias Reducer = @Sendable (inout State, Action) -> Void

  @usableFromInline
  struct Core: Sendable {
    @usableFromInline var state: State
    @usableFromInline var version: UInt64 = 0
    @usableFromInline var isClosed = false
    @usableFromInline var subscribers = Roster<Subscriber<State>>()
    /// The nodes below, which are told inside of the turn.
    @usableFromInline var children = Roster<Subscriber<State>>()
    /// Those that hear of changes inside of the turn: grows as they are started.
    @usableFromInline var middleware = Roster<Listener>()
    /// What waits for the thread that is delivering.
    @usableFromInline var outbox: [Delivery<State>] = []
    /// There will be no other state: all middleware are closed.
    @usableFromInline var isEnded = false

    @inlinable
    init(state: State) {
      self.state = state
    }

    /// Whether anybody hears of changes.
    @inlinable
    var isHeard: Bool { !middleware.isEmpty || !subscribers.isEmpty || !children.isEmpty }
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

  /// The rest of a change, once the lock is released: those whom this thread is to tell, and the state; nil is nobody. It is passed in
  /// place, as each copy would retain all that the state consists of.
  @usableFromInline
  typealias Aftermath = (isChanged: Bool, subscribers: [Subscriber<State>]?, state: State?)

  @usableFromInline let core: Mutex<Core>
  /// The turn of all stores of a tree.
  @usableFromInline let turn: Turn
  @usableFromInline let deliverer = Deliverer()
  /// What actions do to the state, for middleware that must do it again.
  public let reducer: Reducer
  @usableFromInline let middleware: [any Middleware<State, Action>]
  /// Started and not yet closed, in the order of starting.
  @usableFromInline let open = Mutex<[any Middleware<State, Action>]>([])
  /// Where this is a node of a tree: the store above. Unmanaged, as `deinit` hands it on.
  @usableFromInline let parent: Unmanaged<ParentLink<State, Action>>?
  /// What calls the reducer, if that isn't who dispatches.
  @usableFromInline let worker: SerialWorker?
  /// Those of the middleware that see actions.
  @usableFromInline let acting: [any Middleware<State, Action>]
  /// They and what comes after them, composed once; nil if that is only the reducer.
  ///
  /// Free of races: `init` writes it, before anybody else can know the store, and nobody writes it again.
  @usableFromInline nonisolated(unsafe) var chain: (@Sendable (Action) -> Void)?
  @usableFromInline let needsStateBefore: Bool
  @usableFromInline let tracking = Tracking<Store, State>(\.state)
  /// Those that were current when the store was made. Its effects run with them.
  public let dependencies = Dependencies.captured()

  /// Makes a store of a state and a reducer.
  ///
  /// - Parameters:
  ///   - state: The first state.
  ///   - reducer: Makes the next state of one and an action.
  ///   - reducing: Where actions are reduced.
  @inlinable
  public convenience init(_ state: State, reducer: @escaping Reducer, reducing: Reducing = .onCaller) {
    self.init(state, reducer, [], nil, reducing)
  }

  /// Makes a store with middleware around the reducer.
  ///
  ///     let store = try Store(App(), reducer: app, reducing: .inBackground(), middleware: [Logger()])
  ///
  /// - Parameters:
  ///   - state: The first state.
  ///   - reducer: Makes the next state of one and an action.
  ///   - reducing: Where actions are reduced. Middleware runs on the thread that dispatches, up to the reducer.
  ///   - middleware: The first in the list sees an action first.
  /// - Throws: what a middleware's `start` threw. Those already started are abandoned, the last first.
  @inlinable
  public convenience init(
    _ state: State, reducer: @escaping Reducer, reducing: Reducing = .onCaller,
    middleware: [any Middleware<State, Action>]
  ) throws {
    self.init(state, reducer, middleware, nil, reducing)
    _ = try started()
  }

  @inlinable
  init(
    _ state: State, _ reducer: @escaping Reducer, _ middleware: [any Middleware<State, Action>],
    _ link: ParentLink<State, Action>?, _ reducing: Reducing = .onCaller
  ) {
    core = Mutex(Core(state: state))
    self.reducer = reducer
    parent = link.map(Unmanaged.passRetained)
    deliverer.hasAudience.store(link != nil, ordering: .relaxed)
    turn = link?.root.turn ?? Turn()
    self.middleware = middleware
    worker = reducing.worker
    needsStateBefore = middleware.contains(where: \.needsStateBefore)
    acting = Store.acting(in: middleware)
    if acting.isEmpty && link == nil && worker == nil { return }
    // The chain must not keep the store alive, and a delayed action may outlive it.
    let last: @Sendable (Action) -> Void = { [weak self] in self?.arrive($0, nil) }
    chain = acting.reversed().reduce(last) { next, middleware in { middleware.dispatch($0, next: next) } }
  }

  /// Starts the middleware, in order. A throw frees the store, and with it abandons those that are open.
  @usableFromInline
  func started() throws -> Store {
    for listener in middleware.map(Listener.init) {
      core.withLock { $0.middleware.add(listener, Cancellation()) }
      try listener.middleware.start(self)
      open.withLock { $0.append(listener.middleware) }
    }
    return self
  }

  deinit {
    let open = open.withLock { $0 }
    core.withLock { core in
      for middleware in open.reversed() { middleware.abandon(state: core.state) }
    }
    end()
    // As many stores above may be freed with it.
    if let parent { Trampoline.free(parent.takeRetainedValue()) }
  }

  @inlinable
  var link: ParentLink<State, Action>? { parent?.takeUnretainedValue() }

  /// The state as it is now. Tracked by Observation; ``withState(_:)`` reads it untracked and without a copy.
  ///
  /// What `withObservationTracking` was given as `onChange` is called after the change, once the lock is released, so that it may
  /// read the new state. As with every observable that changes on other threads, a change made between the read and the end of the
  /// tracking closure goes unnoticed until the next; ``states`` misses nothing.
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
    takeTurn(.reading) { core in
      result = Result { () throws(E) in try body(core.state, core.version) }
    }
    return try result!.get()
  }

  /// Reduces an action into the state and tells those who listen.
  ///
  /// Callable from any thread. On return the action has been reduced, unless a middleware dropped or delayed it. Subscribers hear
  /// of it in the total order, on the thread that is delivering: this one, and then they have been called on return, unless another
  /// thread, or a subscriber further up the stack, is delivering right now.
  ///
  /// A subscriber and a middleware may dispatch; from a middleware's `changed(_:state:)` the action waits until the lock is
  /// released, and is dispatched before the outer call returns. A reducer that dispatches traps. Once `close()` has been called
  /// actions are ignored: the state stays what was committed.
  @inlinable
  public func dispatch(_ action: Action) {
    if let phase = turn.phase { return turn.postpone(inside: phase) { self.dispatch(action) } }
    if let chain { chain(action) } else { reduce(action) }
  }

  /// Changes the state in the total order without an action: for replicators, recorders, time travel.
  ///
  /// `body` runs inside the lock, with the newest state and the reducer, to replay actions with. Middleware and subscribers hear of
  /// the result once, as one change with this cause, even if the state is the same. Callable from any thread, also from a
  /// subscriber or a middleware's `dispatch`, and after `close()`; not from `changed`.
  ///
  /// - Throws: what `body` threw; the state and its version are then as they were, and nobody hears of anything.
  @inlinable
  public func rebase<E: Error>(cause: Cause, _ body: (inout State, Reducer) throws(E) -> Void) throws(E) {
    try rebaseIfChanged(cause: cause) { state, _ throws(E) in
      try body(&state, reducer)
      return true
    }
  }

  /// The same, but that nobody hears of anything where `body` has left the state as it was, and returns false.
  ///
  /// - Returns: What `body` returned.
  @inlinable
  @discardableResult
  package func rebaseIfChanged<E: Error>(
    cause: Cause, _ body: (inout State, Reducer) throws(E) -> Bool
  ) throws(E) -> Bool {
    turn.refuse("rebase was called")
    var isChanged = false
    var failure: E?
    change(.rebasing, action: nil, cause: cause) { state in
      do throws(E) {
        if E.self == Never.self {
          isChanged = try body(&state, reducer)
        } else {
          // A copy, so that a throw leaves nothing half done.
          var draft = state
          isChanged = try body(&draft, reducer)
          state = draft
        }
      } catch {
        failure = error
      }
      return isChanged
    }
    if let failure { throw failure }
    return isChanged
  }

  /// Takes a turn in which the state stays as it is: the body is called inside of it.
  @inlinable
  func takeTurn(_ phase: Turn.Phase, _ body: (inout Core) -> Void) {
    if let link { return link.root.takeTurn(phase, .start) { core.withLock { body(&$0) } } }
    var deferred: [Work]?
    core.withLock { core in deferred = turn.take(phase) { body(&core) } }
    if let deferred { Trampoline.perform(deferred, of: turn) }
  }

  @inlinable
  func reduce(_ action: Action, _ passage: Passage? = nil) {
    if let phase = turn.phase { return turn.postpone(inside: phase) { self.reduce(action, passage) } }
    change(.reducing, action: action, cause: .action, passage) { state in
      reducer(&state, action)
      return true
    }
  }

  /// Takes a turn: changes the state, unless `body` says that it didn't, lets the nodes below follow, and tells everybody.
  @inlinable
  func change(
    _ phase: Turn.Phase, action: Action?, cause: Cause, _ passage: Passage? = nil, _ body: (inout State) -> Bool
  ) {
    if !deliverer.hasAudience.load(ordering: .relaxed) {
      var (isHeard, isChanged) = (false, false)
      core.withLock { core in
        isHeard = core.isHeard
        if isHeard || core.isClosed && phase == .reducing || passage?.run?.isRevoked == true { return }
        _ = turn.take(phase) { isChanged = body(&core.state) }
        if isChanged { core.version += 1 }
      }
      if isChanged { tracking.changed(self) }
      if !isHeard { return }
      // The next change needs no look under the lock to know this.
      deliverer.hasAudience.store(true, ordering: .relaxed)
    }
    tell(phase, action: action, cause: cause, passage, body)
  }

  /// The same where somebody hears of it. Apart, so that it costs nothing where nobody does.
  @inlinable
  @inline(never)
  func tell(
    _ phase: Turn.Phase, action: Action?, cause: Cause, _ passage: Passage?, _ body: (inout State) -> Bool
  ) {
    if let link {
      return link.root.takeTurn(phase, cause) {
        if passage?.run?.isRevoked != true { follow(action: action, cause: cause, passage, body) }
      }
    }
    var aftermath: Aftermath = (false, nil, nil)
    var deferred: [Work]?
    var followed: [() -> Void]?
    core.withLock { core in
      let isIgnored = core.isClosed && phase == .reducing
      if isIgnored && passage == nil || passage?.run?.isRevoked == true { return }
      if !core.isHeard { deliverer.hasAudience.store(false, ordering: .relaxed) }
      deferred = turn.take(phase) {
        if !isIgnored { alter(&core, action: action, cause: cause, &aftermath, body) }
        if core.children.isEmpty && passage == nil { return }
        passage?.follow()
        followed = turn.descend(cause)
      }
    }
    if let deferred { Trampoline.perform(deferred, of: turn) }
    tell(&aftermath, cause)
    if let followed { for tell in followed { tell() } }
  }

  /// Changes the state inside of a turn, and tells those who hear of it there.
  @inlinable
  @inline(__always)
  func alter(
    _ core: inout Core, action: Action?, cause: Cause, _ aftermath: inout Aftermath, _ body: (inout State) -> Bool
  ) {
    let isHeard = !core.middleware.isEmpty
    let before = isHeard && (needsStateBefore || cause.kind == .restore) ? core.state : nil
    if !body(&core.state) { return }
    core.version += 1
    aftermath.isChanged = true
    if isHeard { tellMiddleware(core, Change(action: action, cause: cause, version: core.version, before: before)) }
    Delivery.send(core.state, cause, to: core.children.members)
    if core.subscribers.isEmpty { return }
    if deliverer.goOnDuty() {
      aftermath.subscribers = core.subscribers.members
      aftermath.state = core.state
    } else {
      core.outbox.append(Delivery(state: core.state, cause: cause, subscribers: core.subscribers.members))
    }
  }

  @inlinable
  @inline(never)
  func tellMiddleware(_ core: borrowing Core, _ change: Change<State, Action>) {
    turn.goOn(to: .changing)
    let isRestore = change.cause.kind == .restore
    for listener in core.middleware.members {
      if let record = listener.record, let action = change.action {
        record(action)
      } else {
        let before = listener.needsStateBefore || isRestore ? change.before : nil
        let change = Change(action: change.action, cause: change.cause, version: change.version, before: before)
        listener.middleware.changed(change, state: core.state)
      }
    }
  }

  /// Tells those who hear of a change outside of the lock.
  @inlinable
  @inline(__always)
  func tell(_ aftermath: inout Aftermath, _ cause: Cause) {
    if aftermath.isChanged { tracking.changed(self) }
    if let subscribers = aftermath.subscribers.take() {
      // Lets go of its copy of the state before the next turn, which then reduces in place.
      if let state = aftermath.state.take() { Delivery.send(state, cause, to: subscribers) }
      while !deliverer.goOffDuty() { deliverOutbox() }
    }
  }
}
