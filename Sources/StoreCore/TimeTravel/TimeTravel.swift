import Synchronization

/// A middleware that keeps what a store has been through, goes back and forth in it, and leaves steps out.
///
///     let travel = TimeTravel<App, AppAction>(limit: 100)
///     let store = try Store(App(), reducer: app, middleware: [travel, Logger()])
///     store.dispatch(.add(5))
///     store.dispatch(.rename("Sheep"))
///     travel.undo()                            // the title is as it was
///     try travel.skip(travel.steps[0].number)  // … and nothing was added
///
/// Each change of the store is a ``Step``. Going somewhere is one change with the cause `restore` and without an action:
/// subscribers and middleware hear of it once, and no effect is started. A new action, or a change from outside, while not at
/// the newest step forgets the steps after the one shown, as in every editor.
///
/// Everything may be called from any thread, from a subscriber, and from a middleware's `dispatch`. What changes the store
/// traps where `Store.rebase` does: inside a reducer, a rebase, or a middleware's `changed`. Reading is allowed there as well.
/// Where reducers run in the background, actions on their way come after: `try await store.commit()` waits for them.
///
/// Each step keeps the state after it. States share what is the same in them, but a reducer that changes an array copies that
/// array once, as it would for anybody who keeps the state.
///
/// In a tree of stores it belongs to the root, and the stores below follow; their own states stay. One that is given to a node
/// travels in what is the node's own: `TimeTravel(of: \.local)`.
///
/// It serves one store, which it doesn't keep. When that is closed or freed, or this is taken out of a ``MiddlewareSlot``, it
/// can still be read, and goes nowhere.
public final class TimeTravel<State: Sendable, Action: Sendable>: Middleware {
  /// Carries what a step from outside changed, from the first state to the second, over to another state.
  public typealias Merge = @Sendable (_ before: State, _ after: State, _ current: State) throws -> State

  private typealias Reducer = Store<State, Action>.Reducer

  private let limit: Int
  private let merge: Merge?
  /// Puts what is travelled in into a state: all of it, or a part.
  private let adopt: @Sendable (inout State, State) -> Void
  /// Whether a change left alone what is travelled in.
  private let isUntouched: @Sendable (_ before: State, _ after: State) -> Bool
  private let store = WeakStore<State, Action>()
  /// Changed inside the store's lock only, which is taken first. Nobody is called while this is held.
  private let timeline = Mutex<Timeline<State, Action>?>(nil)
  /// The change that is on is its own. Used inside the store's lock only.
  private let isRestoring = Atomic<Bool>(false)
  private let locked = Atomic<Bool>(false)

  /// Makes time travel in the whole state.
  ///
  /// - Parameters:
  ///   - limit: How many steps are kept: beyond that, the oldest becomes part of the base. A change then takes time in
  ///     proportion to it.
  ///   - merge: Carries what a step from outside changed over to another state, when a step before it is skipped. Without it,
  ///     none before a step from outside can be. Called inside the store's lock: be quick, and don't call the store.
  public init(limit: Int = 100, merge: Merge? = nil) {
    precondition(limit > 0, "time travel keeps one step or more")
    precondition(
      !(State.self is any AnyNodeState.Type),
      "a node can't travel in what the store above delivers; make a TimeTravel(of: \\.local)")
    self.limit = limit
    self.merge = merge
    adopt = { $0 = $1 }
    isUntouched = { _, _ in false }
  }

  /// Makes time travel in a part of the state; the rest stays as it is.
  ///
  ///     let travel = TimeTravel<App, AppAction>(of: \.document, limit: 100)
  ///
  /// A change that leaves the part equal is no step.
  ///
  /// - Parameters:
  ///   - part: The part. It is compared at each change, inside the store's lock.
  ///   - limit: How many steps are kept: beyond that, the oldest becomes part of the base. A change then takes time in
  ///     proportion to it.
  ///   - merge: Carries what a step from outside changed over to another state, when a step before it is skipped. Without it,
  ///     none before a step from outside can be. Called inside the store's lock: be quick, and don't call the store.
  public init<Part: Equatable & Sendable>(
    of part: any WritableKeyPath<State, Part> & Sendable, limit: Int = 100, merge: Merge? = nil
  ) {
    precondition(limit > 0, "time travel keeps one step or more")
    self.limit = limit
    self.merge = merge
    adopt = { $0[keyPath: part] = $1[keyPath: part] }
    isUntouched = { $0[keyPath: part] == $1[keyPath: part] }
  }

  /// Where the steps begin: its state is what came before them, its number that of the last step that has become part of it,
  /// or 0. Nil before the store is made.
  public var base: Step? { timeline.withLock { $0 }?.base }

  /// The steps that are kept, the oldest first, also those after the one shown.
  public var steps: [Step] { timeline.withLock { $0 }?.steps ?? [] }

  /// The number of the step that the store shows, or of the base.
  public var position: Int { timeline.withLock { $0 }?.shown.number ?? 0 }

  /// Whether actions are dropped before the reducer, and so start no effects.
  ///
  /// What comes from outside is still taken in: a replicator's rebase, an edit, time travel itself. So are actions that have
  /// passed by already, and are held back by a middleware or wait for a reducer in the background. Middleware before this one
  /// in the list still see what is dropped, and the nodes of a tree reduce it in their own states. What effects and
  /// asynchronous actions do besides dispatching goes on.
  public var isLocked: Bool {
    get { locked.load(ordering: .acquiring) }
    set { locked.store(newValue, ordering: .releasing) }
  }

  public func start(_ store: Store<State, Action>) {
    self.store.set(store)
    // In one instant: a change is either part of the base or a step.
    store.withState { state, _ in
      let base = copy state
      timeline.withLock { $0 = Timeline(base, number: $0?.newest ?? 0) }
      isRestoring.store(false, ordering: .relaxed)
    }
  }

  public func dispatch(_ action: Action, next: @escaping @Sendable (Action) -> Void) {
    if !isLocked { next(action) }
  }

  /// The steps keep it anyway.
  public var needsStateBefore: Bool { true }

  public func changed(_ change: Change<State, Action>, state: borrowing State) {
    if isRestoring.exchange(false, ordering: .relaxed) { return }
    guard let before = change.before else { preconditionFailure("time travel was not told the state before a change") }
    let after = copy state
    if isUntouched(before, after) { return }
    timeline.withLock { $0?.append(change.action, change.cause, from: before, to: after, limit: limit) }
  }

  public func close() async {
    store.forget()
  }
}

extension TimeTravel {
  /// Takes back the step that is shown, and with it those before it that are skipped, as they show nothing.
  ///
  /// - Returns: whether there was one. If not, nobody hears of anything.
  @discardableResult
  public func undo() -> Bool {
    move { timeline, _ in timeline.undo() } ?? false
  }

  /// Shows the next step again that isn't skipped.
  ///
  /// - Returns: whether there was one. If not, nobody hears of anything.
  @discardableResult
  public func redo() -> Bool {
    move { timeline, _ in timeline.redo() } ?? false
  }

  /// Shows the state after a step, or the base.
  ///
  /// Nobody hears of it if nothing lies between but skipped steps.
  ///
  /// - Parameter number: The number of the step, or of the base.
  /// - Throws: where there is no such step any more, or never was.
  public func jump(to number: Int) throws(TimeTravelError) {
    let isDone = try move { timeline, _ throws(TimeTravelError) in try timeline.jump(to: number) }
    if isDone == nil { throw .closed("go to", number) }
  }

  /// Leaves a step out, or takes it in again, and reduces the actions after it anew. The place that is shown stays.
  ///
  /// Nobody hears of it if the step is after the one shown.
  ///
  /// - Parameters:
  ///   - number: The number of the step.
  ///   - isSkipped: Whether to leave it out.
  /// - Throws: where there is no such step any more, or never was; or where a step after it came from outside and can't be
  ///   carried over. Everything is then as it was.
  public func skip(_ number: Int, _ isSkipped: Bool = true) throws(TimeTravelError) {
    let isDone = try move { [adopt, merge] timeline, reduce throws(TimeTravelError) in
      try timeline.skip(number, isSkipped, reduce, adopt, merge)
    }
    if isDone == nil { throw .closed(isSkipped ? "skip" : "unskip", number) }
  }

  /// Makes the base what is shown, and forgets the steps, also those after it. The store stays as it is.
  public func commit() {
    _ = move { timeline, _ in
      timeline.commit()
      return false
    }
  }

  /// Goes back to the base, and forgets the steps.
  public func rollback() {
    _ = move { timeline, _ in timeline.rollback() }
  }

  /// Changes the timeline inside the store's lock. If it shows something else then, everybody hears of it, otherwise nobody.
  ///
  /// - Returns: whether it does; nil if there is no store.
  private func move<E: Error>(
    _ change: @escaping (inout Timeline<State, Action>, Reducer) throws(E) -> Bool
  ) throws(E) -> Bool? {
    guard let store = store.store else { return nil }
    return try store.rebaseIfChanged(cause: .restore) { state, reduce throws(E) in
      guard var moved = timeline.withLock({ $0 }) else { return false }
      let isChanged = try change(&moved, reduce)
      timeline.withLock { $0 = moved }
      if isChanged {
        isRestoring.store(true, ordering: .relaxed)
        adopt(&state, moved.shown.state)
      }
      return isChanged
    }
  }
}

/// Tells a node's state from others where its types aren't known.
private protocol AnyNodeState {}

extension NodeState: AnyNodeState {}
