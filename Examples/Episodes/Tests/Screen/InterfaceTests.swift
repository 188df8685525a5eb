import StoreCore
import StoreTesting
import Testing

@testable import Episodes

@Suite(.timeLimit(.minutes(10)))
struct `The interface` {
  @Test func `keeps its cursors to itself, and sends everything else up`() throws {
    let store = AppStore(.sample, reducer: appReducer)
    let first = store.with(Interface(), reducer: interfaceReducer, action: \.app)
    let second = store.with(Interface(), reducer: interfaceReducer, action: \.app)
    first.dispatch(.chooseEpisode(1103))
    first.dispatch(.app(.route(.push("/filter"))))
    #expect(first.state.chosenEpisode?.id == 1103)
    #expect(second.state.chosenEpisode?.id == 1101)
    #expect(second.state.place == .filter)
    #expect(store.state == App.sample.at(.filter))
  }

  @Test func `shows what is typed at once, and what the state has as soon as that is something else`() async throws {
    let clock = ManualClock()
    let store = try withDependencies {
      $0.clock = clock
    } operation: {
      try AppStore(.sample, reducer: appReducer, middleware: [AppStore.typing])
    }
    let interface = store.with(Interface(), reducer: interfaceReducer, action: \.app)
    interface.dispatch(.app(.search(.open)))
    interface.dispatch(.type("n", over: ""))
    interface.dispatch(.type("ne", over: ""))
    #expect(interface.state.searchText == "ne")
    #expect(store.state.search.query == "")
    store.rebase(cause: .edit) { app, _ in app.search.query = "雪" }
    #expect(interface.state.searchText == "雪")
    try await clock.advance(by: .milliseconds(250))
    for await query in interface.values(of: \.parent.search.query) where query == "ne" { break }
    #expect(interface.state.searchText == "ne")
  }
}
