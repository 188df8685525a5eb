import StoreCore
import Testing

struct `A middleware` {
  @Test func `sees an action in the order of the list`() throws {
    let seen = Journal<String>()
    let named = { (name: String) in
      Probe<[Int], Int>(
        dispatch: { action, next in
          seen.note("\(name) before")
          next(action)
          seen.note("\(name) after")
        },
        changed: { _, state in seen.note("\(name) changed") })
    }
    let store = try Store([], reducer: appending, middleware: [named("a"), named("b")])
    store.dispatch(1)
    #expect(seen.entries == ["a before", "b before", "a changed", "b changed", "b after", "a after"])
  }

  @Test(arguments: [(1, [1]), (2, []), (3, [4]), (5, [5, 5]), (6, [7, 6])])
  func `passes, drops, changes, repeats or adds`(action: Int, state: [Int]) throws {
    let held = Shared<Store<[Int], Int>?>(nil)
    let probe = Probe<[Int], Int>(dispatch: { action, next in
      switch action {
      case 2: break
      case 3: next(4)
      case 5:
        next(5)
        next(5)
      case 6:
        held.value.withLock { $0 }?.dispatch(7)
        next(6)
      default: next(action)
      }
    })
    let store = try Store([], reducer: appending, middleware: [probe])
    held.value.withLock { $0 = store }
    store.dispatch(action)
    #expect(store.state == state)
    held.value.withLock { $0 = nil }
  }

  @Test func `delays an action, also into another thread or into changed`() throws {
    let delayed = Journal<@Sendable () -> Void>()
    let probe = Probe<[Int], Int>(
      dispatch: { action, next in
        if action < 10 { delayed.note { next(action) } } else { next(action) }
      },
      changed: { change, _ in if change.action == 10 { delayed.entries[1]() } })
    let store = try Store([], reducer: appending, middleware: [probe])
    store.dispatch(1)
    store.dispatch(2)
    #expect(store.state == [])
    onThreads(1) { _ in delayed.entries[0]() }
    #expect(store.state == [1])
    store.dispatch(10)
    #expect(store.state == [1, 10, 2])
  }

  @Test func `gets the state before only where it asked`() throws {
    let seen = Journal<String>()
    let named = { (name: String, before: Bool) in
      Probe<[Int], Int>(
        before: before,
        changed: { change, state in
          seen.note("\(name) \(change.before.map { "\($0)" } ?? "-") \(state) \(change.version) \(change.cause)")
        })
    }
    let store = try Store([], reducer: appending, middleware: [named("a", true), named("b", false)])
    store.dispatch(1)
    store.rebase(cause: .instance("4f2a")) { state, _ in state = [7] }
    #expect(
      seen.entries == [
        "a [] [1] 1 action", "b - [1] 1 action", "a [1] [7] 2 instance 4f2a", "b - [7] 2 instance 4f2a",
      ])
  }

  @Test func `lives from start through flush to close, the last closed first`() async throws {
    let steps = Journal<String>()
    do {
      let probes = ["a", "b"].map { Probe<[Int], Int>($0, steps: steps) }
      let store = try Store([], reducer: appending, middleware: probes)
      try await store.commit()
      try await store.close()
      try await store.close()
    }
    #expect(steps.entries == ["a start", "b start", "a flush", "b flush", "b close", "a close"])
  }

  @Test func `is abandoned, the last first, when the store is dropped unclosed`() throws {
    let steps = Journal<String>()
    _ = try Store([], reducer: appending, middleware: ["a", "b"].map { Probe<[Int], Int>($0, steps: steps) })
    #expect(steps.entries == ["a start", "b start", "b abandon", "a abandon"])
  }

  @Test func `that was started is abandoned when a later one throws`() {
    let steps = Journal<String>()
    let probes = [
      Probe<[Int], Int>("a", steps: steps), Probe("b", steps: steps, failing: ["start"]), Probe("c", steps: steps),
    ]
    #expect(throws: Probe<[Int], Int>.Failure(step: "b start")) {
      try Store([], reducer: appending, middleware: probes)
    }
    #expect(steps.entries == ["a start", "b start", "a abandon"])
  }

  @Test func `is all flushed and closed though one throws, and can be closed again`() async throws {
    let steps = Journal<String>()
    do {
      let failing = Probe<[Int], Int>("b", steps: steps, failing: ["flush", "close"])
      let store = try Store(
        [], reducer: appending,
        middleware: [Probe("a", steps: steps), failing, Probe("c", steps: steps)])
      await #expect(throws: Probe<[Int], Int>.Failure(step: "b flush")) { try await store.commit() }
      await #expect(throws: Probe<[Int], Int>.Failure(step: "b close")) { try await store.close() }
      failing.failing.value.withLock { $0 = [] }
      try await store.close()
    }
    #expect(
      steps.entries == [
        "a start", "b start", "c start", "a flush", "b flush", "c flush", "c close", "b close", "a close", "b close",
      ])
  }

  @Test func `may rebase, but not act, once the store was closed`() async throws {
    let store = Store([], reducer: appending)
    store.dispatch(1)
    try await store.close()
    store.dispatch(2)
    #expect(store.state == [1])
    store.rebase(cause: .instance("a")) { state, _ in state.append(3) }
    #expect(store.state == [1, 3])
  }

  @Test func `may dispatch and rebase from its start`() throws {
    let seen = Journal<String>()
    let first = Probe<[Int], Int>(
      start: { store in
        store.rebase(cause: .edit) { state, _ in state = [7] }
        store.dispatch(8)
      }, changed: { change, _ in seen.note("a \(change.version)") })
    let second = Probe<[Int], Int>(
      start: { $0.dispatch(9) }, changed: { change, _ in seen.note("b \(change.version)") })
    let store = try Store([], reducer: appending, middleware: [first, second])
    #expect(store.state == [7, 8, 9])
    #expect(seen.entries == ["a 1", "a 2", "a 3", "b 3"])
  }
}
