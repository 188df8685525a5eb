import HotReload
import StoreCore

typealias AppStore = Store<App, AppAction>

extension Store<App, AppAction> {
  /// The store of the app, mirrored in a file.
  static func mirrored(in mirror: HotReload<App, AppAction>) throws -> AppStore {
    let store = try AppStore(App(), reducer: appReducer, middleware: [typing, mirror])
    store.performFetches()
    return store
  }

  /// Waits for a pause in the typing, or the file would be written, and the list be searched, at each key.
  static var typing: DebounceActions<App, AppAction> {
    DebounceActions(for: .milliseconds(250)) { action in
      if case .search(.type) = action { "query" } else { nil }
    }
  }

  /// Loads whatever the state says is to be loaded.
  ///
  /// Of all the instances that mirror a file, the one does it that was asked to. When it dies, another goes on.
  func performFetches() {
    effect(collection: \.loading.fetches, state: \.effect, action: { .loading(.effect($0, $1)) }) { fetch, send in
      let service = Dependencies.current.service
      switch fetch.id {
      case .episodes: send(.episodes(.loaded(try await service.episodes())))
      case .details(let id): send(.details(.loaded(id, try await service.details(of: id))))
      case .comments(let id): send(.comments(.loaded(try await service.comments(on: id))))
      }
    }
  }
}
