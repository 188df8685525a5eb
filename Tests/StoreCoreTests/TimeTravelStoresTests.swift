import StoreCore
import StoreTesting
import TestThreads
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct `Time travel in a store` {
  typealias Travel = TimeTravel<[Int], Int>

  @Test func `may be called by a subscriber, by a middleware on its way, and by a task`() async throws {
    let travel = Travel()
    let taking = Probe<[Int], Int>(dispatch: { action, next in
      if action == 0 { travel.undo() } else { next(action) }
    })
    let store = try Store([], reducer: appending, middleware: [taking, travel])
    let subscription = store.subscribe(skipFirst: true) { state in
      if state.last == 9 { travel.undo() }
    }
    for action in [1, 2, 9] { store.dispatch(action) }
    #expect(store.state == [1, 2])
    store.dispatch(0)
    #expect(store.state == [1])
    await Task.detached { _ = travel.redo() }.value
    #expect(store.state == [1, 2])
    withExtendedLifetime(subscription) {}
  }

  /// Whatever order they come in, what is shown is the base and the steps up to there that are not skipped.
  @Test func `may be called by several threads at once`() throws {
    let travel = Travel(limit: 30)
    let store = try Store([], reducer: appending, middleware: [travel])
    let subscription = store.subscribe { _ in
      // Reading doesn't wait for anybody who waits for the store.
      _ = (travel.steps.count, travel.position)
    }
    onThreads(4) { thread in
      for number in 1...400 {
        switch (thread + number) % 8 {
        case 0: travel.undo()
        case 1: travel.redo()
        // The step may be gone by now.
        case 2: try? travel.jump(to: travel.steps.first?.number ?? 0)
        case 3: try? travel.skip(travel.position, number % 3 > 0)
        case 4 where number % 50 == 0: travel.commit()
        case 5 where number % 60 == 0: travel.rollback()
        default: store.dispatch(thread * 1000 + number)
        }
      }
    }
    let base = try #require(travel.base)
    let steps = travel.steps
    #expect(steps.map(\.number) == Set(steps.map(\.number)).sorted())
    var state = base.state
    for step in steps {
      if !step.isSkipped { state.append(try #require(step.action)) }
      #expect(step.state == state)
    }
    #expect(store.state == ([base] + steps).first { $0.number == travel.position }?.state)
    withExtendedLifetime(subscription) {}
  }

  @Test func `loses no action that is dispatched while steps are skipped`() throws {
    let travel = Travel(limit: 10_000)
    let store = try Store([], reducer: appending, middleware: [travel])
    store.dispatch(0)
    onThreads(3) { thread in
      for number in 1...300 {
        if thread > 0 { store.dispatch(thread * 1000 + number) } else { try! travel.skip(1, number % 2 > 0) }
      }
    }
    #expect(store.state.first == 0)
    for thread in 1...2 {
      #expect(store.state.filter { $0 / 1000 == thread } == (1...300).map { thread * 1000 + $0 })
    }
    #expect(travel.steps.map(\.number) == Array(1...601))
  }

  /// Calls from inside a turn: those that change the store trap, the others are answered.
  enum Misuse: String, CaseIterable, Codable, Sendable {
    case undo, redo, jump, skip, commit, rollback

    func use(_ travel: Travel) throws {
      switch self {
      case .undo: travel.undo()
      case .redo: travel.redo()
      case .jump: try travel.jump(to: 0)
      case .skip: try travel.skip(1)
      case .commit: travel.commit()
      case .rollback: travel.rollback()
      }
    }
  }

  @Test(arguments: Misuse.allCases, [false, true])
  func `traps with a sentence inside a turn`(misuse: Misuse, isReducer: Bool) async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [misuse, isReducer] in
      let travel = Travel()
      let probe = Probe<[Int], Int>(changed: { change, _ in
        if !isReducer && change.action == 2 { try! misuse.use(travel) }
      })
      let store = try Store(
        [],
        reducer: { state, action in
          state.append(action)
          if isReducer && action == 2 { try! misuse.use(travel) }
        }, middleware: [travel, probe])
      store.dispatch(1)
      store.dispatch(2)
    }
    let place =
      isReducer
      ? "a reducer; a reducer may only use the state and the action it is given"
      : "a middleware's changed(_:state:); use the state it is given"
    #expect(
      String(decoding: result.standardErrorContent, as: UTF8.self)
        .contains("Fatal error: rebase was called from inside \(place)\n"))
  }

  @Test func `can be read inside a turn, also inside its own`() throws {
    let travel = Travel()
    let read = Journal<String>()
    let probe = Probe<[Int], Int>(changed: { _, _ in read.note("changed \(travel.position) \(travel.steps.count)") })
    let store = try Store(
      [],
      reducer: { state, action in
        state.append(action)
        read.note("reducer \(travel.position) \(travel.steps.count)")
      }, middleware: [travel, probe])
    store.dispatch(1)
    store.dispatch(2)
    read.clear()
    try travel.skip(1)
    #expect(read.entries == ["reducer 2 2", "changed 2 2"])
  }

  @Test func `while locked drops actions, and lets in what comes from outside`() throws {
    let travel = Travel()
    let store = try Store([], reducer: appending, middleware: [travel])
    store.dispatch(1)
    travel.isLocked = true
    #expect(travel.isLocked)
    store.dispatch(2)
    #expect(store.state == [1])
    store.rebase(cause: .edit) { state, _ in state.append(3) }
    #expect(store.state == [1, 3])
    #expect(travel.undo())
    #expect(store.state == [1])
    travel.isLocked = false
    store.dispatch(4)
    #expect(store.state == [1, 4])
    #expect(travel.steps.map(\.number) == [1, 3])
  }

  @Test func `starts no effects that a reducer returns, be it back, forth, skipping or locked`() throws {
    let travel = Travel()
    let store = try Store(
      [],
      effects: EffectReducer<[Int], Int> { state, action in
        state.append(action)
        return action < 10 ? .send(action + 10) : .none
      }, middleware: [travel])
    store.dispatch(1)
    #expect(store.state == [1, 11])
    travel.undo()
    travel.undo()
    travel.redo()
    travel.redo()
    try travel.skip(2)
    try travel.skip(2, false)
    try travel.skip(1)
    #expect(store.state == [11])
    #expect(travel.steps.count == 2)
    travel.isLocked = true
    store.dispatch(2)
    #expect(store.state == [11])
    #expect(travel.steps.count == 2)
  }

  @Test func `starts no effects that the state asks for`() async throws {
    let travel = TimeTravel<Work, WorkAction>()
    let store = try workStore(middleware: [travel])
    store.effect(\.job, action: WorkAction.job) { _, send in send(.note("done")) }
    store.dispatch(.job(.run))
    await store.until { $0.job.status == .succeeded }
    // Having told that it is done it has yet to end.
    while !store.runningEffects.isEmpty { await Task.yield() }
    let asking = try #require(travel.steps.first)
    try travel.jump(to: asking.number)
    #expect(store.state.job.status == .running)
    #expect(store.runningEffects == [])
    #expect(store.state.notes == [])
  }

  @Test func `goes back over what was reduced in the background`() async throws {
    let travel = Travel()
    let store = try Store([], reducer: appending, reducing: .inBackground(), middleware: [travel])
    for action in 1...3 { store.dispatch(action) }
    try await store.commit()
    #expect(travel.undo())
    try travel.skip(1)
    #expect(store.state == [2])
    store.dispatch(4)
    try await store.commit()
    #expect(store.state == [2, 4])
    #expect(travel.steps.map(\.number) == [1, 2, 4])
  }

  @Test func `begins and ends in a slot while the store runs, and may come back`() async throws {
    let travel = Travel()
    let slot = MiddlewareSlot<[Int], Int>()
    let store = try Store([], reducer: appending, middleware: [slot])
    store.dispatch(1)
    #expect(!travel.undo())
    try await slot.replace(with: [travel])
    #expect(travel.base?.state == [1])
    store.dispatch(2)
    store.dispatch(3)
    travel.undo()
    #expect(store.state == [1, 2])
    try await slot.replace(with: [])
    store.dispatch(4)
    #expect(!travel.undo())
    #expect(store.state == [1, 2, 4])
    try await slot.replace(with: [travel])
    #expect(travel.base.map { "\($0.number) \($0.state)" } == "2 [1, 2, 4]")
    store.dispatch(5)
    #expect(travel.steps.map(\.number) == [3])
    travel.undo()
    #expect(store.state == [1, 2, 4])
  }

  @Test(arguments: [false, true])
  func `goes nowhere once the store was closed or freed, but can be read`(isClosed: Bool) async throws {
    let travel = Travel()
    var store: Store<[Int], Int>? = try Store([], reducer: appending, middleware: [travel])
    weak let freed = store
    store?.dispatch(1)
    store?.dispatch(2)
    if isClosed { try await store?.close() } else { store = nil }
    #expect((freed == nil) == !isClosed)
    #expect(!travel.undo())
    #expect(!travel.redo())
    travel.commit()
    travel.rollback()
    let calls: [(String, () throws -> Void)] = [
      ("go to", { try travel.jump(to: 1) }), ("skip", { try travel.skip(1) }),
      ("unskip", { try travel.skip(1, false) }),
    ]
    for (verb, call) in calls {
      let failure = #expect(throws: TimeTravelError.self) { try call() }
      #expect(failure?.code == .closed)
      #expect(
        failure.map { "\($0)" }
          == "cannot \(verb) step 1: the store was closed or freed, or has let go of its time travel")
    }
    #expect(travel.steps.map(\.state) == [[1], [1, 2]])
    #expect(travel.position == 2)
    #expect(store == nil || store?.state == [1, 2])
  }

  @Test func `of a second store traps`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let travel = Travel()
      let first = try Store([], reducer: appending, middleware: [travel])
      let second = try Store([], reducer: appending, middleware: [travel])
      withExtendedLifetime((first, second)) {}
    }
    #expect(
      String(decoding: result.standardErrorContent, as: UTF8.self)
        .contains("a middleware serves one store; make another one for another store"))
  }
}

@Suite(.ownThreads) struct `Time travel in a tree of stores` {
  typealias Node = NodeState<[Int], [Int]>

  @Test func `of the root takes the stores below with it, but for their own states`() throws {
    let travel = TimeTravel<[Int], Int>()
    let root = try Store([], reducer: appending, middleware: [travel])
    let node = root.with([10]) { (local: inout [Int], action: Int) in local.append(-action) }
    node.dispatch(1)
    root.dispatch(2)
    #expect(travel.steps.count == 2)
    let heard = Journal<String>()
    let subscription = node.subscribe(skipFirst: true) { state, cause in heard.note("\(cause) \(state.parent)") }
    travel.undo()
    travel.undo()
    #expect(heard.entries == ["restore [1]", "restore []"])
    #expect(node.state == Node(parent: [], local: [10, -1]))
    travel.isLocked = true
    node.dispatch(3)
    #expect(node.state == Node(parent: [], local: [10, -1, -3]))
    withExtendedLifetime(subscription) {}
  }

  @Test func `of a node travels in its own state, and leaves what the store above delivers`() throws {
    let travel = TimeTravel<Node, Int>(of: \.local)
    let root = Store([], reducer: appending)
    let node = try root.with([], reducer: Reducer<[Int], Int> { $0.append(-$1) }, middleware: [travel])
    node.dispatch(1)
    root.dispatch(2)
    node.dispatch(3)
    #expect(travel.steps.map(\.action) == [1, 3])
    travel.undo()
    #expect(node.state == Node(parent: [1, 2, 3], local: [-1]))
    root.dispatch(4)
    #expect(travel.redo())
    #expect(node.state == Node(parent: [1, 2, 3, 4], local: [-1, -3]))
    try travel.skip(1)
    #expect(node.state == Node(parent: [1, 2, 3, 4], local: [-3]))
    node.rebase(cause: .edit) { state, _ in state.local = [7] }
    #expect(travel.steps.map(\.cause) == [.action, .action, .edit])
    travel.rollback()
    #expect(node.state == Node(parent: [1, 2, 3, 4], local: []))
    #expect(root.state == [1, 2, 3, 4])
    travel.isLocked = true
    node.dispatch(5)
    #expect(root.state == [1, 2, 3, 4])
  }

  @Test func `in all of a node traps`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = TimeTravel<NodeState<[Int], [Int]>, Int>()
    }
    #expect(
      String(decoding: result.standardErrorContent, as: UTF8.self)
        .contains("a node can't travel in what the store above delivers; make a TimeTravel(of: \\.local)"))
  }
}

struct `Time travel in a part of the state` {
  private struct Page: Sendable, Equatable {
    var text = ""
    var factor = 1
  }

  /// Writes as often as the factor says, which negative actions set.
  private let reducer: Store<Page, Int>.Reducer = { page, action in
    if action < 0 { page.factor = -action } else { page.text += String(repeating: "\(action)", count: page.factor) }
  }

  @Test func `leaves the rest as it is, and makes no steps of changes there`() throws {
    let travel = TimeTravel<Page, Int>(of: \.text, limit: 2)
    let store = try Store(Page(), reducer: reducer, middleware: [travel])
    store.dispatch(1)
    store.dispatch(-3)
    store.dispatch(2)
    #expect(travel.steps.map(\.action) == [1, 2])
    #expect(travel.undo())
    #expect(store.state == Page(text: "1", factor: 3))
    store.dispatch(-2)
    store.rebase(cause: .edit) { page, _ in page.factor = 4 }
    #expect(travel.redo())
    #expect(store.state == Page(text: "1222", factor: 4))
    try travel.skip(1)
    #expect(store.state == Page(text: "222", factor: 4))
    store.rebase(cause: .edit) { page, _ in page.text = "x" }
    #expect(travel.steps.map(\.number) == [2, 3])
    try travel.skip(3)
    #expect(store.state == Page(text: "222", factor: 4))
    try travel.skip(3, false)
    #expect(store.state == Page(text: "x", factor: 4))
  }
}
