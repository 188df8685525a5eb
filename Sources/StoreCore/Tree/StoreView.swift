import Observation
import Synchronization

/// A store as a feature sees it: a part of the state, and the feature's own actions.
///
///     let counter = store.scope(state: \.counter, action: AppAction.counter)
///     counter.dispatch(.add(1))
///     counter.state.count  // 1
///
/// It has no state of its own: it reads the store's, which it keeps alive, and what is dispatched goes there. A view whose state
/// can be compared is not woken by the rest of the store's state, neither its subscribers nor Observation; another is woken by
/// every change.
public final class StoreView<State: Sendable, Action: Sendable>: StoreProtocol {
  @usableFromInline let read: @Sendable () -> (state: State, version: UInt64)
  @usableFromInline let enter: @Sendable (Action, Passage?) -> Passage?
  /// The store that this is a view of, be it by way of others.
  @usableFromInline let base: any StoreProtocol
  /// How many views lead to it.
  @usableFromInline let depth: Int
  public let selection: Selection<State>
  private let tracking = Tracking<StoreView, State>(\.state)
  /// Lets Observation hear of changes: made when the state is first read, so that only this part wakes it.
  private let observation = Mutex<Subscription?>(nil)

  @usableFromInline
  init(
    of base: any StoreProtocol, depth: Int, read: @escaping @Sendable () -> (state: State, version: UInt64),
    enter: @escaping @Sendable (Action, Passage?) -> Passage?, selection: Selection<State>
  ) {
    self.base = base
    self.depth = depth
    self.read = read
    self.enter = enter
    self.selection = selection
  }

  /// Those that the store was made with.
  public var dependencies: Dependencies { base.dependencies }

  public var reducing: Reducing { base.reducing }

  /// The part of the state as it is now. Tracked by Observation.
  public var state: State {
    observe()
    tracking.access(self)
    return read().state
  }

  private func observe() {
    if observation.withLock({ $0 != nil }) { return }
    // Not in the lock, as what is delivered meanwhile may read the state. Of two who come here at once each has a subscription
    // before it reads, and either will do.
    let new = subscribe(skipFirst: true) { [weak self] (_: State) in
      if let self { tracking.changed(self) }
    }
    observation.withLock { $0 = $0 ?? new }
  }

  /// Calls `body` with a copy of the part and the number of changes the store has made so far. Not tracked by Observation.
  @inlinable
  public func withState<R, E: Error>(_ body: (borrowing State, _ version: UInt64) throws(E) -> R) throws(E) -> R {
    let (state, version) = read()
    return try body(state, version)
  }

  /// Dispatches the store's action that the action stands for.
  @inlinable
  public func dispatch(_ action: Action) {
    enter(action, nil)?.rise()
  }

  /// Waits until all that was dispatched to the store before is safe.
  ///
  /// - Throws: the first error of a middleware, after all were asked.
  public func commit() async throws {
    try await base.commit()
  }

  /// Calls the handler with the part of the state: as it is now, with the cause `start`, and then whenever it is another.
  @inlinable
  public func subscribe(
    skipFirst: Bool = false, _ handler: @escaping @Sendable (State, Cause) -> Void
  ) -> Subscription {
    skipFirst ? selection.skip().subscribe(handler) : selection.subscribe(handler)
  }
}

extension StoreView: Observable {}
