import StoreCore

/// What is being loaded, and what couldn't be.
struct Loading: Sendable, Equatable {
  var fetches: Entities<Fetch> = []

  func isRunning(where isMeant: (Resource) -> Bool) -> Bool {
    fetches.contains { isMeant($0.id) && $0.effect.isRunning }
  }
}

/// The file has a flag for each kind of thing, for whoever wants to know. They follow from the fetches, so they are
/// written and not read.
extension Loading: Codable {
  private enum CodingKeys: CodingKey { case episodes, details, comments, fetches }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    fetches = try container.decodeIfPresent(Entities<Fetch>.self, forKey: .fetches) ?? []
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(isRunning { $0 == .episodes }, forKey: .episodes)
    try container.encode(isRunning { if case .details = $0 { true } else { false } }, forKey: .details)
    try container.encode(isRunning { if case .comments = $0 { true } else { false } }, forKey: .comments)
    if !fetches.isEmpty { try container.encode(fetches, forKey: .fetches) }
  }
}

enum LoadingAction: Codable, Sendable, Equatable {
  /// Loads something, unless that is going on or has failed.
  case want(Resource)
  /// Of the effect that does the work.
  case effect(Resource, EffectAction)
  /// Tries again what has failed, and begins anew what is on its way: it may have been brought back by an edit or an
  /// undo, and nobody be at it.
  case retry
}

/// It changes two parts of the app: what is being loaded, and the last error.
let loadingReducer = Reducer<App, LoadingAction> { app, action in
  switch action {
  case .want(let resource):
    if app.loading.fetches.contains(id: resource) { return }
    var fetch = Fetch(id: resource)
    fetch.effect.run()
    app.loading.fetches.upsert(fetch)
  case .effect(let resource, let action):
    app.loading.fetches[id: resource]?.effect.apply(action)
    guard let effect = app.loading.fetches[id: resource]?.effect else { return }
    switch effect.status {
    case .idle, .running: break
    case .succeeded, .cancelled: app.loading.fetches.remove(id: resource)
    case .failed: app.lastError = effect.failure
    }
  case .retry:
    app.loading.fetches.updateAll { $0.effect.restart() }
    app.lastError = nil
  }
}
