import Synchronization

/// Stands nearest to a node's reducer: sends actions up before the node reduces them, and the parent's state down.
///
/// What it does is made of closures where the types are known, as what is called through `any Middleware` isn't
/// specialised for them, and the whole dispatch of the parent would be ten times as slow with it.
@usableFromInline
final class ParentLink<Parent: Sendable, Local: Sendable, Action: Sendable>: Middleware, SendsUp {
  @usableFromInline typealias State = NodeState<Parent, Local>

  @usableFromInline let inbox: Inbox<Parent, Local, Action>
  @usableFromInline let send: @Sendable (Action, EffectRun?, @escaping @Sendable (Action) -> Void) -> Void
  /// Commits the parent, which was given the node's actions.
  @usableFromInline let commit: @Sendable () async throws -> Void
  @usableFromInline let subscription: Subscription
  /// The state of the parent to begin with: every later one is delivered.
  @usableFromInline let initial: Parent

  @inlinable
  init<P: StoreProtocol>(_ parent: P, _ embed: @escaping @Sendable (Action) -> P.Action?) where P.State == Parent {
    let inbox = Inbox<Parent, Local, Action>()
    self.inbox = inbox
    commit = { try await parent.commit() }
    send = { action, run, next in ParentLink.send(action, of: run, to: parent, embed, inbox, next) }
    // Read first, so that no delivery is older. The parent keeps the inbox, and nothing of the node.
    let before = parent.withState { state, _ in copy state }
    subscription = parent.subscribe(skipFirst: false) { state, cause in inbox.receive(state, cause) }
    initial = inbox.takeStart() ?? before
  }

  @usableFromInline
  func start(_ node: Store<NodeState<Parent, Local>, Action>) {
    inbox.open(node)
  }

  @usableFromInline
  func dispatch(_ action: Action, next: @escaping @Sendable (Action) -> Void) {
    send(action, nil, next)
  }

  func dispatch(_ action: Action, of run: EffectRun, next: @escaping @Sendable (Action) -> Void) {
    send(action, run, next)
  }

  @usableFromInline
  func flush() async throws {
    try await commit()
  }

  @usableFromInline
  func close() async {
    subscription.cancel()
  }

  @inlinable
  static func send<P: StoreProtocol>(
    _ action: Action, of run: EffectRun?, to parent: P, _ embed: @escaping @Sendable (Action) -> P.Action?,
    _ inbox: Inbox<Parent, Local, Action>, _ next: @escaping @Sendable (Action) -> Void
  ) {
    if let node = inbox.node {
      // A delayed action that is let go inside the node's lock.
      if let phase = node.turn.phase {
        return node.turn.postpone(inside: phase) { send(action, of: run, to: parent, embed, inbox, next) }
      }
      if node.core.withLock({ $0.isClosed }) { return }
    }
    // What was held back may come after its effect was cancelled.
    if let run, run.isRevoked { return }
    if let action = embed(action) { parent.take(action, of: run) }
    next(action)
  }
}

/// What the parent has delivered and the node hasn't taken yet.
///
/// Usually it is taken at once. It waits while the node is being made, and while the thread that delivers is inside the
/// node's lock: where a middleware of the node dispatches to the parent from `changed`.
@usableFromInline
final class Inbox<Parent: Sendable, Local: Sendable, Action: Sendable>: Sendable {
  @usableFromInline typealias Node = Store<NodeState<Parent, Local>, Action>

  @usableFromInline
  struct Waiting: Sendable {
    @usableFromInline var deliveries: [(state: Parent, cause: Cause)] = []
    @usableFromInline weak var node: Node?
    @usableFromInline var isTaking = false

    @inlinable
    init() {}
  }

  @usableFromInline let waiting = Mutex(Waiting())

  @inlinable
  init() {}

  @inlinable
  var node: Node? {
    waiting.withLock { $0.node }
  }

  @inlinable
  func receive(_ state: Parent, _ cause: Cause) {
    let node = waiting.withLock { waiting in
      waiting.deliveries.append((state, cause))
      return waiting.node
    }
    guard let node else { return }
    if let phase = node.turn.phase {
      node.turn.postpone(inside: phase) { self.take() }
    } else {
      take()
    }
  }

  /// The first delivery, if it was made at once.
  @inlinable
  func takeStart() -> Parent? {
    waiting.withLock { $0.deliveries.isEmpty ? nil : $0.deliveries.removeFirst().state }
  }

  @usableFromInline
  func open(_ node: Node) {
    waiting.withLock { $0.node = node }
    take()
  }

  /// Puts into the node what waits, in order; if somebody is at it, he does that too.
  @inlinable
  func take() {
    var isMine = false
    while let (delivery, node) = next(isMine) {
      isMine = true
      node.rebase(cause: delivery.cause) { state, _ in state.parent = delivery.state }
    }
  }

  @inlinable
  func next(_ isMine: Bool) -> (delivery: (state: Parent, cause: Cause), node: Node)? {
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
