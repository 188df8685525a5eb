@testable import StoreCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `Among instances, an effect` {
  private let office = ClaimOffice()

  /// An instance whose effect notes its name when it starts, and waits for the gate.
  private func instance(
    _ name: String, owner: EffectOwner = .origin, gate: Gate, state: Work = Work(), started: Journal<String>,
    middleware: [any Middleware<Work, WorkAction>] = []
  ) throws -> WorkStore {
    let store = try workStore(state, middleware: middleware)
    store.effect(\.job, action: WorkAction.job, owner: owner, id: "job", claims: office.claims(of: name)) { state, _ in
      started.note("\(name) \(state.job.current!)")
      await gate.pass()
    }
    return store
  }

  private func wait(for started: Journal<String>, _ entries: String...) async {
    while started.entries.count < entries.count { await Task.yield() }
    #expect(started.entries == entries)
  }

  /// Lets the one come to its end, and the other one catch up with that.
  private func succeed(_ one: WorkStore, before two: WorkStore, _ gate: Gate) async {
    // As a replicator does, before it grants what another has let go of.
    office.catchUp.value.withLock { $0 = { _ in two.adopt(from: one) } }
    gate.open()
    await one.until { $0.job.status == .succeeded }
    while !office.line(for: "job 1.1").isEmpty { await Task.yield() }
    office.catchUp.value.withLock { $0 = { _ in } }
  }

  @Test func `runs where it was started, and the others stand in line`() async throws {
    let (gate, started) = (Gate(), Journal<String>())
    let one = try instance("one", gate: gate, started: started)
    let two = try instance("two", gate: gate, started: started)
    one.dispatch(.job(.run))
    two.adopt(from: one)
    await wait(for: started, "one 1.1")
    #expect(office.line(for: "job 1.1") == ["one", "two"])
    #expect(two.runningEffects == [])
    await succeed(one, before: two, gate)
    #expect(started.entries == ["one 1.1"])
  }

  @Test func `started in two at once runs in one of them`() async throws {
    let (gate, started) = (Gate(), Journal<String>())
    let one = try instance("one", gate: gate, started: started)
    let two = try instance("two", gate: gate, started: started)
    one.dispatch(.job(.run))
    two.dispatch(.job(.run))
    two.adopt(from: one)
    await wait(for: started, "one 1.1")
    await succeed(one, before: two, gate)
    #expect(started.entries == ["one 1.1"])
    #expect(two.state.job.status == .succeeded)
  }

  @Test func `is taken over when its owner dies`() async throws {
    let (gate, started) = (Gate(), Journal<String>())
    let one = try instance("one", gate: gate, started: started)
    let two = try instance("two", gate: gate, started: started)
    let three = try instance("three", gate: gate, started: started)
    one.dispatch(.job(.run))
    two.adopt(from: one)
    three.adopt(from: one)
    await wait(for: started, "one 1.1")
    office.kill("one")
    await wait(for: started, "one 1.1", "two 1.1")
    #expect(office.line(for: "job 1.1") == ["two", "three"])
    office.catchUp.value.withLock { $0 = { _ in three.adopt(from: two) } }
    gate.open()
    await two.until { $0.job.status == .succeeded }
    while !office.line(for: "job 1.1").isEmpty { await Task.yield() }
    #expect(started.entries == ["one 1.1", "two 1.1"])
    office.catchUp.value.withLock { $0 = { _ in } }
  }

  @Test func `is taken over when its owner closes, once its task is over`() async throws {
    let (gate, late, started) = (Gate(), Gate(), Journal<String>())
    let one = try instance("one", gate: gate, started: started)
    let two = try instance("two", gate: late, started: started)
    one.dispatch(.job(.run))
    two.adopt(from: one)
    await gate.arrivals(1)
    try await one.close()
    // It goes on in spite of its cancellation: nobody else may begin.
    #expect(office.line(for: "job 1.1") == ["one", "two"])
    gate.open()
    await wait(for: started, "one 1.1", "two 1.1")
    #expect(one.state.job.isRunning)
    late.open()
    await two.until { $0.job.status == .succeeded }
  }

  @Test func `is taken up by who joins and finds nobody at it`() async throws {
    let (gate, started) = (Gate(), Journal<String>())
    var state = Work()
    state.job.run()
    let one = try instance("one", gate: gate, state: state, started: started)
    let two = try instance("two", gate: gate, started: started)
    two.adopt(state, cause: .start)
    await wait(for: started, "one 1.1")
    #expect(office.line(for: "job 1.1") == ["one", "two"])
    gate.open()
    await one.until { $0.job.status == .succeeded }
    withExtendedLifetime(two) {}
  }

  @Test func `keeps its claim until the outcome is in the state`() async throws {
    let (gate, started) = (Gate(), Journal<String>())
    let delayed = Journal<@Sendable () -> Void>()
    let delay = Probe<Work, WorkAction>(dispatch: { action, next in
      if action == .job(.run) { next(action) } else { delayed.note { next(action) } }
    })
    let one = try instance("one", gate: gate, started: started, middleware: [delay])
    let two = try instance("two", gate: gate, started: started)
    gate.open()
    one.dispatch(.job(.run))
    two.adopt(from: one)
    while delayed.entries.isEmpty || !one.runningEffects.isEmpty { await Task.yield() }
    #expect(office.line(for: "job 1.1") == ["one", "two"])
    office.catchUp.value.withLock { $0 = { _ in two.adopt(from: one) } }
    delayed.entries[0]()
    #expect(one.state.job.status == .succeeded)
    #expect(office.line(for: "job 1.1") == [])
    #expect(started.entries == ["one 1.1"])
    office.catchUp.value.withLock { $0 = { _ in } }
  }

  @Test func `is claimed before the action that starts it can be seen`() throws {
    let office = office
    let seen = Journal<[String]>()
    let store = try workStore()
    store.effect(toggle: \.isOn, id: "on", claims: office.claims(of: "one")) { _, _ in }
    let subscription = store.subscribe(skipFirst: true) { _ in seen.note(office.line(for: "on")) }
    store.dispatch(.toggle(true))
    store.dispatch(.toggle(false))
    #expect(seen.entries.first == ["one"])
    withExtendedLifetime(subscription) {}
  }

  @Test func `of an elected owner runs there, whoever starts it`() async throws {
    let (gate, started) = (Gate(), Journal<String>())
    let one = try instance("one", owner: .elected, gate: gate, started: started)
    let two = try instance("two", owner: .elected, gate: gate, started: started)
    #expect(office.line(for: "job") == ["one", "two"])
    gate.open()
    two.dispatch(.job(.run))
    one.adopt(from: two)
    await one.until { $0.job.status == .succeeded }
    two.adopt(from: one)
    one.dispatch(.job(.run))
    two.adopt(from: one)
    await one.until { $0.job.status == .succeeded && $0.job.runs == 2 }
    #expect(started.entries == ["one 1.1", "one 2.1"])
  }

  @Test(arguments: [true, false])
  func `of an elected owner is taken over when that is gone`(isKilled: Bool) async throws {
    let (gate, late, started) = (Gate(), Gate(), Journal<String>())
    let one = try instance("one", owner: .elected, gate: gate, started: started)
    let two = try instance("two", owner: .elected, gate: late, started: started)
    one.dispatch(.job(.run))
    two.adopt(from: one)
    await gate.arrivals(1)
    if isKilled {
      office.kill("one")
    } else {
      try await one.close()
      #expect(office.line(for: "job") == ["one", "two"])
      gate.open()
    }
    await wait(for: started, "one 1.1", "two 1.1")
    _ = try instance("three", owner: .elected, gate: late, started: started)
    try await two.close()
    // Its task goes on in spite of its cancellation: nobody else is elected.
    #expect(office.line(for: "job").first == "two")
    late.open()
    while office.line(for: "job").contains("two") { await Task.yield() }
    gate.open()
  }

  @Test(arguments: [
    (EffectOwner.origin, Cause.action, true), (.origin, .instance("x"), false), (.origin, .edit, false),
    (.origin, .restore, false), (.origin, .start, false), (.everyone, .action, true), (.everyone, .instance("x"), true),
    (.everyone, .edit, false), (.everyone, .start, false), (.elected, .action, true), (.elected, .instance("x"), true),
    (.elected, .edit, false),
  ])
  func `of a change runs where its owner is, if that is to run it`(
    owner: EffectOwner, cause: Cause, runs: Bool
  ) async throws {
    let store = try workStore()
    let (gate, seen) = (Gate(), Journal<String>())
    store.effect(onChange: \.query, owner: owner, id: "query", claims: office.claims(of: "one")) { query, _ in
      seen.note(query)
      await gate.pass()
    }
    if cause == .action { store.dispatch(.type("x")) } else { store.adopt(Work(query: "x"), cause: cause) }
    if runs { await gate.arrivals(1) }
    #expect(store.runningEffects.count == (runs ? 1 : 0))
    // Nobody stands in line for what has no end in the state.
    #expect(office.line(for: "query") == (owner == .elected ? ["one"] : []))
    gate.open()
  }

  @Test func `of everyone runs in each, and without claims only there and where it was dispatched`() async throws {
    for (owner, isReplicated, runs) in [
      (EffectOwner.everyone, true, true), (.everyone, false, true), (.origin, false, false), (.elected, false, false),
    ] {
      let (gate, store) = (Gate(), try workStore())
      let claims = isReplicated ? office.claims(of: "one") : nil
      store.effect(toggle: \.isOn, owner: owner, id: "\(owner)", claims: claims) { _, _ in await gate.pass() }
      store.adopt(Work(isOn: true), cause: .instance("other"))
      #expect(store.runningEffects.count == (runs ? 1 : 0))
      // What is cancelled before it begins never does.
      if runs { await gate.arrivals(1) }
      store.dispatch(.toggle(false))
      store.dispatch(.toggle(true))
      await gate.arrivals(runs ? 2 : 1)
      gate.open()
    }
  }

  @Test func `of what isn't mirrored runs in each instance, as if there were no others`() async throws {
    let (gate, started) = (Gate(), Journal<String>())
    let one = try instance("one", owner: .local, gate: gate, started: started)
    let two = try instance("two", owner: .local, gate: gate, started: started)
    one.dispatch(.job(.run))
    two.dispatch(.job(.run))
    await gate.arrivals(2)
    #expect(started.entries.sorted() == ["one 1.1", "two 1.1"])
    #expect(office.line(for: "job 1.1") == [])
    gate.open()
    for store in [one, two] { await store.until { $0.job.status == .succeeded } }
    var other = Work()
    other.job.run()
    two.adopt(other, cause: .instance("one"))
    #expect(two.runningEffects == [])
  }

  @Test(arguments: [false, true])
  func `finds the claims of a middleware by itself`(isInSlot: Bool) async throws {
    struct Replicator: Middleware, EffectClaims {
      typealias State = Work
      typealias Action = WorkAction
      let claims: ClaimOffice.Claims

      func claim(_ name: String, isOrigin: Bool, granted: @escaping @Sendable () -> Void) -> EffectClaim {
        claims.claim(name, isOrigin: isOrigin, granted: granted)
      }
    }
    let replicator = Replicator(claims: office.claims(of: "one"))
    let store = try workStore(middleware: [isInSlot ? MiddlewareSlot([replicator]) : replicator])
    let gate = Gate()
    store.effect(toggle: \.isOn, id: "on") { _, _ in await gate.pass() }
    store.dispatch(.toggle(true))
    #expect(office.line(for: "on") == ["one"])
    gate.open()
  }

  @Test func `is numbered where there are several of one name`() throws {
    let store = try workStore()
    func add() -> EffectRegistration {
      store.effect(toggle: \.isOn, id: "on", claims: office.claims(of: "one")) { _, _ in await Gate().pass() }
    }
    let registrations = (0..<3).map { _ in add() }
    // Its name is free again.
    registrations[1].cancel()
    _ = add()
    store.dispatch(.toggle(true))
    #expect(["on", "on #2", "on #3", "on #4"].map { office.line(for: $0) } == [["one"], ["one"], ["one"], []])
    #expect(store.runningEffects.sorted() == ["on", "on #2", "on #3"])
  }

  @Test func `has the smallest number that is free, and none that somebody has given as a name`() throws {
    var names = EffectNames()
    #expect((1...5).map { _ in names.take("a").number } == [1, 2, 3, 4, 5])
    for number in [4, 1, 3] { names.free(number, number == 1 ? "" : " #\(number)", of: "a") }
    #expect(names.take("a #3") == (1, ""))
    #expect((1...4).map { _ in names.take("a").suffix } == ["", " #4", " #6", " #7"])
    // As often as random has it, beside a list that is sorted.
    var numbers = EffectNames()
    var random = SystemRandomNumberGenerator()
    var (taken, free) = ([Int](), Set(1...500))
    for _ in 0..<5_000 {
      if taken.isEmpty || (Bool.random(using: &random) && taken.count < 400) {
        let number = numbers.take("b").number
        #expect(number == free.min())
        free.remove(number)
        taken.append(number)
      } else {
        let number = taken.remove(at: Int.random(in: taken.indices, using: &random))
        numbers.free(number, number == 1 ? "" : " #\(number)", of: "b")
        free.insert(number)
      }
    }
  }
}
