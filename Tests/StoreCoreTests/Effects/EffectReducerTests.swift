import StoreCore
import StoreTesting
import Testing

// Features as they stand in files of their own.

private struct Search: Sendable, Equatable {
  var text = ""
  var found: [String] = []
}

private enum SearchAction: Sendable, Equatable {
  case type(String)
  case found(String)
}

private let search = EffectReducer<Search, SearchAction> { search, action in
  switch action {
  case .type(let text):
    search.text = text
    return .run { send in send(.found(text.uppercased())) }
  case .found(let text):
    search.found.append(text)
    return .none
  }
}

private struct Row: Sendable, Equatable, Identifiable {
  var id: Int
  var search = Search()
}

private enum Screen: Sendable, Equatable {
  case none
  case search(Search)

  var search: Search? { if case .search(let search) = self { search } else { nil } }
}

private struct App: Sendable, Equatable {
  var search = Search()
  var sheet: Search?
  var rows: [Row] = []
  var count = 0
}

private enum AppAction: Sendable, Equatable {
  case search(SearchAction)
  case sheet(SearchAction)
  case row(Int, SearchAction)

  var search: SearchAction? { if case .search(let action) = self { action } else { nil } }
  var sheet: SearchAction? { if case .sheet(let action) = self { action } else { nil } }
  var row: (Int, SearchAction)? { if case .row(let id, let action) = self { (id, action) } else { nil } }
}

private let row: EffectReducer<Row, SearchAction> = search.scope(state: \.search, action: { $0 }, embed: { $0 })

private let app = EffectReducer<App, AppAction>.combine(
  search.scope(state: \.search, action: \.search, embed: AppAction.search),
  search.scope(state: \.sheet, action: \.sheet, embed: AppAction.sheet),
  row.forEach(\.rows, action: \.row, embed: AppAction.row),
  EffectReducer(Reducer { app, _ in app.count += 1 }),
  EffectReducer { _, action in action == .search(.type("twice")) ? .send(.search(.found("and this"))) : .none })

@Suite(.timeLimit(.minutes(10)))
struct `A reducer that returns effects` {
  @Test func `is plugged into the app in one line, its effects with it`() async throws {
    try await withTestStore(TestStore(App(), effects: app)) { store in
      try await store.send(.search(.type("fog"))) {
        $0.search.text = "fog"
        $0.count = 1
      }
      try await store.receive(.search(.found("FOG"))) {
        $0.search.found = ["FOG"]
        $0.count = 2
      }
    }
  }

  @Test func `of a part that isn't there changes nothing, and leads to nothing`() async throws {
    try await withTestStore(TestStore(App(), effects: app)) { store in
      try await store.send(.sheet(.type("fog"))) { $0.count = 1 }
      try await store.send(.row(7, .type("fog"))) { $0.count = 2 }
    }
    try await withTestStore(TestStore(App(sheet: Search(), rows: [Row(id: 7), Row(id: 8)]), effects: app)) { store in
      try await store.send(.sheet(.type("fog"))) {
        $0.sheet?.text = "fog"
        $0.count = 1
      }
      try await store.receive(.sheet(.found("FOG"))) {
        $0.sheet?.found = ["FOG"]
        $0.count = 2
      }
      try await store.send(.row(8, .type("sea"))) {
        $0.rows[1].search.text = "sea"
        $0.count = 3
      }
      try await store.receive(.row(8, .found("SEA"))) {
        $0.rows[1].search.found = ["SEA"]
        $0.count = 4
      }
    }
  }

  @Test func `of a case changes nothing in the others, and leads to nothing`() async throws {
    let screen: EffectReducer<Screen, AppAction> = search.scope(
      case: \.search, embedState: Screen.search, action: \.search, embed: AppAction.search)
    try await withTestStore(TestStore(.none, effects: screen)) { store in
      try await store.send(.search(.type("fog")))
    }
    try await withTestStore(TestStore(.search(Search()), effects: screen)) { store in
      try await store.send(.search(.type("fog"))) { $0 = .search(Search(text: "fog")) }
      try await store.receive(.search(.found("FOG"))) { $0 = .search(Search(text: "fog", found: ["FOG"])) }
    }
  }

  @Test func `with the same state or the same actions leaves the other alone`() async throws {
    let part: EffectReducer<Row, SearchAction> = search.scope(state: \.search)
    try await withTestStore(TestStore(Row(id: 1), effects: part)) { store in
      try await store.send(.type("fog")) { $0.search.text = "fog" }
      try await store.receive(.found("FOG")) { $0.search.found = ["FOG"] }
    }
    let some: EffectReducer<Search, AppAction> = search.scope(action: \.search, embed: AppAction.search)
    try await withTestStore(TestStore(Search(), effects: some)) { store in
      try await store.send(.sheet(.type("fog")))
      try await store.send(.search(.type("fog"))) { $0.text = "fog" }
      try await store.receive(.search(.found("FOG"))) { $0.found = ["FOG"] }
    }
  }

  @Test func `has the effects of all that are combined`() async throws {
    let store = Store(App(), effects: app)
    store.dispatch(.search(.type("twice")))
    for await found in store.values(of: \.search.found) where found.count == 2 { break }
    #expect(store.state.search.found.sorted() == ["TWICE", "and this"])
  }

  @Test func `serves a store below another`() async throws {
    let root = Store([SearchAction](), reducer: Reducer<[SearchAction], SearchAction> { $0.append($1) })
    let node = root.with(Search(), effects: search, action: { $0 })
    node.dispatch(.type("fog"))
    for await found in node.values(of: \.local.found) where !found.isEmpty { break }
    #expect(root.state == [.type("fog"), .found("FOG")])
  }
}
