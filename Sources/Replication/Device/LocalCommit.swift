import StateJSON

/// Changes that were committed to a device's own document, one after another, as its local log has them.
package struct LocalCommit: Sendable {
  /// The name that the local log has for what came of the last of them; others don't read it.
  package var label: String
  /// When that was committed, by the clock of the device: milliseconds since 1970.
  package var time: Int
  /// The document before the first; `nil` if there was none.
  package let before: JSONValue?
  /// The document after the last; `nil` if there is none.
  package var after: JSONValue?
  /// The actions that they consist of, as they are encoded; `nil` if they can't be, or an editor saved.
  package var actions: [JSONValue]?
  /// The app whose actions these are; `nil` for ``DocumentAction``s.
  package let app: AppVersion?
  /// The kind of seed that it is, if it is one: it made a document where none was.
  package let seed: JournalEntry.Seed?

  /// Makes a commit of its parts.
  package init(
    label: String, time: Int, before: JSONValue?, after: JSONValue?, actions: [JSONValue]? = nil,
    app: AppVersion? = nil, seed: JournalEntry.Seed? = nil
  ) {
    (self.label, self.time, self.before, self.after) = (label, time, before, after)
    (self.actions, self.app, self.seed) = (actions, app, seed)
  }

  /// Whether the next commit goes on from this one, and one entry can say both.
  func isContinued(by next: LocalCommit) -> Bool {
    seed == nil && app == next.app && (actions == nil) == (next.actions == nil) && after == next.before
  }
}

extension [LocalCommit] {
  /// The runs of commits that are one entry each.
  var runs: [ArraySlice<LocalCommit>] {
    var runs: [ArraySlice<LocalCommit>] = []
    var (start, count) = (startIndex, first?.actions?.count ?? 0)
    for index in indices.dropFirst() {
      count += self[index].actions?.count ?? 0
      if self[index - 1].isContinued(by: self[index]), count <= JournalLimits.actionCount { continue }
      runs.append(self[start..<index])
      (start, count) = (index, self[index].actions?.count ?? 0)
    }
    if start < endIndex { runs.append(self[start...]) }
    return runs
  }
}
