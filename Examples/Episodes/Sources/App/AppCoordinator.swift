import StoreRouting

/// Sees to it that what the route shows is loaded, whoever went there: a key, another instance, or an editor.
///
/// What is on the screen follows from the state alone, so there is nothing to start or stop, and one coordinator does for
/// all places. Nor does anybody wait: until something is loaded, the screen says so.
final class AppCoordinator: Coordinator {
  private let need: @Sendable (Resource) -> Void

  /// - Parameter store: Not kept.
  init(_ store: AppStore) {
    need = { [weak store] resource in
      guard let store, store.state.needs(resource) else { return }
      store.dispatch(.loading(.want(resource)))
    }
  }

  func prepare(for route: Route) async {
    need(.episodes)
    switch Place(route) {
    case .list, .filter: break
    case .episode(let id), .rating(let id): need(.details(id))
    case .comments(let id), .writing(let id):
      need(.details(id))
      need(.comments(id))
    }
  }
}

extension App {
  /// Whether something isn't there, nor on its way. Of comments there may be none; then one looks again each time.
  fileprivate func needs(_ resource: Resource) -> Bool {
    if loading.fetches.contains(id: resource) { return false }
    return switch resource {
    case .episodes: episodes.isEmpty
    case .details(let id): details[id] == nil
    case .comments(let id): !comments.contains { $0.episode == id }
    }
  }
}
