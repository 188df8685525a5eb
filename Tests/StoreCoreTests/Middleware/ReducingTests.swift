import Foundation
import StoreCore
import StoreTesting
import Testing

struct `Reducing in the background` {
  @Test func `keeps the order, and commit waits for it`() async throws {
    let store = Store([], reducer: Reducer(appending), reducing: .inBackground(priority: .high))
    for number in 0..<1000 { store.dispatch(number) }
    try await store.commit()
    #expect(store.state == Array(0..<1000))
  }

  @Test func `takes place on another thread than the one that dispatches`() async throws {
    let store = Store(
      [], reducer: { (state: inout [Bool], _: Int) in state.append(Thread.isMainThread) }, reducing: .inBackground())
    await MainActor.run {
      store.dispatch(1)
      store.dispatch(2)
    }
    try await store.commit()
    #expect(store.state == [false, false])
  }

  @Test(arguments: [TaskPriority.utility, .high])
  func `has the priority that was asked for`(priority: TaskPriority) async throws {
    let seen = Journal<TaskPriority?>()
    let store = Store(
      0, reducer: { (_: inout Int, _: Int) in seen.note(Task.basePriority) },
      reducing: .inBackground(priority: priority))
    store.dispatch(1)
    try await store.commit()
    #expect(seen.entries == [priority])
  }

  @Test func `is ordered for each thread, whatever number of them dispatch`() async throws {
    let store = try Store([], reducer: appending, reducing: .inBackground(), middleware: [Probe()])
    await Task.detached {
      onThreads(4) { thread in
        for number in 0..<500 { store.dispatch(thread * 1000 + number) }
      }
    }.value
    try await store.commit()
    let state = store.state
    for thread in 0..<4 {
      #expect(state.filter { $0 / 1000 == thread } == (0..<500).map { thread * 1000 + $0 })
    }
  }

  @Test func `happens before middleware is flushed, and before a close`() async throws {
    let clock = ManualClock()
    let steps = Journal<String>()
    let probe = Probe<[Int], Int>(steps: steps, changed: { change, _ in steps.note("changed \(change.action!)") })
    let store = try Store(
      [], reducer: appending, reducing: .inBackground(),
      middleware: [probe, DebounceActions(for: .seconds(1), clock: clock) { $0 > 9 ? 0 : nil }])
    store.dispatch(10)
    store.dispatch(1)
    try await store.commit()
    store.dispatch(11)
    store.dispatch(2)
    try await store.close()
    #expect(
      steps.entries == [
        "probe start", "changed 1", "changed 10", "probe flush", "changed 2", "changed 11", "probe close",
      ])
  }

  @Test func `of what is dispatched on hearing of a change is done at once, before a commit or a close ends`()
    async throws
  {
    let store = try Store([], reducer: appending, reducing: .inBackground(), middleware: [Answering()])
    let subscription = store.subscribe(skipFirst: true) { [weak store] state in
      if let last = state.last, last % 100 == 10 { store?.dispatch(last + 1) }
    }
    for number in [100, 200] { store.dispatch(number) }
    try await store.commit()
    #expect(store.state == [100, 110, 111, 200, 210, 211])
    store.dispatch(300)
    try await store.close()
    #expect(store.state.suffix(3) == [300, 310, 311])
    withExtendedLifetime(subscription) {}
  }

  /// Dispatches ten more for each hundred.
  private final class Answering: Middleware {
    private let store = Shared<Store<[Int], Int>?>(nil)

    func start(_ store: Store<[Int], Int>) {
      self.store.value.withLock { $0 = store }
    }

    func changed(_ change: Change<[Int], Int>, state: borrowing [Int]) {
      guard let action = change.action, action % 100 == 0 else { return }
      store.value.withLock { $0 }?.dispatch(action + 10)
    }

    func close() async { store.value.withLock { $0 = nil } }
  }

  @Test func `with effects that the reducer returns comes to the same`() async throws {
    let store = Store<[Int], Int>(
      [],
      effects: { state, action in
        state.append(action)
        return action < 5 ? .send(action + 1) : .none
      }, reducing: .inBackground())
    store.dispatch(1)
    for await state in store.states where state.count == 5 { break }
    #expect(store.state == [1, 2, 3, 4, 5])
  }

  @Test func `isn't lost with a store that is dropped`() async {
    weak var freed: Store<[Int], Int>?
    let heard = Journal<[Int]>()
    do {
      let store = Store([], reducer: appending, reducing: .inBackground())
      freed = store
      store.selection.skip().subscribe(owner: heard) { heard, state in heard.note(state) }
      for number in 0..<100 { store.dispatch(number) }
    }
    #expect(await heard.entries(100).last == Array(0..<100))
    while freed != nil { await Task.yield() }
  }

  @Test func `on the caller has reduced on return`() throws {
    let store = try Store([], reducer: Reducer(appending), reducing: .onCaller, middleware: [])
    store.dispatch(1)
    #expect(store.state == [1])
  }
}
