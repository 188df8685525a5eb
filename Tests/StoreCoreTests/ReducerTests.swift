import StoreCore
import Synchronization
import Testing

// Features as they stand in files of their own.

private struct Counter: Sendable, Equatable {
  var count = 0
}

private enum CounterAction: Sendable {
  case add(Int)
  case reset
}

private let counter = Reducer<Counter, CounterAction> { counter, action in
  switch action {
  case .add(let step): counter.count += step
  case .reset: counter.count = 0
  }
}

private struct Row: Sendable, Equatable, Identifiable {
  var id: String
  var title = ""
}

private let row = Reducer<Row, String>(returning: { Row(id: $0.id, title: $1) })

private enum Screen: Sendable, Equatable {
  case list
  case detail(Counter)

  var detail: Counter? { if case .detail(let detail) = self { detail } else { nil } }
}

private struct App: Sendable, Equatable {
  var counter = Counter()
  var sheet: Counter?
  var screen = Screen.list
  var rows: [Row] = []
  var byName: [String: Row] = [:]
}

private enum AppAction: Sendable {
  case counter(CounterAction)
  case row(Row.ID, String)
  case dismiss

  var counter: CounterAction? { if case .counter(let action) = self { action } else { nil } }
  var row: (Row.ID, String)? { if case .row(let id, let action) = self { (id, action) } else { nil } }
}

struct `A reducer` {
  private static let app = Reducer<App, AppAction>.combine(
    counter.scope(state: \.counter, action: \.counter),
    counter.scope(state: \.sheet, action: \.counter),
    counter.scope(case: \.detail, embed: Screen.detail, action: \.counter).scope(state: \.screen),
    row.forEach(\.rows, action: \.row),
    row.forEach(\.byName, action: \.row))

  private func reduced(_ app: App, _ actions: AppAction...) -> App {
    var app = app
    for action in actions { Self.app(&app, action) }
    return app
  }

  @Test func `changes the state in place or returns a new one`() {
    var state = 1
    Reducer<Int, Int> { $0 += $1 }(&state, 2)
    #expect(state == 3)
    Reducer(returning: *)(&state, 4)
    #expect(state == 12)
    Reducer<Int, Int>.empty(&state, 5)
    #expect(state == 12)
  }

  @Test func `combines with others, each after the one before`() {
    var state: [String] = []
    let named = { (name: String) in Reducer<[String], String> { $0.append(name + $1) } }
    Reducer.combine(named("a"), named("b"))(&state, "1")
    named("c").combined(with: named("d"))(&state, "2")
    #expect(state == ["a1", "b1", "c2", "d2"])
  }

  @Test func `of a feature is plugged in by key path and case`() {
    #expect(reduced(App(), .counter(.add(2))) == App(counter: Counter(count: 2)))
    #expect(reduced(App(), .dismiss) == App())
  }

  @Test func `of an optional part skips while there is none`() {
    #expect(reduced(App(), .counter(.add(2))).sheet == nil)
    #expect(reduced(App(sheet: Counter()), .counter(.add(2))).sheet == Counter(count: 2))
  }

  @Test func `of a case skips in the others`() {
    #expect(reduced(App(), .counter(.add(2))).screen == .list)
    #expect(reduced(App(screen: .detail(Counter(count: 1))), .counter(.add(2))).screen == .detail(Counter(count: 3)))
  }

  @Test func `of each element changes the one that is named`() {
    let rows = [Row(id: "a"), Row(id: "b", title: "old")]
    let app = App(rows: rows, byName: ["b": rows[1]])
    #expect(reduced(app, .row("b", "new")).rows == [Row(id: "a"), Row(id: "b", title: "new")])
    #expect(reduced(app, .row("b", "new")).byName == ["b": Row(id: "b", title: "new")])
    #expect(reduced(app, .row("c", "new")) == app)
  }

  @Test func `with the same actions or the same state leaves the other alone`() {
    var app = App()
    counter.scope(state: \App.counter)(&app, .add(3))
    #expect(app.counter.count == 3)
    var alone = Counter(count: 5)
    counter.scope(action: \AppAction.counter)(&alone, .counter(.reset))
    #expect(alone.count == 0)
  }

  @Test func `of existential actions reduces those of its type`() {
    let reducer = Reducer<Counter, any Sendable>.combine(
      .on(Int.self) { counter, step in counter.count += step },
      .on(String.self) { counter, text in counter.count += text.count },
      counter.scope(action: { $0 as? CounterAction }))
    var state = Counter()
    reducer(&state, 5)
    #expect(state.count == 5)
    reducer(&state, "four")
    #expect(state.count == 9)
    reducer(&state, CounterAction.reset)
    #expect(state.count == 0)
    reducer(&state, 1.5)
    #expect(state.count == 0)
  }

  @Test func `makes a store`() throws {
    let store = Store(App(), reducer: Self.app)
    store.dispatch(.counter(.add(1)))
    #expect(store.state.counter.count == 1)
    let watched = try Store(App(), reducer: Self.app, middleware: [Probe()])
    watched.dispatch(.counter(.add(2)))
    #expect(watched.state.counter.count == 2)
  }

  /// An array that would be copied if anybody else held it.
  @Test func `of a part changes it where it is`() {
    struct Whole: Sendable {
      var part: `A store`.Probed = .init()
      var maybe: `A store`.Probed? = .init()
      var rows: [String: `A store`.Probed] = ["a": .init()]
    }
    let bump = Reducer<`A store`.Probed, Void> { probed, _ in probed.bump() }
    let store = Store(
      Whole(),
      reducer: Reducer<Whole, Void>.combine(
        bump.scope(state: \.part), bump.scope(state: \.maybe, action: { $0 }),
        bump.forEach(\.rows, action: { ("a", ()) })))
    for _ in 0..<10 { store.dispatch(()) }
    store.withState { state, _ in
      for probed in [state.part, state.maybe!, state.rows["a"]!] {
        #expect(probed.copies == 0)
        #expect(probed.storage.value.load(ordering: .relaxed) == 10)
      }
    }
  }
}
