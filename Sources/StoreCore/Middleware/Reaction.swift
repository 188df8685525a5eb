import Synchronization

/// Answers an action, once it was reduced, with other actions, later.
///
///     let searching = Reaction<App, AppAction>(to: { if case .type = $0 { true } else { false } }) { state, _ in
///       .found((try? await api.search(state.query)) ?? [])
///     }
///
/// It reacts to what was dispatched in this store only: not to what came by a rebase from another instance, from an edit
/// or from time travel. Each action that it reacts to starts a task, so say which they are. Its tasks are cancelled when the
/// store is closed or freed. It serves one store.
public final class Reaction<State: Sendable, Action: Sendable>: Middleware {
  private let isWanted: @Sendable (Action) -> Bool
  private let react: @Sendable (State, Action, @escaping @Sendable (Action) -> Void) async -> Void
  private let reference = WeakStore<State, Action>()
  private let isClosed = Atomic<Bool>(false)

  /// Makes a reaction of at most one action.
  ///
  /// - Parameters:
  ///   - isWanted: Which actions to react to: for others no task is started. Called inside the store's lock.
  ///   - react: Called in a task, with the state right after the action; what it returns is dispatched.
  public init(
    to isWanted: @escaping @Sendable (Action) -> Bool = { _ in true },
    _ react: @escaping @Sendable (_ state: State, _ action: Action) async -> Action?
  ) {
    self.isWanted = isWanted
    self.react = { state, action, send in
      if let answer = await react(state, action) { send(answer) }
    }
  }

  /// Makes a reaction of any number of actions.
  ///
  /// - Parameters:
  ///   - isWanted: Which actions to react to: for others no task is started. Called inside the store's lock.
  ///   - react: Called in a task, with the state right after the action, and with what dispatches an action, unless the
  ///     task was cancelled.
  public init(
    to isWanted: @escaping @Sendable (Action) -> Bool = { _ in true },
    _ react:
      @escaping @Sendable (_ state: State, _ action: Action, _ send: @escaping @Sendable (Action) -> Void) async -> Void
  ) {
    self.isWanted = isWanted
    self.react = react
  }

  public func start(_ store: Store<State, Action>) {
    reference.set(store)
  }

  public func changed(_ change: Change<State, Action>, state: borrowing State) {
    guard let action = change.action, isWanted(action), !isClosed.load(ordering: .acquiring),
      let store = reference.store
    else { return }
    let run = EffectRun("Reaction", ids: [id])
    let runs = store.runs
    runs.add(run)
    store.afterwards { [react, reference, dependencies = store.dependencies, state = copy state] in
      if run.isRevoked { return }
      runs.start(run, with: dependencies) { await react(state, action) { reference.store?.dispatch($0, of: run) } }
    }
  }

  public func close() async {
    isClosed.store(true, ordering: .releasing)
    for run in reference.store?.runs.revoke(id) ?? [] { run.cancel() }
  }

  private var id: EffectID { EffectID(ObjectIdentifier(self)) }
}
