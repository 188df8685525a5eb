/// A three-way structural merge: what two sides made of one base, brought together.
///
///     let merge = JSONMerge(base: ["a": 1, "b": 1], left: ["a": 2, "b": 1], right: ["a": 1, "b": 3], newer: .right)
///     merge.value      // {"a":2,"b":3}
///     merge.conflicts  // []
///
/// Objects merge by key, arrays of objects with unique ids by identity, other arrays along a longest common
/// subsequence. Where both sides changed one place in different ways, an edit wins over a removal, and the newer side
/// otherwise; that is a conflict, and both values are in ``conflicts``. What only one side changed is never one.
///
/// If left and right are exchanged, and ``Side`` with them, the same bytes and conflicts come out. A merge is *not*
/// associative: replicas that merge in different orders may differ.
///
/// - Complexity: O(*n*) in the size of the values; what shares its storage with the base is not looked at. Aligning
///   lists takes time in the product of their lengths between common ends, up to a cap; above it, in the number of
///   edits, up to another cap above which all between the ends is taken as one change.
public struct JSONMerge: Sendable {
  /// One of the two that are merged.
  public enum Side: Sendable, Hashable {
    /// The first of the two.
    case left
    /// The second of the two.
    case right
  }

  /// A place that both sides changed, in different ways.
  public struct Conflict: Sendable, Equatable {
    /// The place in the merged value.
    public let pointer: JSONPointer
    /// What was there; `nil` if nothing was, which is not `null`.
    public let base: JSONValue?
    /// What the left side has there; `nil` if it has nothing.
    public let left: JSONValue?
    /// What the right side has there; `nil` if it has nothing.
    public let right: JSONValue?
    /// The side whose value is in the merged value.
    public let winner: Side
  }

  /// What came out.
  public let value: JSONValue
  /// In the order of the merged places, containers in the order of their merge.
  public let conflicts: [Conflict]

  /// Merges two values.
  ///
  /// - Parameters:
  ///   - base: What both sides started from.
  ///   - left: What one side made of it.
  ///   - right: What the other side made of it.
  ///   - newer: The side that wins where both changed a place and neither removed it.
  ///   - hints: How containers at certain places merge, where the rule above doesn't fit.
  public init(base: JSONValue, left: JSONValue, right: JSONValue, newer: Side, hints: JSONMergeHints = [:]) {
    let isLeftNewer = newer == .left
    let versions = MergeVersions(base: base, older: isLeftNewer ? right : left, newer: isLeftNewer ? left : right)
    var merging = StructuralMerge(hints: hints)
    value = merging.mergePresent(versions)
    conflicts = merging.conflicts.map { conflict in
      let versions = conflict.versions
      return Conflict(
        pointer: JSONPointer(conflict.path), base: versions.base,
        left: isLeftNewer ? versions.newer : versions.older, right: isLeftNewer ? versions.older : versions.newer,
        winner: conflict.newerWins == isLeftNewer ? .left : .right)
    }
  }

  /// The merged value, where any version may be missing; `nil` is a value that is missing, which is not `null`.
  package static func value(base: JSONValue?, older: JSONValue?, newer: JSONValue?) -> JSONValue? {
    var merging = StructuralMerge(hints: [:])
    return merging.merge(MergeVersions(base: base, older: older, newer: newer))
  }
}
