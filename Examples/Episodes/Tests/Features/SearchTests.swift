import StoreCore
import StoreTesting
import Testing

@testable import Episodes

@Suite(.timeLimit(.minutes(10)))
struct `A search` {
  private let clock = ManualClock()

  private func makeStore(_ app: App = .sample) throws -> TestStore<App, AppAction> {
    try TestStore(app, reducer: appReducer, middleware: [AppStore.typing]) { $0.clock = clock }
  }

  @Test func `waits for a pause in the typing`() async throws {
    try await withTestStore(makeStore()) { store in
      try await store.send(.search(.open)) { $0.search.isOpen = true }
      try await store.send(.search(.type("n")))
      try await clock.advance(by: .milliseconds(200))
      try await store.send(.search(.type("ne")))
      try await clock.advance(by: .milliseconds(200))
      try await clock.advance(by: .milliseconds(50))
      try await store.receive(.search(.type("ne"))) { $0.search.query = "ne" }
      #expect(visibleEpisodes(store.state).map(\.title) == ["Nebel"])
    }
  }

  @Test func `takes no more of what was typed once it is closed`() async throws {
    try await withTestStore(makeStore()) { store in
      try await store.send(.search(.open)) { $0.search.isOpen = true }
      try await store.send(.search(.type("ne")))
      try await store.send(.search(.cancel)) { $0.search.isOpen = false }
      try await clock.advance(by: .milliseconds(250))
      try await store.receive(.search(.type("ne")))
    }
  }

  @Test func `remembers the last queries, each once`() async throws {
    var app = App.sample
    app.search.recent = ["a", "b", "c", "d", "e"]
    try await withTestStore(makeStore(app)) { store in
      try await store.send(.search(.submit("c"))) {
        $0.search.query = "c"
        $0.search.recent = ["c", "a", "b", "d", "e"]
      }
      try await store.send(.search(.submit("雪"))) {
        $0.search.query = "雪"
        $0.search.recent = ["雪", "c", "a", "b", "d"]
      }
      try await store.send(.search(.submit(""))) { $0.search.query = "" }
    }
  }

  @Test(arguments: [
    ("LICHT", [1104]), ("1×", [1101, 1103]), ("灯台", [1103]), ("", [1101, 1103, 1104]), ("pilot", []),
  ])
  func `finds by title and code, in capitals or not`(query: String, ids: [Episode.ID]) {
    var app = App.sample
    app.search.query = query
    #expect(visibleEpisodes(app).map(\.id) == ids)
  }

  @Test func `is narrowed by a filter, which spares what nobody has rated`() {
    var app = App.sample
    let steps: [(FilterAction, [Episode.ID])] = [
      (.adjustRating(by: 8.5), [1103, 1104]), (.season(1, true), [1103]), (.season(1, false), [1103, 1104]),
      (.adjustRating(by: -9), [1101, 1103, 1104]), (.onlyUnwatched(true), [1103, 1104]), (.reset, [1101, 1103, 1104]),
    ]
    for (action, ids) in steps {
      appReducer(&app, .search(.filter(action)))
      #expect(visibleEpisodes(app).map(\.id) == ids)
    }
  }
}
