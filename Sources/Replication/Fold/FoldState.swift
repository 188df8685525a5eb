import StateJSON

/// The state that entries come to, one after another.
struct FoldState: Sendable {
  /// The document; `nil` if there is none.
  var value: JSONValue?
  /// The values that they have removed.
  var ghosts = Ghosts()

  /// Does what an entry says, for an app or, if that is `nil`, without any.
  mutating func apply(_ entry: JournalEntry, app: (any ActionReducer)?) {
    change(entry, app)
    ghosts.remember(entry)
  }

  private mutating func change(_ entry: JournalEntry, _ app: (any ActionReducer)?) {
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
    } else if let actions = entry.actions, let app, let version = entry.app, version <= app.version,
      let result = try? app.reducing(value, by: actions)
    {
      // Of actions that the app doesn't know, what they changed where they were done is all that is known.
      value = result
    } else {
      entry.change?.apply(to: &value, ghosts: ghosts)
    }
  }
}

extension Ghosts {
  /// Takes note of what an entry removed.
  mutating func remember(_ entry: JournalEntry) {
    if let change = entry.change { remember(change) }
  }
}
