import Observation
import StoreCore
import Testing

struct `A view of a store` {
  struct App: Sendable, Equatable {
    var counter = 0
    var name = "a"
  }

  enum Action: Sendable, Equatable {
    case add(Int)
    case rename(String)
  }

  struct Row: Sendable, Equatable, Identifiable {
    var id: Int
    var count = 0
  }

  struct Odd: Sendable {
    var counter: Int
  }

  let store = Store(
    App(),
    reducer: { (app: inout App, action: Action) in
      switch action {
      case .add(let step): app.counter += step
      case .rename(let name): app.name = name
      }
    })

  @Test func `reads the part through and dispatches to the store`() {
    let counter = store.scope(state: \.counter, action: Action.add)
    counter.dispatch(2)
    store.dispatch(.add(3))
    #expect(counter.state == 5)
    #expect(counter.withState { "\($0) after \($1)" } == "5 after 2")
    #expect(store.state.counter == 5)
  }

  @Test func `maps the state or the actions alone, and views may be stacked`() {
    let named = store.map(state: { "\($0.name)\($0.counter)" })
    named.dispatch(.rename("b"))
    #expect(named.state == "b0")
    let counter = store.map(actions: { (step: Int) in Action.add(step) })
    counter.dispatch(4)
    #expect(counter.state == App(counter: 4, name: "b"))
    let doubled = counter.map(state: { $0.counter * 2 }).map(actions: { (text: String) in text.count })
    doubled.dispatch("four")
    #expect(doubled.state == 16)
  }

  @Test func `of an element is not woken by the others, and shows nothing when that is gone`() {
    let store = Store(
      Entities([Row(id: 7), Row(id: 8)]),
      reducer: { (rows: inout Entities<Row>, change: (id: Int, count: Int?)) in
        rows[id: change.id] = change.count.map { Row(id: change.id, count: $0) }
      })
    let row = store.scope(state: { $0[id: 7] }, action: { (count: Int?) in (7, count) })
    let heard = Journal<Int?>()
    let subscription = row.subscribe { heard.note($0?.count) }
    store.dispatch((8, 1))
    row.dispatch(2)
    store.dispatch((8, nil))
    store.dispatch((7, nil))
    #expect(heard.entries == [0, 2, nil])
    withExtendedLifetime(subscription) {}
  }

  @Test func `starts asynchronous actions of its own`() async throws {
    let adding = Thunk<Int, Int, Int, Never> { context in
      context.dispatch(2)
      return (try? context.state) ?? 0
    }
    let counter = store.scope(state: \.counter, action: Action.add)
    #expect(await counter.dispatch(adding).value == 2)
    #expect(await counter.map(state: { $0 }).dispatch(adding).value == 4)
    #expect(store.state.counter == 4)

    let gate = Gate()
    let late = Thunk<Int, Int, Void, Never> { context in
      await gate.pass()
      context.dispatch(100)
    }
    let task = counter.dispatch(late)
    #expect(store.runningEffects.count == 1)
    task.cancel()
    gate.open()
    await task.value
    #expect(store.state.counter == 4)
  }

  @Test func `is not woken by the rest`() {
    let heard = Journal<String>()
    let counter = store.scope(state: \.counter, action: Action.add)
    let all = counter.subscribe { heard.note("\($0) \($1)") }
    let changes = counter.subscribe(skipFirst: true) { (value: Int) in heard.note("changed to \(value)") }
    let part = counter.select { $0 / 10 }.subscribe { heard.note("tens \($0)") }
    store.dispatch(.rename("b"))
    store.dispatch(.add(7))
    store.rebase(cause: .edit) { app, _ in app.counter = 12 }
    #expect(
      heard.entries == ["0 start", "tens 0", "7 action", "changed to 7", "12 edit", "changed to 12", "tens 1"])
    withExtendedLifetime((all, changes, part)) {}
  }

  @Test func `of what can't be compared is woken by everything`() {
    let heard = Journal<Int>()
    let odd = store.map(state: { Odd(counter: $0.counter) })
    let subscription = odd.subscribe { heard.note($0.counter) }
    store.dispatch(.rename("b"))
    #expect(heard.entries == [0, 0])
    withExtendedLifetime(subscription) {}
  }

  @Test func `is tracked by Observation for its own part only`() {
    let counter = store.scope(state: \.counter, action: Action.add)
    let heard = Journal<String>()
    let track: @Sendable (String) -> Void = { name in
      withObservationTracking {
        _ = counter.state
      } onChange: {
        heard.note("\(name) \(counter.withState { state, _ in state })")
      }
    }
    track("first")
    store.dispatch(.rename("b"))
    #expect(heard.entries == [])
    store.dispatch(.add(1))
    store.dispatch(.add(1))
    #expect(heard.entries == ["first 1"])
    track("second")
    store.dispatch(.rename("c"))
    store.rebase(cause: .edit) { app, _ in app.counter = 9 }
    #expect(heard.entries == ["first 1", "second 9"])
  }

  @Test func `can be tracked first by several threads at once, and none goes deaf`() {
    for _ in 0..<100 {
      let counter = store.scope(state: \.counter, action: Action.add)
      let heard = Journal<Int>()
      onThreads(3) { thread in
        withObservationTracking {
          _ = counter.state
        } onChange: {
          heard.note(thread)
        }
      }
      store.dispatch(.add(1))
      #expect(heard.entries.sorted() == [0, 1, 2])
    }
  }

  @Test func `keeps the store alive, and is freed with what it observed`() {
    weak var freedStore: Store<App, Action>?
    weak var freedView: StoreView<Int, Int>?
    do {
      let view: StoreView<Int, Int>
      do {
        let store = Store(App(), reducer: store.reducer)
        freedStore = store
        view = store.scope(state: \.counter, action: Action.add)
      }
      freedView = view
      view.dispatch(1)
      #expect(view.state == 1)
    }
    #expect(freedView == nil)
    #expect(freedStore == nil)
  }

  @Test func `stands for a store where either will do`() {
    func count(_ store: some StoreProtocol<Int, Int>) -> Int {
      store.dispatch(1)
      return store.state
    }
    #expect(count(store.scope(state: \.counter, action: Action.add)) == 1)
    #expect(count(Store(1, reducer: { $0 += $1 })) == 2)
    let any: any StoreProtocol<Int, Int> = store.scope(state: \.counter, action: Action.add)
    any.dispatch(1)
    #expect(any.state == 2)
  }
}
