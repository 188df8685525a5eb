import StoreCore
import StoreRouting
import StoreTesting
import Testing

@testable import Episodes

@Suite(.timeLimit(.minutes(10)))
struct `Navigation` {
  @Test(
    arguments: [
      ("/episodes", Place.list), ("/episodes/filter", .filter), ("/episodes/show/7", .episode(7)),
      ("/episodes/show/7/rate", .rating(7)), ("/episodes/show/7/comments", .comments(7)),
      ("/episodes/show/7/comments/write", .writing(7)),
    ] as [(Route, Place)])
  func `leads to places and back`(route: Route, place: Place) {
    #expect(Place(route) == place)
    #expect(place.route == route)
  }

  @Test(
    arguments: [
      ("/", Place.list), ("/shows/7", .list), ("/episodes/show", .list), ("/episodes/show/seven", .list),
      ("/episodes/7", .list), ("/episodes/show/7/credits", .episode(7)),
      ("/episodes/show/7/comments/c-1", .comments(7)),
    ] as [(Route, Place)])
  func `goes as far as a route can be followed`(route: Route, place: Place) {
    #expect(Place(route) == place)
  }

  @Test(
    arguments: [
      ("/episodes", [.episodes]), ("/episodes/show/1104/rate", [.episodes, .details(1104)]),
      ("/episodes/show/1104/comments", [.episodes, .details(1104), .comments(1104)]),
    ] as [(Route, [Resource])])
  func `has loaded what the route shows, also where an editor set it`(route: Route, resources: [Resource]) async throws
  {
    let store = try TestStore(
      App().at(.episode(1)), reducer: appReducer,
      middleware: [RouteLog(\.route, action: { if case .route(let action) = $0 { action } else { nil } })])
    let router = Router(
      store.store, route: \.route, action: AppAction.route, root: AppCoordinator(store.store), clock: ManualClock())
    for resource in [Resource.episodes, .details(1)] {
      try await store.receive(.loading(.want(resource))) { $0.loading.fetches.upsert(.started(resource)) }
    }
    store.store.rebase(cause: .edit) { app, _ in
      app.route = route
      app.loading.fetches = []
    }
    try await store.receive(cause: .edit) {
      $0.route = route
      $0.loading.fetches = []
    }
    for resource in resources {
      try await store.receive(.loading(.want(resource))) { $0.loading.fetches.upsert(.started(resource)) }
    }
    await router.close()
    try await store.finish()
  }

  @Test func `loads nothing that is there`() async throws {
    var app = App.sample.at(.comments(1104))
    app.details[1104] = .sample
    app.comments = [.sample("c-1", on: 1104, "Who?")]
    let store = try TestStore(app, reducer: appReducer)
    let router = Router(
      store.store, route: \.route, action: AppAction.route, root: AppCoordinator(store.store), clock: ManualClock())
    await router.settle()
    await router.close()
    try await store.finish()
  }
}

extension Fetch {
  fileprivate static func started(_ resource: Resource) -> Fetch {
    var fetch = Fetch(id: resource)
    fetch.effect.run()
    return fetch
  }
}
