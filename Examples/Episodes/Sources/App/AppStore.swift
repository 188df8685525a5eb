import HotReload
import StoreCore
import StoreRecording

typealias AppStore = Store<App, AppAction>
typealias AppTravel = TimeTravel<App, AppAction>

/// Which versions of the state, and of the actions, the app understands: no older ones yet.
let appSchema = StateSchema(App().schemaVersion)

extension Store<App, AppAction> {
  /// The store of the app, mirrored in a file, ready for time travel, and recorded if there is a file for that.
  static func mirrored(
    in mirror: HotReload<App, AppAction>, travel: AppTravel, recording: String? = nil
  ) throws -> AppStore {
    let recorder = recording.map { Recorder<App, AppAction>($0, program: "Episodes", schema: appSchema.version) }
    let middleware: [(any Middleware<App, AppAction>)?] = [typing, travel, recorder, mirror]
    let store = try AppStore(App(), reducer: appReducer, middleware: middleware.compactMap { $0 })
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
