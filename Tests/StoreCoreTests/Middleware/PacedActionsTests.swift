import StoreCore
import StoreTesting
import Testing

struct `Actions in time` {
  let clock = ManualClock()
  let heard = Journal<Int>()

  private func store(_ middleware: any Middleware<[Int], Int>) throws -> Store<[Int], Int> {
    let hooks = Hooks<[Int], Int>(after: { [heard] change, _ in heard.note(change.action!) })
    return try Store([], reducer: appending, middleware: [middleware, hooks])
  }

  /// The tens of an action are its kind; below ten it passes.
  private static let kind: @Sendable (Int) -> Int? = { $0 < 10 ? nil : $0 / 10 }

  @Test func `are debounced by kind, and others pass`() async throws {
    let store = try store(DebounceActions(for: .seconds(3), clock: clock, by: Self.kind))
    for action in [10, 1, 20, 11, 2] { store.dispatch(action) }
    #expect(store.state == [1, 2])
    try await clock.advance(by: .seconds(2), sleepers: 2)
    store.dispatch(12)
    try await clock.advance(by: .seconds(1))
    #expect(await heard.entries(3) == [1, 2, 20])
    try await clock.advance(by: .seconds(2))
    #expect(await heard.entries(4) == [1, 2, 20, 12])
    store.dispatch(13)
    try await clock.advance(by: .seconds(3))
    #expect(await heard.entries(5) == [1, 2, 20, 12, 13])
  }

  @Test func `are throttled by kind, and others pass`() async throws {
    let store = try store(ThrottleActions(for: .seconds(3), clock: clock, by: Self.kind))
    for action in [10, 1, 20, 11, 12] { store.dispatch(action) }
    #expect(store.state == [10, 1, 20])
    try await clock.advance(by: .seconds(3), sleepers: 2)
    #expect(await heard.entries(4) == [10, 1, 20, 12])
    // The interval begins anew.
    try await clock.sleepers(1)
    store.dispatch(13)
    #expect(store.state.count == 4)
    try await clock.advance(by: .seconds(3))
    #expect(await heard.entries(5) == [10, 1, 20, 12, 13])
  }

  @Test func `are paced by the store's clock`() async throws {
    let store = try withDependencies {
      $0.clock = clock
    } operation: {
      try self.store(DebounceActions(for: .seconds(3), by: Self.kind))
    }
    store.dispatch(10)
    try await clock.advance(by: .seconds(3))
    #expect(await heard.entries(1) == [10])
    withExtendedLifetime(store) {}
  }

  @Test(arguments: [false, true])
  func `that wait are let go by commit and close, in order`(throttles: Bool) async throws {
    let store = try store(
      throttles
        ? ThrottleActions(for: .seconds(3), clock: clock, by: Self.kind)
        : DebounceActions(for: .seconds(3), clock: clock, by: Self.kind))
    if throttles { for action in [20, 10] { store.dispatch(action) } }
    let before = store.state
    for action in [11, 21, 12] { store.dispatch(action) }
    try await store.commit()
    #expect(store.state == before + [21, 12])
    for action in [13, 22] { store.dispatch(action) }
    try await store.close()
    #expect(store.state == before + [21, 12, 13, 22])
    try await clock.advance(by: .seconds(9), sleepers: 0)
    store.dispatch(14)
    #expect(store.state == before + [21, 12, 13, 22])
  }

  @Test func `that wait are lost with a store that is dropped, and don't keep it`() async throws {
    weak var freed: Store<[Int], Int>?
    do {
      let store = try store(DebounceActions(for: .seconds(3), clock: clock, by: Self.kind))
      freed = store
      store.dispatch(10)
    }
    #expect(freed == nil)
    try await clock.advance(by: .seconds(3), sleepers: 0)
    #expect(heard.entries == [])
  }

  @Test func `keep the newest of each kind last, whatever number of threads dispatch`() async throws {
    for throttles in [false, true] {
      let store = try store(
        throttles
          ? ThrottleActions(for: .microseconds(50), by: { $0 / 1000 })
          : DebounceActions(for: .microseconds(50), by: { $0 / 1000 }))
      await Task.detached {
        onThreads(4) { thread in
          for number in 0..<300 { store.dispatch(thread * 1000 + number) }
        }
      }.value
      try await store.commit()
      for thread in 0..<4 {
        let own = store.state.filter { $0 / 1000 == thread }
        #expect(own.last == thread * 1000 + 299)
        #expect(own == own.sorted())
      }
    }
  }
}
