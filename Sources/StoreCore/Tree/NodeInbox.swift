import Synchronization

/// The inbox of a node: it is filled and emptied in a turn, and keeps neither the node nor the store above. Sendable, as all of it is
/// used inside the lock of the tree only.
@usableFromInline
final class NodeInbox<Parent: Sendable, Local: Sendable, Action: Sendable>: @unchecked Sendable {
  @usableFromInline typealias Node = Store<NodeState<Parent, Local>, Action>

  @usableFromInline let turn: Turn
  @usableFromInline weak var node: Node?
  @usableFromInline var isOpen = false
  /// What the state above has become.
  @usableFromInline var parent: Parent?
  /// An action that the stores above have reduced.
  @usableFromInline var action: Action?
  /// Those to whom it goes on.
  @usableFromInline var below: Passage?

  @inlinable
  init(_ turn: Turn) {
    self.turn = turn
  }

  /// Something has come, so that the node follows in this turn. Before the node is there, the state above is what it begins with.
  @inlinable
  func receive(parent: Parent? = nil, action: Action? = nil, below: Passage? = nil) {
    if isOpen, self.parent == nil, self.action == nil { turn.following.append { self.empty($0) } }
    if let parent { self.parent = parent }
    if let action { (self.action, self.below) = (action, below) }
  }

  /// Lets the node take in what has come, and go on to those below.
  @inlinable
  func empty(_ cause: Cause) {
    let (parent, action, below) = (parent.take(), action.take(), below.take())
    guard let node else { return }
    turn.goOn(to: .reducing)
    node.follow(action: action, cause: cause, below) { state in
      if let parent { state.parent = parent }
      if let action { node.reducer(&state, action) }
      return parent != nil || action != nil
    }
  }

  /// Makes the node, which hears of all that comes from here on.
  @inlinable
  func join(_ root: any AnyStore, _ make: (Parent) -> Node) -> Node {
    var made: Node?
    root.takeTurn(.reading, .start) {
      made = parent.take().map(make)
      (node, isOpen) = (made, true)
    }
    guard let made else { preconditionFailure("a node was not told what it begins with") }
    return made
  }
}

extension Store {
  /// Changes a node inside of a turn of the tree.
  @inlinable
  func follow(action: Action?, cause: Cause, _ below: Passage?, _ body: (inout State) -> Bool) {
    var aftermath: Aftermath = (false, nil, nil)
    core.withLock { core in
      if action == nil || !core.isClosed { alter(&core, action: action, cause: cause, &aftermath, body) }
    }
    below?.follow()
    // In any case, as it keeps the node: to free that inside the lock would be a deadlock.
    turn.followed.append { self.tell(&aftermath, cause) }
  }
}

extension Turn {
  /// Lets the nodes follow, each after the one above, in a loop: a tree may be as deep as you like. Called inside the lock.
  ///
  /// - Returns: Who then tells those who hear of them, outside of it.
  @usableFromInline
  func descend(_ cause: Cause) -> [() -> Void] {
    var next = 0
    while next < following.count {
      following[next](cause)
      next += 1
    }
    defer { (following, followed) = ([], []) }
    return followed
  }
}
