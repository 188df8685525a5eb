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
