extension Entities: RandomAccessCollection {
  @inlinable public var startIndex: Int { 0 }
  @inlinable public var endIndex: Int { slots.count }

  /// The element at a position.
  @inlinable
  public subscript(position: Int) -> Element { slots[position]! }

  /// The identities in the order of the elements.
  @inlinable
  public var ids: some RandomAccessCollection<ID> { lazy.map(\.id) }

  /// The position of the element with the identity, or nil if there is none.
  ///
  /// - Complexity: O(1)
  @inlinable
  public func index(id: ID) -> Int? { positions[id] }

  /// Whether there is an element with the identity.
  ///
  /// - Complexity: O(1)
  @inlinable
  public func contains(id: ID) -> Bool { positions[id] != nil }
}

extension Entities: ExpressibleByArrayLiteral {
  /// Makes one of elements in their order. Of those with the same identity the last counts, at the place of the first.
  @inlinable
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension Entities: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// As that of an array.
  public var description: String { Array(self).description }

  /// As that of an array.
  public var debugDescription: String { Array(self).debugDescription }

  /// As that of an array: the elements, and not how they are kept.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: self, displayStyle: .collection)
  }
}
