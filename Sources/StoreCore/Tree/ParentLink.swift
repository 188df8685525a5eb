/// What a node has of the store above, which it keeps alive.
@usableFromInline
final class ParentLink<State: Sendable, Action: Sendable>: Sendable {
  @usableFromInline let root: any AnyStore
  /// Brings an action up that is at the node.
  @usableFromInline let rise: @Sendable (Store<State, Action>, Action, Passage?) -> Passage?
  let above: any StoreProtocol
  let reducing: Reducing
  /// How long the node hears of it.
  let lifetime: Lifetime

  @usableFromInline
  init(
    _ above: any StoreProtocol, root: any AnyStore, reducing: Reducing, lifetime: Lifetime,
    rise: @escaping @Sendable (Store<State, Action>, Action, Passage?) -> Passage?
  ) {
    self.root = root
    self.reducing = reducing
    self.lifetime = lifetime
    self.above = above
    self.rise = rise
  }

  deinit { lifetime.cancel() }
}

/// A store, whatever its types.
@usableFromInline
protocol AnyStore: AnyObject, Sendable {
  /// The store at the top of the tree, whose lock is that of all: so that an action is one change, whatever number of them reduce it.
  var root: any AnyStore { get }
  var turn: Turn { get }
  var dependencies: Dependencies { get }

  /// Takes a turn in which the root stays as it is, and lets the nodes follow that the body is about.
  func takeTurn(_ phase: Turn.Phase, _ cause: Cause, _ body: () -> Void)

  /// Executes an asynchronous action of this store, or of a view of it, among this store's effects.
  func execute<A: AsyncAction>(
    _ action: A, as run: EffectRun, in context: AsyncActionContext<A.State, A.Action>
  ) -> AsyncActionTask<A.Success, A.Failure>
}

extension Store: AnyStore {
  @usableFromInline var root: any AnyStore { link?.root ?? self }

  @usableFromInline
  func takeTurn(_ phase: Turn.Phase, _ cause: Cause, _ body: () -> Void) {
    var followed: [() -> Void] = []
    takeTurn(phase) { _ in
      body()
      followed = turn.descend(cause)
    }
    for tell in followed { tell() }
  }
}

extension StoreProtocol {
  /// Takes in an action from outside, or from a store below, as ``Store/enter(_:_:)`` does.
  @inlinable
  func enter(_ action: Action, _ passage: Passage?) -> Passage? {
    switch self {
    case let store as Store<State, Action>: return store.enter(action, passage)
    case let view as StoreView<State, Action>: return view.enter(action, passage)
    default: preconditionFailure("a view is of a store, or of another view")
    }
  }
}
