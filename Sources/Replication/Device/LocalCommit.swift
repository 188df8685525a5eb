import StateJSON

/// A change that was committed to a device's own document, as its local log has it.
package struct LocalCommit: Sendable {
  /// The name that the local log has for what came of it; others don't read it.
  package let label: String
  /// When it was committed, by the clock of the device: milliseconds since 1970.
  package let time: Int
  /// The document before it; `nil` if there was none.
  package let before: JSONValue?
  /// The document after it; `nil` if there is none.
  package let after: JSONValue?
  /// The action that it consists of, as it is encoded; `nil` if it can't be, or an editor saved.
  package let action: JSONValue?
  /// The app whose action it is; `nil` for a ``DocumentAction``.
  package let app: AppVersion?

  /// Makes a commit of its parts.
  package init(
    label: String, time: Int, before: JSONValue?, after: JSONValue?, action: JSONValue? = nil, app: AppVersion? = nil
  ) {
    (self.label, self.time, self.before, self.after) = (label, time, before, after)
    (self.action, self.app) = (action, app)
  }

  /// Whether the next commit goes on from this one, and one entry can say both.
  func isContinued(by next: LocalCommit) -> Bool {
    app == next.app && (action == nil) == (next.action == nil) && after == next.before
  }
}

extension [LocalCommit] {
  /// The runs of commits that are one entry each.
  var runs: [ArraySlice<LocalCommit>] {
    var runs: [ArraySlice<LocalCommit>] = []
    var start = startIndex
    for index in indices.dropFirst() where !self[index - 1].isContinued(by: self[index]) {
      runs.append(self[start..<index])
      start = index
    }
    if start < endIndex { runs.append(self[start...]) }
    return runs
  }
}
