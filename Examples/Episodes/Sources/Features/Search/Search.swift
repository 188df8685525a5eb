import StoreCore

/// What is looked for among the episodes.
struct Search: Codable, Sendable, Equatable {
  /// Whether the line is open in which the query is typed.
  var isOpen = false
  var query = ""
  var filter = Filter()
  /// The last queries, the newest first.
  var recent: [String] = []
}

enum SearchAction: Codable, Sendable, Equatable {
  case open
  /// What the line holds now. Comes when typing pauses; see `AppStore`.
  case type(String)
  case submit(String)
  /// Closes the line, and searches no more.
  case cancel
  case filter(FilterAction)

  var filter: FilterAction? { if case .filter(let action) = self { action } else { nil } }
}

let searchReducer = Reducer<Search, SearchAction>.combine(
  filterReducer.scope(state: \.filter, action: \.filter),
  Reducer { search, action in
    switch action {
    case .open: search.isOpen = true
    case .type(let text):
      // As it waits, it may come after the line was closed.
      if search.isOpen { search.query = text }
    case .submit(let text):
      search.isOpen = false
      search.query = text
      search.remember(text)
    case .cancel:
      search.isOpen = false
      search.query = ""
    case .filter: break
    }
  })

extension Search {
  static let memory = 5

  fileprivate mutating func remember(_ query: String) {
    if query.isEmpty { return }
    recent.removeAll { $0 == query }
    recent.insert(query, at: 0)
    recent.removeLast(max(0, recent.count - Self.memory))
  }

  func admits(_ episode: Episode) -> Bool {
    filter.admits(episode)
      && (query.isEmpty
        || ([episode.title, episode.code] + episode.tags).contains { $0.lowercased().contains(needle) })
  }

  private var needle: String { query.lowercased() }
}

/// The episodes that are listed. Remembered until the search or the episodes change.
let visibleEpisodes = Selector<App, _>(\.episodes, \.search) { episodes, search in episodes.filter(search.admits) }
