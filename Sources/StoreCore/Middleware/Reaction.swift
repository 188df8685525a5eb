import Synchronization

/// Answers an action, once it was reduced, with other actions, later.
///
///     Reaction { state, action in
///       guard case .search(let query) = action else { return nil }
///       return .found(await service.episodes(matching: query))
///     }
///
/// It reacts to what was dispatched in this store only: not to what came by a rebase from another instance, from an edit
/// or from time travel. Its tasks are cancelled when the store is closed or freed.
public final class Reaction<State: Sendable, Action: Sendable>: Middleware {
  private let isWanted: @Sendable (Action) -> Bool
  private let react: @Sendable (State, Action, @escaping @Sendable (Action) -> Void) async -> Void
  private let store = WeakStore<State, Action>()
  private let tasks = RunningTasks()

  /// Makes a reaction of at most one action.
  ///
  /// - Parameters:
  ///   - isWanted: Which actions to react to: for those no task is started otherwise. Called inside the store's lock.
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

  deinit {
    tasks.end()
  }

  public func start(_ store: Store<State, Action>) {
    self.store.set(store)
  }

  public func changed(_ change: Change<State, Action>, state: borrowing State) {
    guard let action = change.action, isWanted(action) else { return }
    tasks.start { [react, store, state = copy state] in
      await react(state, action) { action in
        if !Task.isCancelled { store.store?.dispatch(action) }
      }
    }
  }

  public func close() async {
    tasks.end()
  }
}

/// Tasks that are cancelled together.
private final class RunningTasks: Sendable {
  private struct Running {
    var tasks: [Int: Task<Void, Never>] = [:]
    var count = 0
    var isEnded = false
  }

  private let running = Mutex(Running())

  func start(_ body: @escaping @Sendable () async -> Void) {
    running.withLock { running in
      if running.isEnded { return }
      running.count += 1
      let number = running.count
      running.tasks[number] = Task {
        await body()
        self.running.withLock { _ = $0.tasks.removeValue(forKey: number) }
      }
    }
  }

  func end() {
    let tasks = running.withLock { running in
      running.isEnded = true
      defer { running.tasks = [:] }
      return running.tasks.values
    }
    for task in tasks { task.cancel() }
  }
}
