import StoreCore
import StoreTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `An effect that a reducer returns` {
  typealias Effects = @Sendable (inout [Int], Int) -> Effect<Int>

  /// A store whose reducer notes each action, and returns what the test says.
  private static func makeStore(
    middleware: [any Middleware<[Int], Int>] = [], _ effect: @escaping @Sendable (Int) -> Effect<Int>
  ) throws -> Store<[Int], Int> {
    try Store(
      [],
      effects: { state, action in
        state.append(action)
        return effect(action)
      }, middleware: middleware)
  }

  /// Waits until the state is so.
  private static func wait(_ store: Store<[Int], Int>, for state: [Int]) async {
    for await now in store.states where now == state { return }
  }

  @Test func `runs, and sends what it comes to`() async throws {
    let store = Store<[Int], Int>(
      [],
      effects: { state, action in
        state.append(action)
        return action < 10 ? .run { send in send(action * 10) } : .none
      })
    store.dispatch(1)
    await Self.wait(store, for: [1, 10])
    store.dispatch(2)
    await Self.wait(store, for: [1, 10, 2, 20])
  }

  @Test func `may be an action, which comes right after`() throws {
    let store = try Self.makeStore { $0 < 3 ? .send($0 + 1) : .none }
    let heard = Journal<[Int]>()
    let subscription = store.subscribe(skipFirst: true, heard.note)
    store.dispatch(1)
    #expect(store.state == [1, 2, 3])
    #expect(heard.entries == [[1], [1, 2], [1, 2, 3]])
    withExtendedLifetime(subscription) {}
  }

  @Test func `that throws sends what is made of the error`() async throws {
    struct Odd: Error {}
    let store = try Self.makeStore { action in
      if action > 0 { return .none }
      return .run { _ in
        throw Odd()
      } catch: { error in
        error is Odd ? 7 : 8
      }
    }
    store.dispatch(0)
    await Self.wait(store, for: [0, 7])
  }

  @Test func `that throws that something was cancelled sends nothing`() async throws {
    let ended = Gate()
    let store = try Self.makeStore { action in
      if action > 0 { return .none }
      return .run { _ in
        defer { ended.open() }
        throw CancellationError()
      } catch: { _ in
        7
      }
    }
    store.dispatch(0)
    await ended.pass()
    // What it would have sent comes before that.
    await withCheckedContinuation { continuation in store.whenEffectsEnd { continuation.resume() } }
    #expect(store.state == [0])
  }

  @Test func `of the feature inside becomes one of the feature around`() async throws {
    let gate = Gate()
    let inner = Effect<String>.concatenate(
      .send("1"), .run { $0("22") }, .merge(.none, .run { $0("333") }.cancellable(id: 1)), .cancel(id: 2))
    let store = try Self.makeStore { $0 == 0 ? inner.map(\.count) : $0 == 3 ? .run { _ in gate.open() } : .none }
    store.dispatch(0)
    await gate.pass()
    #expect(store.state == [0, 1, 2, 3])
  }

  @Test func `is started by a dispatch only, not where the action is reduced again`() async throws {
    let started = Journal<Int>()
    let store = try Self.makeStore { action in
      started.note(action)
      return .merge(.send(100), .run { $0(200) }, .cancel(id: "x"))
    }
    store.rebase(cause: .instance("other")) { state, reduce in
      reduce(&state, 1)
      reduce(&state, 2)
    }
    onThreads(2) { _ in
      var state: [Int] = []
      store.reducer(&state, 3)
    }
    #expect(started.entries == [1, 2, 3, 3])
    #expect(store.state == [1, 2])
    #expect(store.runningEffects == [])
  }

  @Test func `is not taken for that of a replay on another thread at the same time`() async throws {
    let isOver = Shared(false)
    let store = try Self.makeStore { action in
      if action > 0 { return .send(-action) }
      return action == 0 ? .send(-1_000) : .none
    }
    onThreads(2) { thread in
      if thread == 0 {
        for number in 1...500 { store.dispatch(number) }
        isOver.value.withLock { $0 = true }
      } else {
        var state: [Int] = []
        while !isOver.value.withLock({ $0 }) { store.reducer(&state, 0) }
      }
    }
    #expect(store.state == (1...500).flatMap { [$0, -$0] })
  }

  @Test func `runs one after another, or all at a time`() async throws {
    let (first, second) = (Gate(), Gate())
    let store = try Self.makeStore { action in
      guard action == 0 else { return .none }
      return .merge(
        .concatenate(
          .run { send in
            await first.pass()
            send(1)
          }, .send(2),
          .merge(
            .run { send in
              await second.pass()
              send(3)
            }, .none), .send(4)),
        .run { send in send(9) })
    }
    store.dispatch(0)
    await Self.wait(store, for: [0, 9])
    first.open()
    await Self.wait(store, for: [0, 9, 1, 2])
    second.open()
    await Self.wait(store, for: [0, 9, 1, 2, 3, 4])
  }

  @Test func `is cancelled by its id, whatever it is part of`() async throws {
    let (gate, late) = (Gate(), Gate())
    let seen = Journal<Bool>()
    let store = try Self.makeStore { action in
      switch action {
      case 0:
        let wait = Effect<Int>.run { send in
          await gate.pass()
          seen.note(Task.isCancelled)
          send(1)
        }
        return .merge(
          .concatenate(wait, .send(2), wait, .cancel(id: "c")).cancellable(id: "a").cancellable(id: "all"),
          .concatenate(wait.cancellable(id: "b"), .run { $0(3) }),
          .run { send in
            await late.pass()
            send(4)
          }
          .cancellable(id: "c"))
      case 10: return .cancel(id: "all")
      case 11: return .cancel(id: "b")
      case 12: return .cancel(id: 1)
      default: return .none
      }
    }
    store.dispatch(0)
    await gate.arrivals(2)
    for action in 10...12 { store.dispatch(action) }
    gate.open()
    // What comes after a cancelled part still comes, if it is no part of it.
    await Self.wait(store, for: [0, 10, 11, 12, 3])
    while store.runningEffects.count > 1 || seen.entries.count < 2 { await Task.yield() }
    #expect(seen.entries == [true, true])
    late.open()
    await Self.wait(store, for: [0, 10, 11, 12, 3, 4])
  }

  @Test func `is cancelled by the newest of its id`() async throws {
    let gates = [Gate(), Gate()]
    let store = try Self.makeStore { action in
      guard action < 2 else { return .none }
      return .run { send in
        await gates[action].pass()
        send(10 + action)
      }
      .cancellable(id: "search", cancelInFlight: true)
    }
    store.dispatch(0)
    await gates[0].arrivals(1)
    store.dispatch(1)
    gates[0].open()
    gates[1].open()
    await Self.wait(store, for: [0, 1, 11])
    #expect(store.runningEffects == [] || store.runningEffects == ["search"])
  }

  @Test func `that was cancelled takes back what is on the way, and one that has ended doesn't`() async throws {
    let delayed = Journal<@Sendable () -> Void>()
    let gate = Gate()
    let probe = Probe<[Int], Int>(dispatch: { action, next in
      if action < 10 { return next(action) }
      delayed.note { next(action) }
    })
    let store = try Self.makeStore(middleware: [probe]) { action in
      switch action {
      case 0:
        .merge(
          .run { send in
            send(10)
            await gate.pass()
          },
          .run { send in
            await gate.pass()
            send(11)
          }
        ).cancellable(id: "a")
      case 1, 2: .cancel(id: "a")
      default: .none
      }
    }
    store.dispatch(0)
    await gate.arrivals(2)
    store.dispatch(1)
    delayed.entries[0]()
    #expect(store.state == [0, 1])
    gate.open()
    store.dispatch(0)
    while !store.runningEffects.isEmpty { await Task.yield() }
    store.dispatch(2)
    #expect(delayed.entries.count == 3)
    for send in delayed.entries { send() }
    #expect(store.state.sorted() == [0, 0, 1, 2, 10, 11])
  }

  @Test func `never sends after it was replaced, however close the race`() async throws {
    let rounds = 2_000
    let store = Store<[Int], Int>(
      [0],
      effects: { state, action in
        // Odd actions are results: each must be that of the newest search.
        if action % 2 == 1 { precondition(action == state[0] + 1) }
        guard action % 2 == 0 else { return .none }
        state[0] = action
        return .run { send in send(action + 1) }.cancellable(id: "search", cancelInFlight: true)
      })
    for round in 1...rounds { store.dispatch(round * 2) }
    #expect(store.state == [rounds * 2])
  }

  @Test func `is cancelled in the total order, but its handlers run outside the lock`() async throws {
    let held = Shared<Store<[Int], Int>?>(nil)
    let gate = Gate()
    let seen = Journal<[Int]>()
    let store = try Self.makeStore { action in
      switch action {
      case 0:
        return .run { _ in
          await withTaskCancellationHandler {
            await gate.pass()
          } onCancel: {
            held.value.withLock { $0 }.map { seen.note($0.state) }
          }
        }
        .cancellable(id: "a")
      case 1: return .cancel(id: "a")
      default: return .none
      }
    }
    held.value.withLock { $0 = store }
    store.dispatch(0)
    await gate.arrivals(1)
    store.dispatch(1)
    #expect(seen.entries == [[0, 1]])
    gate.open()
    held.value.withLock { $0 = nil }
  }

  @Test(arguments: [true, false])
  func `is cancelled when the store is closed, or freed`(isClosed: Bool) async throws {
    let gate = Gate()
    let cancelled = Gate()
    weak var freed: Store<[Int], Int>?
    do {
      let store = try Self.makeStore { action in
        guard action == 0 else { return .none }
        return .run { send in
          await gate.pass()
          send(1)
          if Task.isCancelled { cancelled.open() }
        }
      }
      freed = store
      store.dispatch(0)
      await gate.arrivals(1)
      if isClosed {
        try await store.close()
        gate.open()
        await cancelled.pass()
        #expect(store.state == [0])
      }
    }
    gate.open()
    await cancelled.pass()
    #expect(freed == nil)
  }

  @Test func `of an action dispatched while the middleware start is not lost`() async throws {
    let early = Probe<[Int], Int>(start: { $0.dispatch(0) })
    let store = try Self.makeStore(middleware: [early]) { $0 == 0 ? .run { $0(1) } : .none }
    await Self.wait(store, for: [0, 1])
  }

  @Test func `runs with the store's dependencies`() async throws {
    let clock = ManualClock()
    let store = try withDependencies {
      $0.clock = clock
    } operation: {
      try Self.makeStore { action in
        guard action == 0 else { return .none }
        return .run { send in
          try? await Dependencies.current.clock.sleep(for: .seconds(1))
          send(1)
        }
      }
    }
    store.dispatch(0)
    try await clock.advance(by: .seconds(1))
    await Self.wait(store, for: [0, 1])
  }
}
