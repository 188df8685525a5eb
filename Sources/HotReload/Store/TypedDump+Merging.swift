import StateJSON

extension TypedDump {
  /// This dump with what changed from one dump of the same type to another, which wins where both have changed a place.
  func merging(from before: TypedDump, to after: TypedDump) -> JSONValue {
    if value == before.value { return after.value }
    var hints = JSONMergeHints()
    // Keys and values that stand in one array belong together: no merge may part them.
    for (pointer, form) in after.unordered.pointers where form == .pairs { hints.append(.atomic, at: pointer) }
    return JSONMerge(base: before.value, left: value, right: after.value, newer: .right, hints: hints).value
  }
}
