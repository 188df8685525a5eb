import StoreCore
import StoreTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `An effect that the state asks for` {
  private struct Odd: Error, CustomStringConvertible {
    var description: String { "odd" }
  }

  @Test func `runs, and succeeds when it returns`() async throws {
    let store = try workStore()
    store.effect(\.job, action: WorkAction.job) { state, send in send(.note("did \(state.query)")) }
    store.dispatch(.type("it"))
    #expect(store.state.notes == [])
    store.dispatch(.job(.run))
    await store.until { $0.job.status == .succeeded }
    #expect(store.state.notes == ["did it"])
    store.dispatch(.job(.run))
    await store.until { $0.job.status == .succeeded && $0.notes.count == 2 }
    #expect(store.state.job.runs == 2)
  }

  @Test func `runs once, however often it is asked for meanwhile`() async throws {
    let gate = Gate()
    let store = try workStore()
    store.effect(\.job, action: WorkAction.job) { _, send in
      send(.note("started"))
      await gate.pass()
    }
    for _ in 0..<3 { store.dispatch(.job(.run)) }
    await gate.arrivals(1)
    store.dispatch(.job(.run))
    #expect(store.runningEffects.count == 1)
    gate.open()
    await store.until { $0.job.status == .succeeded }
    #expect(store.state.notes == ["started"])
    while !store.runningEffects.isEmpty { await Task.yield() }
  }

  @Test func `is tried again after the backoff, and fails in the end`() async throws {
    let clock = ManualClock()
    let store = try workStore(clock: clock)
    store.effect(\.job, action: WorkAction.job) { state, send in
      send(.note("attempt \(state.job.attempt)"))
      throw Odd()
    }
    store.dispatch(.job(.run))
    try await clock.sleepers(1)
    #expect(store.state.notes == ["attempt 1"])
    #expect(store.state.job.failure == "odd")
    try await clock.advance(by: .seconds(0.9))
    #expect(store.state.job.attempt == 2)
    try await clock.advance(by: .seconds(0.1))
    await store.until { $0.job.attempt == 3 }
    try await clock.advance(by: .seconds(2))
    await store.until { $0.job.status == .failed }
    #expect(store.state.notes == ["attempt 1", "attempt 2", "attempt 3"])
  }

  @Test func `is cancelled while it waits for the next attempt`() async throws {
    let clock = ManualClock()
    let store = try workStore(clock: clock)
    store.effect(\.job, action: WorkAction.job) { _, send in
      send(.note("tried"))
      throw Odd()
    }
    store.dispatch(.job(.run))
    try await clock.sleepers(1)
    store.dispatch(.job(.cancel()))
    try await clock.advance(by: .seconds(10), sleepers: 0)
    while !store.runningEffects.isEmpty { await Task.yield() }
    #expect(store.state.notes == ["tried"])
    #expect(store.state.job.status == .cancelled)
  }

  @Test(arguments: [EffectAction.cancel(), .reset, .fail(with: "x"), .succeed(), .restart, .retryOrFail(with: "x")])
  func `is really cancelled by whatever ends its attempt`(action: EffectAction) async throws {
    let gate = Gate()
    let seen = Journal<Bool>()
    let store = try workStore()
    store.effect(\.job, action: WorkAction.job) { state, send in
      if state.job.current != .init(run: 1, attempt: 1) { return }
      await gate.pass()
      seen.note(Task.isCancelled)
      send(.note("late"))
    }
    store.dispatch(.job(.run))
    await gate.arrivals(1)
    store.dispatch(.job(action))
    gate.open()
    while seen.entries.isEmpty { await Task.yield() }
    try await store.close()
    #expect(seen.entries == [true])
    #expect(store.state.notes == [])
  }

  @Test func `never sends after it was replaced, however close the race`() async throws {
    let store = Store<Work, WorkAction>(
      Work(),
      reducer: { state, action in
        if case .note(let text) = action { precondition(text == "\(state.job.runs)" && state.job.isRunning) }
        work(&state, action)
      })
    store.effect(\.job, action: WorkAction.job) { state, send in send(.note("\(state.job.runs)")) }
    for _ in 0..<2_000 { store.dispatch(.job(.restart)) }
    await store.until { $0.job.status == .succeeded }
    #expect(store.state.job.runs == 2_000)
  }

  @Test func `is revoked in the very change that ends it, before anything else can come`() async throws {
    let gate = Gate()
    let delayed = Journal<@Sendable () -> Void>()
    let probe = Probe<Work, WorkAction>(
      dispatch: { action, next in if case .note = action { delayed.note { next(action) } } else { next(action) } },
      changed: { change, _ in if change.action == .job(.cancel()) { delayed.entries[0]() } })
    let store = try workStore(middleware: [probe])
    store.effect(\.job, action: WorkAction.job) { _, send in
      send(.note("late"))
      await gate.pass()
    }
    store.dispatch(.job(.run))
    await gate.arrivals(1)
    store.dispatch(.job(.cancel()))
    #expect(store.state.notes == [])
    gate.open()
  }

  @Test func `that is cancelled from within is cancelled in the state`() async throws {
    let store = try workStore()
    store.effect(\.job, action: WorkAction.job) { _, _ in throw CancellationError() }
    store.dispatch(.job(.run))
    await store.until { $0.job.status == .cancelled }
  }

  @Test func `is cancelled when a rebase takes its run back`() async throws {
    let gate = Gate()
    let store = try workStore()
    store.effect(\.job, action: WorkAction.job) { _, send in
      await gate.pass()
      send(.note("late"))
    }
    store.dispatch(.job(.run))
    await gate.arrivals(1)
    store.adopt(Work(), cause: .instance("other"))
    gate.open()
    while !store.runningEffects.isEmpty { await Task.yield() }
    #expect(store.state == Work())
  }

  @Test(arguments: [Cause.edit, .restore, .instance("other"), Cause(.init(rawValue: "replay"))])
  func `is started by no rebase, and by nothing after it that changes nothing`(cause: Cause) async throws {
    let store = try workStore()
    let started = Journal<Int>()
    store.effect(\.job, action: WorkAction.job) { state, _ in started.note(state.job.runs) }
    var running = Work()
    running.job.run()
    store.adopt(running, cause: cause)
    store.dispatch(.job(.run))
    store.dispatch(.note("x"))
    #expect(store.runningEffects == [])
    #expect(store.state.job.isRunning)
    store.dispatch(.job(.restart))
    await store.until { $0.job.status == .succeeded }
    #expect(started.entries == [2])
  }

  @Test func `is started by an action that reached the store as a rebase, as from the store around it`() async throws {
    let store = try workStore()
    store.effect(\.job, action: WorkAction.job) { _, send in send(.note("did it")) }
    store.rebase(cause: .action) { state, _ in state.job.run() }
    await store.until { $0.job.status == .succeeded }
    #expect(store.state.notes == ["did it"])
  }

  @Test(arguments: [Cause.edit, .restore])
  func `goes on under another number if its action is reduced again after an edit`(cause: Cause) async throws {
    let gate = Gate()
    let store = try workStore()
    store.effect(\.job, action: WorkAction.job) { state, send in
      if state.job.runs == 1 { await gate.pass() }
      send(.note("\(state.job.runs)"))
    }
    store.dispatch(.job(.run))
    await gate.arrivals(1)
    store.rebase(cause: cause) { state, reduce in
      var edited = Work()
      for _ in 0..<4 {
        edited.job.run()
        edited.job.succeed()
      }
      state = edited
      reduce(&state, .job(.run))
    }
    gate.open()
    await store.until { $0.job.status == .succeeded && $0.job.runs == 5 }
    #expect(store.state.notes == ["5"])
  }

  @Test func `is taken up if the state asks for it when the effect is given`() async throws {
    var state = Work()
    state.job.run()
    let store = try workStore(state)
    store.effect(\.job, action: WorkAction.job) { state, send in send(.note("again \(state.job.current!)")) }
    await store.until { $0.job.status == .succeeded }
    #expect(store.state.notes == ["again 1.1"])
  }

  @Test func `may be one of many, each with its own state`() async throws {
    let gates = ["a": Gate(), "b": Gate(), "c": Gate()]
    let store = try workStore()
    store.effect(collection: \.items, state: \.effect, action: WorkAction.item) { item, send in
      await gates[item.id]!.pass()
      send(.note(item.id))
    }
    for id in ["a", "b", "c"] {
      store.dispatch(.add(id))
      store.dispatch(.item(id, .run))
      await gates[id]!.arrivals(1)
    }
    store.dispatch(.remove("a"))
    store.dispatch(.item("b", .cancel()))
    for gate in gates.values { gate.open() }
    await store.until { $0.items.last?.effect.status == .succeeded }
    while !store.runningEffects.isEmpty { await Task.yield() }
    #expect(store.state.notes == ["c"])
    #expect(store.state.items.map(\.effect.status) == [.cancelled, .succeeded])
  }

  @Test func `may last as long as a toggle is on`() async throws {
    let clock = ManualClock()
    let store = try workStore(clock: clock)
    store.effect(toggle: \.isOn) { _, send in
      while !Task.isCancelled {
        send(.note("tick"))
        try? await Dependencies.current.clock.sleep(for: .seconds(1))
      }
    }
    store.dispatch(.toggle(true))
    try await clock.advance(by: .seconds(1))
    await store.notes("tick", "tick")
    store.dispatch(.toggle(true))
    store.dispatch(.toggle(false))
    while !store.runningEffects.isEmpty { await Task.yield() }
    store.dispatch(.toggle(true))
    await store.notes("tick", "tick", "tick")
  }

  @Test func `may follow a part of the state, once that has come to rest`() async throws {
    let clock = ManualClock()
    let store = try workStore(clock: clock)
    store.effect(onChange: \.query, after: .seconds(1)) { query, send in send(.note(query)) }
    store.dispatch(.type("s"))
    try await clock.sleepers(1)
    store.dispatch(.type("sn"))
    store.dispatch(.note("other"))
    while store.runningEffects.count != 1 { await Task.yield() }
    try await clock.advance(by: .seconds(1))
    await store.notes("other", "sn")
    store.adopt(Work(query: "from elsewhere"), cause: .instance("other"))
    store.dispatch(.type("snow"))
    try await clock.advance(by: .seconds(1))
    await store.notes("snow")
  }

  @Test(arguments: [true, false])
  func `ends with the store`(isClosed: Bool) async throws {
    let (gate, ended) = (Gate(), Gate())
    weak var freed: WorkStore?
    do {
      let store = try workStore()
      freed = store
      store.effect(\.job, action: WorkAction.job) { _, send in
        await gate.pass()
        send(.note("late"))
        if Task.isCancelled { ended.open() }
      }
      store.dispatch(.job(.run))
      await gate.arrivals(1)
      if isClosed {
        try await store.close()
        var again = Work()
        again.job.run()
        again.job.restart()
        store.adopt(again, cause: .start)
        #expect(store.runningEffects == [])
        #expect(store.state == again)
      }
    }
    gate.open()
    await ended.pass()
    while freed != nil { await Task.yield() }
  }

  @Test func `ends when it is taken back`() async throws {
    let gate = Gate()
    let store = try workStore()
    let registration = store.effect(toggle: \.isOn) { _, send in
      await gate.pass()
      send(.note("late"))
    }
    store.dispatch(.toggle(true))
    await gate.arrivals(1)
    registration.cancel()
    registration.cancel()
    gate.open()
    while !store.runningEffects.isEmpty { await Task.yield() }
    store.dispatch(.toggle(false))
    store.dispatch(.toggle(true))
    #expect(store.runningEffects == [])
    #expect(store.state.notes == [])
  }
}
