/// The three versions of a place in a merge. The sides are told apart by age alone, so that left and right may be
/// exchanged.
package struct MergeVersions<Value> {
  /// The version that both sides started from.
  package var base: Value
  /// The version that the older side made of it.
  package var older: Value
  /// The version that the newer side made of it, which counts where both changed a place.
  package var newer: Value

  /// Makes versions of their parts.
  package init(base: Value, older: Value, newer: Value) {
    self.base = base
    self.older = older
    self.newer = newer
  }

  func map<Result>(_ transform: (Value) -> Result) -> MergeVersions<Result> {
    MergeVersions<Result>(base: transform(base), older: transform(older), newer: transform(newer))
  }
}

extension MergeVersions<JSONValue?> {
  /// Both sides as objects, with a base that isn't one as an empty one; `nil` unless both sides are objects.
  var objects: MergeVersions<JSONObject>? {
    guard case .object(let older) = older, case .object(let newer) = newer else { return nil }
    let base = if case .object(let base) = base { base } else { JSONObject() }
    return MergeVersions<JSONObject>(base: base, older: older, newer: newer)
  }

  /// Both sides as arrays, with a base that isn't one as an empty one; `nil` unless both sides are arrays.
  var arrays: MergeVersions<[JSONValue]>? {
    guard case .array(let older) = older, case .array(let newer) = newer else { return nil }
    let base = if case .array(let base) = base { base } else { [JSONValue]() }
    return MergeVersions<[JSONValue]>(base: base, older: older, newer: newer)
  }
}
