import StateJSON

extension SparseChange {
  /// A change of a list whose elements are told apart by a member.
  ///
  /// In ``was`` and ``now`` are the elements that changed, came or went, and both neighbours of one that came: these say
  /// where it belongs in a list that has others, too. All that stayed are there if any moved.
  package struct Elements: Sendable {
    /// The member that tells elements apart: a string or a number in each, and in no two the same.
    package let key: String
    /// The elements concerned that were there, in their order.
    package let was: [ElementID]
    /// The elements concerned that are there, in their order.
    package let now: [ElementID]
    /// The changes of those that came, went or are different now, each of them said once.
    package let changes: [Element]
  }

  /// An element of a list, and what changed there.
  package struct Element: Sendable {
    /// The identity that tells it from the others.
    package let id: ElementID
    /// The change of it.
    package let change: SparseChange
  }
}
