import StoreCore
import StoreTesting
import TestThreads
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct `An asynchronous action` {
  private struct Refusal: Error, Equatable {}

  private struct Sum: AsyncAction {
    let amounts: [Int]

    func execute(in context: AsyncActionContext<[Int], Int>) async -> Int {
      for amount in amounts { context.dispatch(amount) }
      return amounts.reduce(0, +)
    }
  }

  private struct Fail: AsyncAction {
    func execute(in context: AsyncActionContext<[Int], Int>) async throws {
      throw Refusal()
    }
  }

  /// An action creator: what the action needs is injected.
  private static func double(
    _ number: Int, by times: @escaping @Sendable (Int) async throws -> Int
  ) -> Thunk<[Int], Int, Void, any Error> {
    Thunk { context in
      let count = try context.state.count
      context.dispatch(try await times(number) + count)
    }
  }

  @Test func `dispatches what it comes to, and returns it`() async throws {
    let seen = Journal<Int>()
    let probe = Probe<[Int], Int>(dispatch: { action, next in
      seen.note(action)
      next(action)
    })
    let store = try Store([], reducer: appending, middleware: [probe])
    #expect(await store.dispatch(Sum(amounts: [1, 2, 3])).value == 6)
    #expect(store.state == [1, 2, 3])
    #expect(seen.entries == [1, 2, 3])
  }

  @Test func `does in order what it needn't wait for, before dispatch returns`() async throws {
    let store = Store([], reducer: appending)
    let view = store.map(state: \.count)
    let gate = Gate()
    for number in 0..<200 {
      let thunk = Thunk { (context: AsyncActionContext<[Int], Int>) in
        context.dispatch(number)
        await gate.pass()
      }
      store.dispatch(thunk)
      #expect(store.state.last == number)
    }
    view.dispatch(Thunk { (context: AsyncActionContext<Int, Int>) in context.dispatch(200) })
    #expect(store.state == Array(0...200))
    gate.open()
  }

  @Test func `started in a middleware's changed, in order as well`() async throws {
    let held = Shared<Store<[Int], Int>?>(nil)
    let ends = Journal<Int>()
    let probe = Probe<[Int], Int>(changed: { change, _ in
      guard change.action == 0, let store = held.value.withLock({ $0 }) else { return }
      for number in 1...50 {
        let task = store.dispatch(
          Thunk { (context: AsyncActionContext<[Int], Int>) -> Int in
            context.dispatch(number)
            return number
          })
        Task { ends.note(await task.value) }
      }
    })
    let store = try Store([], reducer: appending, middleware: [probe])
    held.value.withLock { $0 = store }
    store.dispatch(0)
    #expect(store.state == Array(0...50))
    #expect(await ends.entries(50).sorted() == Array(1...50))
    held.value.withLock { $0 = nil }
  }

  @Test func `is made by a creator, and reads the state`() async throws {
    let store = Store([7], reducer: appending)
    try await store.dispatch(Self.double(10) { $0 * 2 }).value
    #expect(store.state == [7, 21])
  }

  @Test func `may be part of another`() async throws {
    let store = Store([], reducer: appending)
    let both = Thunk { (context: AsyncActionContext<[Int], Int>) in
      try await Self.double(1) { $0 * 2 }.execute(in: context)
      try await Self.double(2) { $0 * 2 }.execute(in: context)
    }
    try await store.dispatch(both).value
    #expect(store.state == [2, 5])
  }

  @Test func `that throws tells who waits for it`() async {
    let store = Store([], reducer: appending)
    await #expect(throws: Refusal()) { try await store.dispatch(Fail()).value }
    await #expect(throws: Refusal()) { try await store.dispatch(Self.double(1) { _ in throw Refusal() }).value }
  }

  @Test func `runs with the store's dependencies`() async {
    let clock = ManualClock()
    let store = withDependencies {
      $0.clock = clock
    } operation: {
      Store([], reducer: appending)
    }
    let clocks = store.dispatch(
      Thunk { (context: AsyncActionContext<[Int], Int>) in [context.dependencies.clock, Dependencies.current.clock] })
    #expect(await clocks.value.allSatisfy { $0 as? ManualClock === clock })
  }

  @Test func `runs while it is listed`() async {
    let store = Store([], reducer: appending)
    #expect(store.runningEffects == [])
    let gate = Gate()
    let waiting = store.dispatch(Thunk { (_: AsyncActionContext<[Int], Int>) in await gate.pass() })
    await gate.arrivals(1)
    #expect(store.runningEffects.count == 1)
    gate.open()
    await waiting.value
    #expect(store.runningEffects == [])
  }

  /// Goes on in spite of its cancellation, as nothing can be stopped.
  private static func stubborn(_ gate: Gate, _ action: Int) -> Thunk<[Int], Int, Bool, Never> {
    Thunk { context in
      await gate.pass()
      context.dispatch(action)
      return Task.isCancelled
    }
  }

  @Test func `that was cancelled dispatches nothing any more`() async {
    let store = Store([], reducer: appending)
    let gate = Gate()
    let task = store.dispatch(Self.stubborn(gate, 1))
    await gate.arrivals(1)
    task.cancel()
    gate.open()
    #expect(await task.value)
    #expect(store.state == [])
  }

  @Test func `that is cancelled takes back what is on the way, and one that has ended doesn't`() async throws {
    let delayed = Journal<@Sendable () -> Void>()
    let probe = Probe<[Int], Int>(dispatch: { action, next in delayed.note { next(action) } })
    let store = try Store([], reducer: appending, middleware: [probe])
    let task = store.dispatch(Sum(amounts: [4, 5]))
    _ = await task.value
    delayed.entries[0]()
    #expect(store.state == [4])
    task.cancel()
    delayed.entries[1]()
    #expect(store.state == [4])
    #expect(store.withState { $1 } == 1)
  }

  @Test func `delayed into a middleware's changed is dropped there as well`() async throws {
    let delayed = Journal<@Sendable () -> Void>()
    let probe = Probe<[Int], Int>(
      dispatch: { action, next in if action < 10 { delayed.note { next(action) } } else { next(action) } },
      changed: { change, _ in if let action = change.action, action >= 10 { delayed.entries[action - 10]() } })
    let store = try Store([], reducer: appending, middleware: [probe])
    let first = store.dispatch(Sum(amounts: [1]))
    _ = await first.value
    _ = await store.dispatch(Sum(amounts: [2])).value
    first.cancel()
    store.dispatch(10)
    store.dispatch(11)
    #expect(store.state == [10, 11, 2])
  }

  @Test func `that has ended dispatches nothing any more`() async {
    let store = Store([], reducer: appending)
    let kept = await store.dispatch(
      Thunk { (context: AsyncActionContext<[Int], Int>) in
        context.dispatch(1)
        return context
      }
    ).value
    kept.dispatch(2)
    #expect(store.state == [1])
  }

  @Test func `is cancelled when the store is closed, and is born so afterwards`() async throws {
    let store = Store([], reducer: appending)
    let gate = Gate()
    let task = store.dispatch(Self.stubborn(gate, 1))
    await gate.arrivals(1)
    try await store.close()
    gate.open()
    #expect(await task.value)
    #expect(await store.dispatch(Self.stubborn(gate, 2)).value)
    #expect(store.state == [])
    #expect(store.runningEffects == [])
  }

  @Test func `doesn't keep the store, and is cancelled when that is freed`() async throws {
    weak var freed: Store<[Int], Int>?
    let gate = Gate()
    let task: AsyncActionTask<Bool, any Error>
    do {
      let store = Store([], reducer: appending)
      freed = store
      task = store.dispatch(
        Thunk { context in
          await gate.pass()
          context.dispatch(1)
          #expect(throws: CancellationError.self) { try context.state }
          try await ContinuousClock().sleep(for: .seconds(1000))
          return true
        })
      await gate.arrivals(1)
    }
    #expect(freed == nil)
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `may be dispatched from anywhere, as often as one likes`() async throws {
    let held = Shared<Store<[Int], Int>?>(nil)
    let inChanged = Journal<AsyncActionTask<Int, Never>>()
    let probe = Probe<[Int], Int>(changed: { change, _ in
      guard let action = change.action, action < 100, let store = held.value.withLock({ $0 }) else { return }
      inChanged.note(store.dispatch(Sum(amounts: [100 + action])))
    })
    let store = try Store([], reducer: appending, middleware: [probe])
    held.value.withLock { $0 = store }
    await withTaskGroup { group in
      for number in 0..<100 {
        group.addTask { _ = await store.dispatch(Sum(amounts: [number])).value }
      }
    }
    for task in inChanged.entries { _ = await task.value }
    held.value.withLock { $0 = nil }
    #expect(store.state.sorted() == Array(0..<200))
  }

  @Test func `traps if a reducer starts it`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let held = Shared<Store<[Int], Int>?>(nil)
      let store = Store<[Int], Int>(
        [], reducer: { _, _ in held.value.withLock { $0 }?.dispatch(Sum(amounts: [1])) })
      held.value.withLock { $0 = store }
      store.dispatch(1)
    }
    let sentence = "Fatal error: dispatch was called from inside a reducer; "
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains(sentence))
  }
}
