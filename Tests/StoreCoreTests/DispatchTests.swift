import Dispatch
import StoreCore
import Testing

struct `Dispatching` {
  @Test func `from many threads loses nothing and has one order for all`() throws {
    let threads = 8
    let each = 2_000
    let changes = Journal<Int>()
    let watcher = Probe<[Int], Int>(changed: { change, _ in change.action.map(changes.note) })
    let store = try Store([], reducer: appending, middleware: [watcher])
    let heard = (0..<3).map { _ in Journal<Int>() }
    let subscriptions = heard.map { journal in
      store.subscribe(skipFirst: true) { state in journal.note(state.last!) }
    }
    onThreads(threads) { thread in
      for number in 0..<each { store.dispatch(thread * each + number) }
    }
    let order = store.state
    #expect(order.sorted() == Array(0..<threads * each))
    #expect(changes.entries == order)
    for journal in heard { #expect(journal.entries == order) }
    // Each thread's own actions are in the order it dispatched them.
    for thread in 0..<threads {
      let own = order.filter { $0 / each == thread }
      #expect(own == own.sorted())
    }
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `has reduced on return, whoever delivers`() {
    let store = Store(
      [Int](repeating: 0, count: 4), reducer: { (counts: inout [Int], index: Int) in counts[index] += 1 })
    let subscription = store.subscribe { (_: [Int]) in }
    onThreads(4) { thread in
      for number in 1...500 {
        store.dispatch(thread)
        store.withState { state, _ in precondition(state[thread] == number) }
      }
    }
    #expect(store.state == [500, 500, 500, 500])
    withExtendedLifetime(subscription) {}
  }

  @Test func `from inside a subscriber keeps the order for those after it`() {
    let store = Store([], reducer: appending)
    let heard = Journal<String>()
    let first = store.subscribe { [weak store] state in
      heard.note("a\(state)")
      if let last = state.last, last < 3 { store?.dispatch(last + 1) }
    }
    let second = store.subscribe { state in heard.note("b\(state)") }
    store.dispatch(1)
    #expect(
      heard.entries == [
        "a[]", "b[]", "a[1]", "b[1]", "a[1, 2]", "b[1, 2]", "a[1, 2, 3]", "b[1, 2, 3]",
      ])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `from inside a middleware's changed comes right after, before the outer call returns`() throws {
    let held = Shared<Store<[Int], Int>?>(nil)
    let versions = Journal<UInt64>()
    let probe = Probe<[Int], Int>(changed: { change, _ in
      versions.note(change.version)
      guard let action = change.action, action < 10 else { return }
      let store = held.value.withLock { $0 }
      store?.dispatch(action * 10)
      store?.dispatch(action * 10 + 1)
    })
    let store = try Store([], reducer: appending, middleware: [probe])
    held.value.withLock { $0 = store }
    let heard = Journal<[Int]>()
    let subscription = store.subscribe(skipFirst: true, heard.note)
    store.dispatch(1)
    #expect(store.state == [1, 10, 11])
    #expect(versions.entries == [1, 2, 3])
    #expect(heard.entries == [[1], [1, 10], [1, 10, 11]])
    held.value.withLock { $0 = nil }
    withExtendedLifetime(subscription) {}
  }

  @Test func `from inside changed, on many threads, loses nothing`() throws {
    let held = Shared<Store<[Int], Int>?>(nil)
    let probe = Probe<[Int], Int>(changed: { change, _ in
      if let action = change.action, action > 0 { held.value.withLock { $0 }?.dispatch(-action) }
    })
    let store = try Store([], reducer: appending, middleware: [probe])
    held.value.withLock { $0 = store }
    onThreads(4) { thread in
      for number in 1...500 {
        let action = thread * 500 + number
        store.dispatch(action)
        store.withState { state, _ in precondition(state.contains(-action)) }
      }
    }
    #expect(store.state.filter { $0 > 0 }.sorted() == Array(1...2000))
    #expect(store.state.filter { $0 < 0 }.map { -$0 }.sorted() == Array(1...2000))
    held.value.withLock { $0 = nil }
  }

  @Test func `a task started inside changed may read and dispatch`() async throws {
    let held = Shared<Store<[Int], Int>?>(nil)
    let tasks = Journal<Task<[Int], Never>>()
    let probe = Probe<[Int], Int>(changed: { change, _ in
      guard change.action == 1, let store = held.value.withLock({ $0 }) else { return }
      let isRunning = DispatchSemaphore(value: 0)
      // Runs while this turn is still on, and inherits its task-local values.
      tasks.note(
        Task {
          isRunning.signal()
          store.dispatch(2)
          return store.state
        })
      isRunning.wait()
    })
    let store = try Store([], reducer: appending, middleware: [probe])
    held.value.withLock { $0 = store }
    await Task(executorPreference: OwnThread()) { store.dispatch(1) }.value
    #expect(await tasks.entries[0].value == [1, 2])
    held.value.withLock { $0 = nil }
  }
}
