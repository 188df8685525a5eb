import Synchronization

/// Performs the effects that a reducer returns.
///
/// The reducer can't tell whether it reduces a dispatched action or one that is replayed, be it inside a rebase or on
/// another thread. The store's turn can: only on the thread that is inside of it, while it is reducing, an effect counts.
@usableFromInline
final class ReturnedEffects<State: Sendable, Action: Sendable>: Middleware, ChangeListener {
  private let reference = WeakStore<State, Action>()
  /// Free of races: the store sets it before anybody else can know its reducer.
  nonisolated(unsafe) private var turn: Turn?
  /// Returned in the turn that is on.
  private let returned = Mutex<[Effect<Action>]>([])

  @usableFromInline
  init() {}

  @usableFromInline
  func start(_ store: Store<State, Action>) {
    turn = store.turn
    reference.set(store)
  }

  @inlinable
  func take(_ effect: Effect<Action>) {
    if case .none = effect.operation { return }
    keep(effect)
  }

  @usableFromInline
  func keep(_ effect: Effect<Action>) {
    guard turn?.phase == .reducing else { return }
    returned.withLock { $0.append(effect) }
  }

  @usableFromInline
  func changed(_ change: Change<State, Action>, state: borrowing State) {
    let effects = returned.withLock { $0.takeAll() }
    guard !effects.isEmpty, let store = reference.store else { return }
    let performer = EffectPerformer(store: store, runs: store.runs, parent: nil)
    for effect in effects { performer.start(effect.operation, ids: []) }
  }
}

extension Store {
  /// Makes a store of a state and a reducer that returns effects; see ``Effect``.
  @inlinable
  public convenience init(
    _ state: State, effects reducer: @escaping @Sendable (inout State, Action) -> Effect<Action>,
    reducing: Reducing = .onCaller
  ) {
    let returned = ReturnedEffects<State, Action>()
    self.init(state, reducer: { state, action in returned.take(reducer(&state, action)) }, reducing: reducing)
    attach(returned)
  }

  /// Makes a store of a state, a reducer that returns effects, and middleware around it.
  ///
  /// - Throws: what a middleware's `start` threw. Those already started are abandoned, the last first.
  @inlinable
  public convenience init(
    _ state: State, effects reducer: @escaping @Sendable (inout State, Action) -> Effect<Action>,
    reducing: Reducing = .onCaller, middleware: [any Middleware<State, Action>]
  ) throws {
    let returned = ReturnedEffects<State, Action>()
    // The first, as the others may dispatch as soon as they are started.
    try self.init(
      state, reducer: { state, action in returned.take(reducer(&state, action)) }, reducing: reducing,
      middleware: [returned] + middleware)
  }

  @usableFromInline
  func attach(_ returned: ReturnedEffects<State, Action>) {
    returned.start(self)
    core.withLock { $0.middleware.add(Listener(returned), Cancellation()) }
  }
}
