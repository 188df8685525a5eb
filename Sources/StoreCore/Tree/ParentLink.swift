/// What a node has of the store above, which it keeps alive.
@usableFromInline
final class ParentLink<State: Sendable, Action: Sendable>: Sendable {
  @usableFromInline let root: any TreeRoot
  /// Brings an action up that is at the node.
  @usableFromInline let rise: @Sendable (Store<State, Action>, Action, Passage) -> Step?
  let above: any StoreProtocol
  let reducing: Reducing
  private let lifetime: Lifetime

  @usableFromInline
  init(
    _ above: any StoreProtocol, root: any TreeRoot, reducing: Reducing, lifetime: Lifetime,
    rise: @escaping @Sendable (Store<State, Action>, Action, Passage) -> Step?
  ) {
    self.root = root
    self.reducing = reducing
    self.lifetime = lifetime
    self.above = above
    self.rise = rise
  }

  deinit { detach() }

  /// Lets the node hear of the store above no longer.
  func detach() { lifetime.cancel() }
}

/// The store at the top of a tree, whose lock is that of all: so that an action is one change, whatever number of stores reduce it.
@usableFromInline
protocol TreeRoot: AnyObject, Sendable {
  var turn: Turn { get }

  /// Takes a turn in which the root stays as it is: what the body does is followed by the nodes below.
  func takeTurn(_ phase: Turn.Phase, _ cause: Cause, _ body: () -> Void)
}

extension Store: TreeRoot {
  @usableFromInline var root: any TreeRoot { link?.root ?? self }

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
  @inlinable
  var root: any TreeRoot {
    switch self {
    case let store as Store<State, Action>: store.root
    case let view as StoreView<State, Action>: view.root
    default: preconditionFailure("what grows, grows from a store or from a view of one")
    }
  }

  /// Takes in an action from outside, or from a store below.
  ///
  /// - Returns: the next step of its way up; nil if it was reduced, dropped or delayed.
  @inlinable
  func enter(_ action: Action, _ passage: Passage) -> Step? {
    switch self {
    case let store as Store<State, Action>: return store.enter(action, passage)
    case let view as StoreView<State, Action>: return view.enter(action, passage)
    default: preconditionFailure("a view is of a store, or of another view")
    }
  }
}
