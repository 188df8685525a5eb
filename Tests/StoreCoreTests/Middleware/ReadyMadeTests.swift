import StoreCore
import StoreTesting
import TestThreads
import Testing

@Suite(.ownThreads) struct `A ready-made middleware` {
  @Test func `lets pass what others dispatch while they are started`() throws {
    let early = Probe<[Int], Int>(start: { $0.dispatch(1) })
    let store = try Store(
      [], reducer: appending, middleware: [early, Interceptor { action, _, next in next(action + 1) }])
    store.dispatch(2)
    #expect(store.state == [1, 3])
  }

  @Test func `serves one store`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let interceptor = Interceptor<[Int], Int> { action, _, next in next(action) }
      do { _ = try Store([], reducer: appending, middleware: [interceptor]) }
      // The one before is gone by now.
      let one = try Store([], reducer: appending, middleware: [interceptor])
      let two = try Store([], reducer: appending, middleware: [interceptor])
      withExtendedLifetime((one, two)) {}
    }
    #expect(
      String(decoding: result.standardErrorContent, as: UTF8.self)
        .contains("a middleware serves one store; make another one for another store\n"))
  }

  @Test func `intercepts: changes, drops, delays`() throws {
    let delayed = Journal<@Sendable () -> Void>()
    let store = try Store(
      [], reducer: appending,
      middleware: [
        Interceptor { action, next in
          switch action {
          case 1: next(10)
          case 2: break
          case 3: delayed.note { next(3) }
          default: next(action)
          }
        }
      ])
    for action in 1...4 { store.dispatch(action) }
    #expect(store.state == [10, 4])
    delayed.entries[0]()
    #expect(store.state == [10, 4, 3])
  }

  @Test func `intercepts with the store, whose other actions pass through all middleware, and doesn't keep it`() throws
  {
    weak var freed: Store<[Int], Int>?
    let seen = Journal<Int>()
    do {
      let store = try Store(
        [], reducer: appending,
        middleware: [
          Hooks(before: seen.note),
          Interceptor { action, store, next in
            next(action)
            if action < 10 { store.dispatch(action * 10) }
          },
        ])
      freed = store
      store.dispatch(1)
      #expect(store.state == [1, 10])
    }
    #expect(seen.entries == [1, 10])
    #expect(freed == nil)
  }

  @Test func `hooks before each action and after each change`() throws {
    let seen = Journal<String>()
    let store = try Store(
      [], reducer: appending,
      middleware: [
        Hooks(
          before: { seen.note("before \($0)") },
          after: { change, state in seen.note("after \(change.version) \(change.cause) \(state)") })
      ])
    store.dispatch(1)
    store.rebase(cause: .edit) { state, _ in state = [7] }
    #expect(seen.entries == ["before 1", "after 1 action [1]", "after 2 edit [7]"])
  }

  @Test func `logs version, cause, action and difference`() throws {
    let lines = Journal<String>()
    let store = try Store([0], reducer: appending, middleware: [Logger(to: lines.note)])
    store.dispatch(1)
    store.rebase(cause: .instance("4f2a")) { state, _ in state = [7] }
    store.rebase(cause: .edit) { _, _ in }
    #expect(lines.entries == ["#1 action 1\n+ [1]: 1", "#2 instance 4f2a\n- [0]: 0\n- [1]: 1\n+ [0]: 7", "#3 edit"])
  }

  @Test func `logs a difference of one's own, or actions only and without a copy`() throws {
    let lines = Journal<String>()
    let store = try Store(
      [], reducer: appending,
      middleware: [Logger(difference: { "\($0.count) → \($1.count)" }, to: lines.note), Logger(actionsTo: lines.note)])
    store.dispatch(5)
    #expect(lines.entries == ["#1 action 5\n0 → 1", "#1 action 5"])
    #expect(Logger<Int, Int>(actionsTo: { _ in }).needsStateBefore == false)
  }

  @Test func `logs outside the lock, before subscribers, in order though threads dispatch`() throws {
    let held = Shared<Store<[Int], Int>?>(nil)
    let numbers = Journal<Int>()
    let store = try Store(
      [], reducer: appending,
      middleware: [
        Logger(actionsTo: { line in
          // Reading would trap inside the lock.
          _ = held.value.withLock { $0 }?.state
          numbers.note(Int(line.split(separator: " ")[0].dropFirst())!)
        })
      ])
    held.value.withLock { $0 = store }
    let logged = Journal<Int>()
    let subscription = store.subscribe(skipFirst: true) { (_: [Int]) in logged.note(numbers.entries.count) }
    store.dispatch(1)
    #expect(logged.entries == [1])
    onThreads(4) { _ in
      for _ in 0..<100 { store.dispatch(1) }
    }
    #expect(numbers.entries == Array(1...401))
    held.value.withLock { $0 = nil }
    withExtendedLifetime(subscription) {}
  }

  @Test func `reacts to an action with others, after it, with the state it left`() async throws {
    let one = Reaction<[Int], Int> { state, action in action == 1 ? state.count * 100 : nil }
    let two = Reaction<[Int], Int>(to: { $0 == 2 }) { _, action, send in
      send(20)
      send(21)
    }
    let store = try Store([], reducer: appending, middleware: [one, two])
    let heard = Journal<Int>()
    let subscription = store.subscribe(skipFirst: true) { state in heard.note(state.last!) }
    store.dispatch(1)
    #expect(await heard.entries(2) == [1, 100])
    store.dispatch(2)
    #expect(await heard.entries(5) == [1, 100, 2, 20, 21])
    withExtendedLifetime(subscription) {}
  }

  @Test func `reacts no more when it is taken out of a slot, with the store's dependencies until then`() async throws {
    let clock = ManualClock()
    let began = Journal<Bool>()
    let ended = Journal<Bool>()
    let slot = MiddlewareSlot<[Int], Int>([
      Reaction { _, _, _ in
        began.note(Dependencies.current.clock is ManualClock)
        for await _ in AsyncStream<Void>.makeStream().stream {}
        ended.note(Task.isCancelled)
      }
    ])
    let store = try withDependencies {
      $0.clock = clock
    } operation: {
      try Store([], reducer: appending, middleware: [slot])
    }
    store.dispatch(1)
    #expect(await began.entries(1) == [true])
    #expect(store.runningEffects == ["Reaction"])
    try await slot.replace(with: [])
    #expect(await ended.entries(1) == [true])
    store.dispatch(2)
    #expect(began.entries.count == 1)
  }

  @Test func `reacts to nothing that came by a rebase`() async throws {
    let reacted = Journal<Int>()
    let store = try Store(
      [], reducer: appending,
      middleware: [
        Reaction { _, action in
          reacted.note(action)
          return nil
        }
      ])
    store.rebase(cause: .instance("a")) { state, reduce in reduce(&state, 1) }
    store.dispatch(2)
    #expect(await reacted.entries(1) == [2])
  }

  @Test(arguments: [true, false])
  func `is cancelled in its reaction when the store is closed or freed`(closes: Bool) async throws {
    let began = Journal<Int>()
    let ended = Journal<Bool>()
    do {
      let store = try Store(
        [], reducer: appending,
        middleware: [
          Reaction { _, action, send in
            began.note(action)
            for await _ in AsyncStream<Void>.makeStream().stream {}
            ended.note(Task.isCancelled)
            send(action + 1)
          }
        ])
      store.dispatch(1)
      _ = await began.entries(1)
      if closes {
        try await store.close()
        #expect(await ended.entries(1) == [true])
        #expect(store.state == [1])
      }
    }
    #expect(await ended.entries(1) == [true])
  }
}
