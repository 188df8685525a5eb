import StoreCore
import StoreTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `A test store` {
  private let clock = ManualClock()

  private func makeStore(_ state: Search = Search()) throws -> TestStore<Search, SearchAction> {
    try TestStore(state, effects: search) { $0.clock = clock }
  }

  @Test func `has defaults of its own, and what is set around it`() throws {
    final class Service: Sendable {}
    struct ServiceKey: DependencyKey {
      static func makeDefault(in dependencies: Dependencies) -> Service { Service() }
    }
    struct NameKey: DependencyKey {
      static func makeDefault(in dependencies: Dependencies) -> String { "default" }
    }
    final class Peek: Middleware {
      let seen = Mutex<Service?>(nil)

      func start(_ store: Store<Int, Int>) { seen.withLock { $0 = store.dependencies[ServiceKey.self] } }
    }
    let peek = Peek()
    func makeStore() throws -> TestStore<Int, Int> {
      try TestStore(0, reducer: { $0 += $1 }, middleware: [peek]) { $0[NameKey.self] += "!" }
    }

    let shared = Dependencies.current[ServiceKey.self]
    let stores = [try makeStore(), try makeStore()]
    #expect(stores[0].store.dependencies[ServiceKey.self] !== shared)
    #expect(stores[0].store.dependencies[ServiceKey.self] !== stores[1].store.dependencies[ServiceKey.self])
    #expect(stores[0].store.dependencies[NameKey.self] == "default!")
    // The same to all in it, from the start on.
    #expect(peek.seen.withLock { $0 } === stores[1].store.dependencies[ServiceKey.self])
    let around = try withDependencies {
      $0[ServiceKey.self] = shared
      $0[NameKey.self] = "around"
    } operation: {
      try makeStore()
    }
    #expect(around.store.dependencies[ServiceKey.self] === shared)
    #expect(around.store.dependencies[NameKey.self] == "around!")
  }

  @Test func `is content with a test that says everything`() async throws {
    try await withTestStore(makeStore()) { store in
      try await store.send(.type("fo")) { $0.text = "fo" }
      try await clock.advance(by: .milliseconds(200))
      try await store.send(.type("fog")) { $0.text = "fog" }
      try await clock.advance(by: .milliseconds(300))
      try await store.receive(.found(["FOG"])) { $0.results = ["FOG"] }
      try await store.send(.type("")) { $0.text = "" }
      try await clock.advance(by: .milliseconds(300))
      let message = try await store.receive(\.failed) { $0.message = "nothing to search for" }
      #expect(message == "nothing to search for")
      try await store.send(.type(""))
      try await store.send(.clear) { $0 = Search() }
      #expect(store.state == Search())
      #expect(store.store.state == Search())
    }
  }

  @Test func `receives what a condition holds for`() async throws {
    try await withTestStore(makeStore()) { store in
      store.store.dispatch(.found(["a"]))
      try await store.receive {
        $0 == .found(["a"])
      } _: {
        $0.results = ["a"]
      }
      store.exhaustivity = .off
      store.store.dispatch(.found(["b"]))
      store.store.dispatch(.clear)
      // What is received before is passed over.
      try await store.receive { $0 == .clear }
      #expect(store.state == Search())
    }
  }

  @MainActor @Test func `serves a test on the main actor, whose closures stay there`() async throws {
    var described = 0
    try await withTestStore(makeStore()) { store in
      try await store.send(.type("fog")) {
        $0.text = "fog"
        described += 1
      }
      try await clock.advance(by: .milliseconds(300))
      try await store.receive(\.found) {
        $0.results = ["FOG"]
        described += 1
      }
    }
    #expect(described == 2)
  }

  @Test func `takes reducers of every form`() async throws {
    let add: @Sendable (inout Int, Int) -> Void = { $0 += $1 }
    let stores = [
      try TestStore(1, reducer: add), try TestStore(1, reducer: Reducer(add)),
      try TestStore(
        1,
        effects: { (state: inout Int, action: Int) in
          add(&state, action)
          return .none
        }),
    ]
    for store in stores {
      try await store.send(2) { $0 = 3 }
      try await store.send(0)
      try await store.finish()
    }
  }

  @Test func `receives what others dispatch, and rebases`() async throws {
    let store = try TestStore<Int, Int>(0, reducer: { $0 += $1 })
    store.store.dispatch(5)
    store.store.rebase(cause: .instance("4f2a")) { state, _ in state = 7 }
    try await store.receive(5) { $0 = 5 }
    try await store.receive(cause: .instance("4f2a")) { $0 = 7 }
    try await store.finish()
  }

  /// A middleware that drops 1, makes 3 of 2, adds a 4 after a 5, and keeps 6 for later.
  private final class Meddler: Middleware {
    let kept = Journal<@Sendable () -> Void>()

    func dispatch(_ action: Int, next: @escaping @Sendable (Int) -> Void) {
      switch action {
      case 1: break
      case 2: next(3)
      case 5:
        next(5)
        next(4)
      case 6: kept.note { next(6) }
      default: next(action)
      }
    }

    func changed(_ change: Change<[Int], Int>, state: borrowing [Int]) {}
  }

  @Test func `may assert a part only`() async throws {
    let store = try makeStore()
    store.exhaustivity = .off
    try await store.send(.watch)
    try await store.send(.type("fog"))
    try await clock.advance(by: .milliseconds(300))
    for message in ["a", "b", "c"] { store.store.dispatch(.failed(message)) }
    try await store.receive(.failed("b"))
    #expect(store.state.message == "b")
    // What was received since is passed over.
    try await store.send(.failed("d")) { $0.message = "d" }
    let failure = await #expect(throws: TestFailure.self) {
      try await store.send(.type("sea")) {
        $0.text = "sea"
        $0.message = "e"
      }
    }
    #expect(
      failure?.message == """
        .type("sea") didn't make the state that is expected (-) but another (+):
        - message: "e"
        + message: "d"
        """)
    #expect(store.exhaustivity == .off)
    try await store.finish()
    #expect(store.store.runningEffects == [])
  }

  @Test func `counts what middleware makes of an action as the action, and the rest as received`() async throws {
    let meddler = Meddler()
    let store = try TestStore<[Int], Int>([], reducer: { $0.append($1) }, middleware: [meddler])
    try await store.send(1)
    try await store.send(2) { $0 = [3] }
    try await store.send(5) { $0 += [5] }
    try await store.receive(4) { $0 += [4] }
    try await store.send(6)
    meddler.kept.entries[0]()
    try await store.receive(6) { $0 += [6] }
    try await store.finish()
  }

  @Test func `closes its store in the end, and when the test throws`() async throws {
    struct Stop: Error {}
    let store = try makeStore()
    await #expect(throws: Stop.self) {
      try await withTestStore(store) { store in
        try await store.send(.watch)
        throw Stop()
      }
    }
    #expect(store.store.runningEffects == [])
    store.store.dispatch(.type("late"))
    #expect(store.store.state == Search())
  }

  @Test func `lets the test throw from a closure`() async throws {
    struct Stop: Error {}
    let store = try makeStore()
    await #expect(throws: Stop.self) { try await store.send(.type("x")) { _ in throw Stop() } }
  }
}
