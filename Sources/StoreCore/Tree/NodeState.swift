/// The state of a store in a tree: that of the store above it, and its own.
public struct NodeState<Parent: Sendable, Local: Sendable>: Sendable {
  /// What the store above last delivered: only that changes it.
  public var parent: Parent

  /// What the node's own reducer changes.
  public var local: Local

  /// Makes a state of its parts.
  @inlinable
  public init(parent: Parent, local: Local) {
    self.parent = parent
    self.local = local
  }
}

extension NodeState: Equatable where Parent: Equatable, Local: Equatable {}
extension NodeState: Hashable where Parent: Hashable, Local: Hashable {}
