import StoreCore
import Testing

struct `A sequence of states` {
  @Test func `begins with the current state and ends with the last when the store is closed`() async throws {
    let store = Store([], reducer: appending)
    store.dispatch(1)
    var states = store.states.makeAsyncIterator()
    #expect(await states.next() == [1])
    store.dispatch(2)
    store.dispatch(3)
    #expect(await states.next() == [1, 2, 3])
    store.dispatch(4)
    #expect(await states.next() == [1, 2, 3, 4])
    try await store.close()
    #expect(await states.next() == nil)
    var late = store.states.makeAsyncIterator()
    #expect(await late.next() == [1, 2, 3, 4])
    #expect(await late.next() == nil)
  }

  @Test func `gives the last state of a store that was freed, and doesn't keep it`() async {
    weak var freed: Store<[Int], Int>?
    let sequence: Store<[Int], Int>.Values<[Int]>
    var states: Store<[Int], Int>.Values<[Int]>.Iterator
    do {
      let store = Store([], reducer: appending)
      freed = store
      sequence = store.states
      states = sequence.makeAsyncIterator()
      #expect(await states.next() == [])
      store.dispatch(1)
    }
    #expect(freed == nil)
    #expect(await states.next() == [1])
    #expect(await states.next() == nil)
    var late = sequence.makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test func `of a part leaves out duplicates`() async throws {
    let store = Store([], reducer: appending)
    var counts = store.values(of: \.count).makeAsyncIterator()
    var halves = store.values(of: { $0.count }, removingDuplicates: { $0 / 2 == $1 / 2 }).makeAsyncIterator()
    #expect(await counts.next() == 0)
    #expect(await halves.next() == 0)
    store.rebase(cause: .edit) { _, _ in }
    store.dispatch(1)
    #expect(await counts.next() == 1)
    let waiting = Task { [halves] in
      var halves = halves
      return await halves.next()
    }
    store.dispatch(2)
    #expect(await waiting.value == 2)
    try await store.close()
    #expect(await counts.next() == 2)
    #expect(await counts.next() == nil)
  }

  @Test func `never misses the last, however many threads dispatch`() async {
    let store = Store(0, reducer: { (state: inout Int, step: Int) in state += step })
    let total = 4 * 1_000
    let readers = (0..<3).map { _ in
      Task {
        var last = -1
        for await state in store.states {
          precondition(state > last)
          last = state
          if state == total { break }
        }
        return last
      }
    }
    await Task.detached {
      onThreads(4) { _ in
        for _ in 0..<1_000 { store.dispatch(1) }
      }
    }.value
    for reader in readers { #expect(await reader.value == total) }
  }

  @Test func `ends with the task that reads it, also from inside changed`() async throws {
    let reader = Shared<Task<Void, Never>?>(nil)
    let probe = Probe<[Int], Int>(changed: { _, _ in reader.value.withLock { $0 }?.cancel() })
    let store = try Store([], reducer: appending, middleware: [probe])
    let began = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for await _ in store.states { began.continuation.yield() }
    }
    reader.value.withLock { $0 = task }
    for await _ in began.stream { break }
    store.dispatch(1)
    await task.value
    #expect(store.state == [1])
  }
}
