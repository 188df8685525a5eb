import StateJSON

/// The state that entries come to, one after another.
struct FoldState: Sendable {
  /// The document; `nil` if there is none.
  var value: JSONValue?
  /// The values that they have removed.
  var ghosts = Ghosts()

  /// Does what an entry says.
  mutating func apply(_ entry: JournalEntry) {
    change(entry)
    ghosts.remember(entry)
  }

  /// Does what entries say, one after another. Those that follow each other and that an app reduces are handed to it together.
  mutating func apply(_ entries: [JournalEntry], app: some ActionReducer) {
    var rest = entries[...]
    while let first = rest.first {
      let isLeftOut = first.seed != nil && value != nil
      if isLeftOut || !first.isReduced(by: app) {
        apply(first)
        rest = rest.dropFirst()
      } else {
        let group = rest.prefix(1) + rest.dropFirst().prefix { $0.seed == nil && $0.isReduced(by: app) }
        reduce(group, app)
        rest = rest.dropFirst(group.count)
      }
    }
  }

  private mutating func reduce(_ entries: ArraySlice<JournalEntry>, _ app: some ActionReducer) {
    if let result = try? app.reducing(value, by: entries.flatMap { $0.actions ?? [] }) {
      value = result
      for entry in entries { ghosts.remember(entry) }
    } else if entries.count > 1 {
      for index in entries.indices { reduce(entries[index...index], app) }
    } else {
      // Of actions that the app doesn't know, what they changed where they were done is all that is known.
      for entry in entries { apply(entry) }
    }
  }

  private mutating func change(_ entry: JournalEntry) {
    switch entry.seed {
    case .defaults? where value != nil: return
    case .contents?:
      if case .replaced(_, let contents)? = entry.change {
        value = JSONMerge.value(base: nil, older: contents, newer: value)
      }
      return
    case .defaults?, nil: break
    }
    if let actions = entry.documentActions {
      for action in actions { action.apply(to: &value) }
    } else {
      entry.change?.apply(to: &value, ghosts: ghosts)
    }
  }
}

extension JournalEntry {
  /// Whether it has actions that an app is asked to reduce.
  fileprivate func isReduced(by app: some ActionReducer) -> Bool {
    guard seed != .contents, documentActions == nil, actions != nil, let version = self.app else { return false }
    return version <= app.version
  }
}

extension Ghosts {
  /// Takes note of what an entry removed.
  mutating func remember(_ entry: JournalEntry) {
    if let change = entry.change { remember(change) }
  }
}
