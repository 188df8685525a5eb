import HotReload
import StateJSON
import StoreCore
import StoreTesting
import Testing

@testable import Episodes

@Suite(.timeLimit(.minutes(10)))
struct `What is loading` {
  private let clock = ManualClock()

  /// A store that performs fetches, of a service in which these go wrong so many times.
  private func makeStore(_ app: App = .sample, troubles: [Resource: Int] = [:]) throws -> TestStore<App, AppAction> {
    let service = FakeService(clock: clock, delay: .milliseconds(600), troubles: troubles)
    let store = try TestStore(app, reducer: appReducer) {
      $0.clock = clock
      $0.service = service
    }
    store.store.performFetches()
    return store
  }

  private func fetch(_ resource: Resource, _ change: (inout EffectState) -> Void = { _ in }) -> Fetch {
    var fetch = Fetch(id: resource)
    fetch.effect.run()
    change(&fetch.effect)
    return fetch
  }

  @Test func `takes its time, and is forgotten when it is done`() async throws {
    try await withTestStore(makeStore()) { store in
      try await store.send(.loading(.want(.comments(1101)))) { $0.loading.fetches = [fetch(.comments(1101))] }
      // Wanted twice, as by two instances at once, it is loaded once.
      try await store.send(.loading(.want(.comments(1101))))
      try await clock.advance(by: .milliseconds(600))
      let comments = FakeShow.comments.filter { $0.episode == 1101 }
      try await store.receive(.comments(.loaded(comments))) { $0.comments = Entities(comments) }
      try await store.receive(.loading(.effect(.comments(1101), .succeed(of: .init(run: 1, attempt: 1))))) {
        $0.loading.fetches = []
      }
    }
  }

  @Test func `is tried again after a while, and says so in the state`() async throws {
    try await withTestStore(makeStore(troubles: [.details(1103): 1])) { store in
      try await store.send(.loading(.want(.details(1103)))) { $0.loading.fetches = [fetch(.details(1103))] }
      try await clock.advance(by: .milliseconds(600))
      try await store.receive(\.loading) {
        $0.loading.fetches[id: .details(1103)]?.effect.retryOrFail(with: "the lighthouse doesn't answer")
      }
      try await clock.advance(by: .seconds(1))
      try await clock.advance(by: .milliseconds(600))
      try await store.receive(\.details) { $0.details = FakeShow.details.filter { $0.key == 1103 } }
      try await store.receive(\.loading) { $0.loading.fetches = [] }
    }
  }

  @Test func `fails in the end, and begins anew when the user says so`() async throws {
    try await withTestStore(makeStore(troubles: [.details(1103): 3])) { store in
      try await store.send(.loading(.want(.details(1103)))) { $0.loading.fetches = [fetch(.details(1103))] }
      for pause in [0, 1, 2] {
        if pause > 0 { try await clock.advance(by: .seconds(pause)) }
        try await clock.advance(by: .milliseconds(600))
        try await store.receive(\.loading) {
          $0.loading.fetches[id: .details(1103)]?.effect.retryOrFail(with: "the lighthouse doesn't answer")
          if pause == 2 { $0.lastError = "the lighthouse doesn't answer" }
        }
      }
      // What has failed isn't begun again by looking at it.
      try await store.send(.loading(.want(.details(1103))))
      try await store.send(.loading(.retry)) {
        $0.loading.fetches[id: .details(1103)]?.effect.restart()
        $0.lastError = nil
      }
      try await clock.advance(by: .milliseconds(600))
      try await store.receive(\.details) { $0.details = FakeShow.details.filter { $0.key == 1103 } }
      try await store.receive(\.loading) { $0.loading.fetches = [] }
    }
  }

  @Test func `is cancelled by what takes it out of the state`() async throws {
    try await withTestStore(makeStore()) { store in
      try await store.send(.loading(.want(.episodes))) { $0.loading.fetches = [fetch(.episodes)] }
      try await clock.sleepers(1)
      try await store.send(.loading(.effect(.episodes, .cancel()))) { $0.loading.fetches = [] }
    }
  }

  @Test func `stands in the file as a flag for each kind, and as fetches only while there are any`() throws {
    var loading = Loading()
    let idle = try JSONValueEncoder().encode(loading)
    #expect("\(idle)" == #"{"episodes":false,"details":false,"comments":false}"#)
    loading.fetches = [fetch(.comments(1104))]
    let encoded = try JSONValueEncoder().encode(loading)
    #expect(encoded[JSONPointer(["comments"])] == true)
    #expect(encoded[JSONPointer(["fetches", "0", "id"])] == "comments/1104")
    #expect(try JSONValueDecoder().decode(Loading.self, from: encoded) == loading)
  }

  @Test(arguments: ["episodes", "details/1104", "comments/-1"])
  func `names what is loaded by text`(text: String) {
    #expect(Resource(rawValue: text)?.rawValue == text)
  }

  @Test(arguments: ["", "episodes/1", "details", "details/x", "posts/1", "comments/1/2"])
  func `knows no other names`(text: String) {
    #expect(Resource(rawValue: text) == nil)
  }
}
