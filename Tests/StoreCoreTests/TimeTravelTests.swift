import StoreCore
import Testing

struct `Time travel` {
  typealias Travel = TimeTravel<[Int], Int>

  private let heard = Journal<String>()

  /// A store whose reducer appends, and what notes its changes.
  private func made(_ travel: Travel) throws -> Store<[Int], Int> {
    let noting = Probe<[Int], Int>(changed: { [heard] change, state in
      heard.note("\(change.cause) \(change.action.map { "\($0) " } ?? "")\(state)")
    })
    return try Store([], reducer: appending, middleware: [travel, noting])
  }

  private func taken() -> [String] {
    defer { heard.clear() }
    return heard.entries
  }

  private func describe(_ travel: Travel) -> [String] {
    travel.steps.map { step in
      "\(step.number) \(step.cause) \(step.action.map { "\($0) " } ?? "")\(step.state)\(step.isSkipped ? " skipped" : "")"
    }
  }

  @Test func `makes each change a step, with its number, cause, action and state`() throws {
    let travel = Travel()
    #expect(travel.base == nil)
    let store = try made(travel)
    #expect(travel.position == 0)
    #expect(travel.steps.isEmpty)
    store.dispatch(1)
    store.rebase(cause: .instance("4f2a")) { state, _ in state = [7] }
    store.dispatch(2)
    #expect(describe(travel) == ["1 action 1 [1]", "2 instance 4f2a [7]", "3 action 2 [7, 2]"])
    #expect(travel.position == 3)
    #expect(travel.base?.state == [])
    #expect(travel.base?.number == 0)
  }

  @Test func `takes steps back and shows them again, each as one change that everybody hears of`() throws {
    let travel = Travel()
    let store = try made(travel)
    let delivered = Journal<String>()
    let subscription = store.subscribe(skipFirst: true) { state, cause in delivered.note("\(cause) \(state)") }
    store.dispatch(1)
    store.dispatch(2)
    #expect(taken() == ["action 1 [1]", "action 2 [1, 2]"])
    #expect(travel.undo())
    #expect(store.state == [1])
    #expect(travel.position == 1)
    #expect(travel.undo())
    #expect(travel.position == 0)
    #expect(travel.redo())
    #expect(taken() == ["restore [1]", "restore []", "restore [1]"])
    #expect(describe(travel) == ["1 action 1 [1]", "2 action 2 [1, 2]"])
    #expect(delivered.entries.suffix(3) == ["restore [1]", "restore []", "restore [1]"])
    withExtendedLifetime(subscription) {}
  }

  @Test func `tells nobody of what changes nothing`() throws {
    let travel = Travel()
    let store = try made(travel)
    #expect(!travel.undo())
    #expect(!travel.redo())
    store.dispatch(1)
    store.dispatch(2)
    #expect(!travel.redo())
    try travel.jump(to: 2)
    try travel.skip(2, false)
    try travel.jump(to: 1)
    #expect(taken() == ["action 1 [1]", "action 2 [1, 2]", "restore [1]"])
    let version = store.withState { $1 }
    try travel.skip(2)
    try travel.jump(to: 2)
    try travel.jump(to: 1)
    travel.commit()
    travel.rollback()
    #expect(taken() == [])
    #expect(store.withState { $1 } == version)
    #expect(store.state == [1])
  }

  @Test(arguments: [false, true])
  func `forgets the steps after the one shown when something new happens`(isOutside: Bool) throws {
    let travel = Travel()
    let store = try made(travel)
    for action in 1...3 { store.dispatch(action) }
    travel.undo()
    travel.undo()
    if isOutside { store.rebase(cause: .edit) { state, _ in state.append(7) } } else { store.dispatch(7) }
    #expect(describe(travel) == ["1 action 1 [1]", isOutside ? "4 edit [1, 7]" : "4 action 7 [1, 7]"])
    #expect(travel.position == 4)
    #expect(!travel.redo())
    travel.undo()
    #expect(store.state == [1])
  }

  @Test func `jumps to any step, and to the base`() throws {
    let travel = Travel()
    let store = try made(travel)
    store.dispatch(1)
    store.rebase(cause: .edit) { state, _ in state = [7] }
    store.dispatch(2)
    _ = taken()
    for number in [1, 3, 0, 2] {
      try travel.jump(to: number)
      #expect(travel.position == number)
    }
    #expect(taken() == ["restore [1]", "restore [7, 2]", "restore []", "restore [7]"])
  }

  @Test func `leaves steps out, and takes them in again`() throws {
    let travel = Travel()
    let store = try made(travel)
    for action in 1...4 { store.dispatch(action) }
    _ = taken()
    try travel.skip(2)
    #expect(
      describe(travel) == ["1 action 1 [1]", "2 action 2 [1] skipped", "3 action 3 [1, 3]", "4 action 4 [1, 3, 4]"])
    try travel.jump(to: 3)
    try travel.skip(1)
    #expect(travel.position == 3)
    try travel.skip(4)
    #expect(travel.steps.last?.state == [3])
    try travel.skip(2, false)
    #expect(taken() == ["restore [1, 3, 4]", "restore [1, 3]", "restore [3]", "restore [2, 3]"])
    try travel.skip(1, false)
    try travel.skip(4, false)
    try travel.jump(to: 4)
    #expect(store.state == [1, 2, 3, 4])
  }

  @Test func `passes over skipped steps on its way back and forth`() throws {
    let travel = Travel()
    let store = try made(travel)
    for action in 1...4 { store.dispatch(action) }
    for number in [2, 4] { try travel.skip(number) }
    #expect(travel.undo())
    #expect(store.state == [1])
    #expect(travel.undo())
    #expect(store.state == [])
    #expect(!travel.undo())
    #expect(travel.redo())
    #expect(travel.position == 2)
    #expect(travel.redo())
    #expect(travel.position == 4)
    #expect(store.state == [1, 3])
    #expect(!travel.redo())
    try travel.skip(1)
    try travel.skip(3)
    #expect(!travel.undo())
  }

  @Test func `makes what is shown the base, or goes back to that`() throws {
    let travel = Travel()
    let store = try made(travel)
    for action in 1...3 { store.dispatch(action) }
    travel.undo()
    travel.commit()
    #expect(travel.steps.isEmpty)
    #expect(travel.position == 2)
    #expect(!travel.undo())
    #expect(!travel.redo())
    store.dispatch(4)
    store.dispatch(5)
    #expect(describe(travel) == ["4 action 4 [1, 2, 4]", "5 action 5 [1, 2, 4, 5]"])
    _ = taken()
    travel.rollback()
    #expect(taken() == ["restore [1, 2]"])
    #expect(travel.steps.isEmpty)
    #expect(travel.position == 2)
    store.dispatch(6)
    #expect(describe(travel) == ["6 action 6 [1, 2, 6]"])
  }

  @Test func `keeps as many steps as it may, and the rest is the base`() throws {
    let travel = Travel(limit: 2)
    let store = try made(travel)
    store.dispatch(1)
    store.rebase(cause: .edit) { state, _ in state.append(2) }
    store.dispatch(3)
    try travel.skip(3)
    store.dispatch(4)
    #expect(describe(travel) == ["3 action 3 [1, 2] skipped", "4 action 4 [1, 2, 4]"])
    #expect(travel.base?.number == 2)
    #expect(travel.base?.action == nil)
    #expect(travel.base?.cause == .start)
    store.dispatch(5)
    #expect(travel.base.map { "\($0.number) \($0.state) \($0.isSkipped)" } == "3 [1, 2] false")
    try travel.jump(to: 3)
    #expect(store.state == [1, 2])
    #expect(!travel.undo())
  }

  @Test(arguments: [
    (-1, "cannot go to step -1: there is no such step; the newest had the number 6", "unknown"),
    (7, "cannot go to step 7: there is no such step; the newest had the number 6", "unknown"),
    (0, "cannot go to step 0: it is forgotten, as it was taken back or is part of the base by now", "forgotten"),
    (1, "cannot go to step 1: it is forgotten, as it was taken back or is part of the base by now", "forgotten"),
    (5, "cannot go to step 5: it is forgotten, as it was taken back or is part of the base by now", "forgotten"),
  ])
  func `says which step is not there to go to or to skip`(number: Int, message: String, code: String) throws {
    let travel = Travel(limit: 3)
    let store = try made(travel)
    for action in 1...5 { store.dispatch(action) }
    travel.undo()
    store.dispatch(6)
    _ = taken()
    let jumping = #expect(throws: TimeTravelError.self) { try travel.jump(to: number) }
    #expect(jumping.map { "\($0)" } == message)
    #expect(jumping?.code.name == code)
    #expect(jumping?.step == number)
    for (isSkipped, verb) in [(true, "skip"), (false, "unskip")] {
      let skipping = #expect(throws: TimeTravelError.self) { try travel.skip(number, isSkipped) }
      #expect(skipping?.message == message.replacing("go to", with: verb))
    }
    #expect(taken() == [])
    #expect(store.state == [1, 2, 3, 4, 6])
  }

  @Test func `cannot skip the base`() throws {
    let travel = Travel()
    let store = try made(travel)
    let failure = #expect(throws: TimeTravelError.self) { try travel.skip(0) }
    #expect(failure.map { "\($0)" } == "cannot skip step 0: it is the base")
    withExtendedLifetime(store) {}
  }
}

struct `Time travel across changes from outside` {
  typealias Travel = TimeTravel<[Int], Int>

  private struct Unlike: Error, CustomStringConvertible {
    var description: String { "the one is not like the other" }
  }

  private func made(_ travel: Travel) throws -> Store<[Int], Int> {
    let store = try Store([], reducer: appending, middleware: [travel])
    store.dispatch(1)
    store.rebase(cause: .instance("4f2a")) { state, _ in state.append(20) }
    store.dispatch(3)
    return store
  }

  private func states(_ travel: Travel) -> [[Int]] { travel.steps.map(\.state) }

  @Test func `does not skip before one that it knows nothing of, and changes nothing`() throws {
    let travel = Travel()
    let store = try made(travel)
    let failure = #expect(throws: TimeTravelError.self) { try travel.skip(1) }
    #expect(failure?.code == .barrier)
    #expect(
      failure.map { "\($0)" }
        == "cannot skip step 1: step 2 came from outside (instance 4f2a), and only a TimeTravel that is made with `merge` "
        + "can carry it over")
    #expect(states(travel) == [[1], [1, 20], [1, 20, 3]])
    #expect(travel.steps.allSatisfy { !$0.isSkipped })
    #expect(store.withState { $1 } == 3)
    try travel.skip(3)
    #expect(store.state == [1, 20])
  }

  @Test func `skips one itself, and takes it in again`() throws {
    let travel = Travel()
    let store = try made(travel)
    try travel.skip(2)
    #expect(store.state == [1, 3])
    #expect(throws: TimeTravelError.self) { try travel.skip(1) }
    try travel.skip(2, false)
    #expect(states(travel) == [[1], [1, 20], [1, 20, 3]])
    #expect(store.state == [1, 20, 3])
  }

  @Test func `carries it over where it is told how`() throws {
    let travel = Travel(merge: { before, after, current in current + after.dropFirst(before.count) })
    let store = try made(travel)
    try travel.skip(1)
    #expect(states(travel) == [[], [20], [20, 3]])
    #expect(store.state == [20, 3])
    try travel.skip(2)
    #expect(store.state == [3])
    try travel.skip(1, false)
    try travel.skip(2, false)
    #expect(states(travel) == [[1], [1, 20], [1, 20, 3]])
  }

  @Test func `changes nothing where it can't be carried over`() throws {
    let travel = Travel(merge: { _, _, _ in throw Unlike() })
    let store = try made(travel)
    let failure = #expect(throws: TimeTravelError.self) { try travel.skip(1) }
    #expect(failure?.code == .unmerged)
    #expect(
      failure.map { "\($0)" }
        == "cannot skip step 1: what step 2 brought from outside (instance 4f2a) can't be carried over: the one is not "
        + "like the other")
    #expect(states(travel) == [[1], [1, 20], [1, 20, 3]])
    #expect(travel.steps.allSatisfy { !$0.isSkipped })
    #expect(store.withState { $1 } == 3)
    try travel.skip(2)
    try travel.skip(1)
    #expect(store.state == [3])
  }

  @Test func `takes another's restore for what it is`() throws {
    let (one, other) = (Travel(), Travel())
    let store = try Store([], reducer: appending, middleware: [one, other])
    store.dispatch(1)
    store.dispatch(2)
    other.undo()
    #expect(
      one.steps.map { "\($0.number) \($0.cause) \($0.state)" } == ["1 action [1]", "2 action [1, 2]", "3 restore [1]"])
    #expect(other.steps.count == 2)
    one.undo()
    #expect(store.state == [1, 2])
    // It had taken back the second, which it forgets therefore.
    #expect(other.steps.map { "\($0.number) \($0.cause) \($0.state)" } == ["1 action [1]", "3 restore [1, 2]"])
    store.dispatch(3)
    #expect(one.position == 4)
  }
}
