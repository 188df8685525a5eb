import StoreRouting

/// All that can happen to the state: a case for each feature.
///
/// Encodable, so that what happened can be written down and done again.
enum AppAction: Codable, Sendable, Equatable {
  case route(RouteAction)
  case loading(LoadingAction)
  case search(SearchAction)
  case episodes(EpisodesAction)
  case details(DetailsAction)
  case comments(CommentsAction)
  case draft(DraftAction)
  /// Something went wrong that the user should know of; nil: he does.
  case report(String?)
}

// Swift has no key paths to the cases of an enum.
extension AppAction {
  var route: RouteAction? { if case .route(let action) = self { action } else { nil } }
  var loading: LoadingAction? { if case .loading(let action) = self { action } else { nil } }
  var search: SearchAction? { if case .search(let action) = self { action } else { nil } }
  var episodes: EpisodesAction? { if case .episodes(let action) = self { action } else { nil } }
  var details: DetailsAction? { if case .details(let action) = self { action } else { nil } }
  var comments: CommentsAction? { if case .comments(let action) = self { action } else { nil } }
  var draft: DraftAction? { if case .draft(let action) = self { action } else { nil } }
}
