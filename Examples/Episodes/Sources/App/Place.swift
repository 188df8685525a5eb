import StoreRouting

/// Where in the app a route leads: the route is text from a file, this is what the screen and the keys go by.
enum Place: Sendable, Equatable {
  case list
  /// A sheet over the list.
  case filter
  case episode(Episode.ID)
  /// A sheet over the episode.
  case rating(Episode.ID)
  case comments(Episode.ID)
  /// A line for a new comment, below the others.
  case writing(Episode.ID)

  /// As far as the route can be followed: one that leads nowhere ends at the last place that there is.
  init(_ route: Route) {
    let steps = route.segments
    guard steps.first == "episodes", steps.count > 1 else {
      self = .list
      return
    }
    if steps[1] == "filter" {
      self = .filter
    } else if steps[1] == "show", steps.count > 2, let id = Episode.ID(steps[2]) {
      self = Place(id, inside: steps.dropFirst(3))
    } else {
      self = .list
    }
  }

  private init(_ id: Episode.ID, inside steps: ArraySlice<String>) {
    self =
      switch (steps.first, steps.dropFirst().first) {
      case ("rate", _): .rating(id)
      case ("comments", "write"): .writing(id)
      case ("comments", _): .comments(id)
      default: .episode(id)
      }
  }

  var route: Route {
    switch self {
    case .list: "/episodes"
    case .filter: "/episodes/filter"
    case .episode(let id): ["episodes", "show", "\(id)"]
    case .rating(let id): Place.episode(id).route + "/rate"
    case .comments(let id): Place.episode(id).route + "/comments"
    case .writing(let id): Place.comments(id).route + "/write"
    }
  }

  /// The episode that is shown, if it is one.
  var episode: Episode.ID? {
    switch self {
    case .list, .filter: nil
    case .episode(let id), .rating(let id), .comments(let id), .writing(let id): id
    }
  }
}
