import Synchronization

/// Stands nearest to a node's reducer: sends actions up before the node reduces them, and the parent's state down.
@usableFromInline
final class ParentLink<Parent: StoreProtocol, Local: Sendable, Action: Sendable>: Middleware {
  @usableFromInline typealias State = NodeState<Parent.State, Local>
  private typealias Node = Store<State, Action>

  private let parent: Parent
  private let embed: @Sendable (Action) -> Parent.Action?
  private let inbox = Inbox<Parent.State, Local, Action>()
  private let subscription: Subscription

  /// The state of the parent to begin with: every later one is delivered.
  @usableFromInline let initial: Parent.State

  @usableFromInline
  init(_ parent: Parent, _ embed: @escaping @Sendable (Action) -> Parent.Action?) {
    self.parent = parent
    self.embed = embed
    // Read first, so that no delivery is older. The parent keeps the inbox, and nothing of the node.
    let before = parent.withState { state, _ in copy state }
    subscription = parent.subscribe(skipFirst: false) { [inbox] state, cause in inbox.receive(state, cause) }
    initial = inbox.takeStart() ?? before
  }

  @usableFromInline
  func start(_ node: Store<NodeState<Parent.State, Local>, Action>) {
    inbox.open(node)
  }

  @usableFromInline
  func dispatch(_ action: Action, next: @escaping @Sendable (Action) -> Void) {
    if let node = inbox.node {
      // A delayed action that is let go inside the node's lock.
      if let phase = node.turn.phase {
        return node.postpone(.perform { self.dispatch(action, next: next) }, inside: phase)
      }
      if node.core.withLock({ $0.isClosed }) { return }
    }
    if let action = embed(action) { parent.dispatch(action) }
    next(action)
  }

  @usableFromInline
  func close() async {
    subscription.cancel()
  }
}

/// What the parent has delivered and the node hasn't taken yet.
///
/// Usually it is taken at once. It waits while the node is being made, and while the thread that delivers is inside the
/// node's lock: where a middleware of the node dispatches to the parent from `changed`.
private final class Inbox<Parent: Sendable, Local: Sendable, Action: Sendable>: Sendable {
  typealias Node = Store<NodeState<Parent, Local>, Action>

  private struct Waiting {
    var deliveries: [(state: Parent, cause: Cause)] = []
    weak var node: Node?
    var isTaking = false
  }

  private let waiting = Mutex(Waiting())

  var node: Node? {
    waiting.withLock { $0.node }
  }

  func receive(_ state: Parent, _ cause: Cause) {
    let node = waiting.withLock { waiting in
      waiting.deliveries.append((state, cause))
      return waiting.node
    }
    guard let node else { return }
    if let phase = node.turn.phase {
      node.postpone(.perform { self.take() }, inside: phase)
    } else {
      take()
    }
  }

  /// The first delivery, if it was made at once.
  func takeStart() -> Parent? {
    waiting.withLock { $0.deliveries.isEmpty ? nil : $0.deliveries.removeFirst().state }
  }

  func open(_ node: Node) {
    waiting.withLock { $0.node = node }
    take()
  }

  /// Puts into the node what waits, in order; if somebody is at it, he does that too.
  private func take() {
    var isMine = false
    while let (delivery, node) = next(isMine) {
      isMine = true
      node.rebase(cause: delivery.cause) { state, _ in state.parent = delivery.state }
    }
  }

  private func next(_ isMine: Bool) -> (delivery: (state: Parent, cause: Cause), node: Node)? {
    waiting.withLock { waiting in
      if waiting.isTaking && !isMine { return nil }
      guard !waiting.deliveries.isEmpty, let node = waiting.node else {
        waiting.isTaking = false
        return nil
      }
      waiting.isTaking = true
      return (waiting.deliveries.removeFirst(), node)
    }
  }
}
