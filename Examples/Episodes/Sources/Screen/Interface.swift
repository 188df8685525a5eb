import StoreCore

/// What only this instance knows: where its cursors are, and what is being typed.
///
/// It is the state of a store below the app's store, so that nothing of it gets into the file.
struct Interface: Sendable, Equatable {
  /// Text that the app's state hasn't got yet, as that waits for a pause.
  struct Typing: Sendable, Equatable {
    var text: String
    /// What the state has. As soon as it has something else, whoever did that, it is right.
    var over: String
  }

  var episode: Episode.ID?
  var comment: Comment.ID?
  var filterRow = 0
  var typing: Typing?
}

enum InterfaceAction: Sendable, Equatable {
  /// An action for all instances.
  case app(AppAction)
  case chooseEpisode(Episode.ID)
  case chooseComment(Comment.ID)
  case chooseFilter(row: Int)
  /// What the search line holds now, over what the state has. It goes up, too.
  case type(String, over: String)

  /// What goes up to the app's store.
  var app: AppAction? {
    switch self {
    case .app(let action): action
    case .type(let text, _): .search(.type(text))
    case .chooseEpisode, .chooseComment, .chooseFilter: nil
    }
  }
}

let interfaceReducer = Reducer<Interface, InterfaceAction> { interface, action in
  switch action {
  case .chooseEpisode(let id): interface.episode = id
  case .chooseComment(let id): interface.comment = id
  case .chooseFilter(let row): interface.filterRow = row
  case .type(let text, let query): interface.typing = Interface.Typing(text: text, over: query)
  case .app(.search): interface.typing = nil
  case .app: break
  }
}

typealias InterfaceStore = Store<NodeState<App, Interface>, InterfaceAction>

extension NodeState<App, Interface> {
  var place: Place { Place(parent.route) }

  /// What the search line shows.
  var searchText: String {
    if let typing = local.typing, typing.over == parent.search.query { return typing.text }
    return parent.search.query
  }

  /// The episode that the cursor is on, among those that are listed.
  var chosenEpisode: Episode? {
    let visible = visibleEpisodes(parent)
    return visible.first { $0.id == local.episode } ?? visible.first
  }

  /// The comments of the episode that is shown.
  var comments: [Comment] { parent.comments.filter { $0.episode == place.episode } }

  /// The comment that the cursor is on.
  var chosenComment: Comment? { comments.first { $0.id == local.comment } ?? comments.first }
}
