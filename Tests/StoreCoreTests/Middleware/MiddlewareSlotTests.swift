import StoreCore
import StoreTesting
import Testing

struct `A slot for middleware` {
  typealias Slot = MiddlewareSlot<[Int], Int>
  typealias Steps = Probe<[Int], Int>

  let steps = Journal<String>()

  private func probe(_ name: String, failing: Set<String> = [], before: Bool = false) -> Steps {
    Probe(
      name, steps: steps, failing: failing, before: before,
      dispatch: { [steps] action, next in
        steps.note("\(name) sees \(action)")
        next(action)
      },
      changed: { [steps] change, state in
        steps.note("\(name) \(before ? "\(change.before ?? [-1]) " : "")\(state)")
      })
  }

  private func taken() -> [String] {
    defer { steps.clear() }
    return steps.entries
  }

  @Test func `is replaced while the store runs: new ones start first, old ones are closed last`() async throws {
    let slot = Slot([probe("a"), probe("b")])
    let store = try Store([], reducer: appending, middleware: [slot, probe("z")])
    store.dispatch(1)
    #expect(
      taken() == ["a start", "b start", "z start", "a sees 1", "b sees 1", "z sees 1", "a [1]", "b [1]", "z [1]"])
    try await slot.replace(with: [probe("c"), probe("d")])
    #expect(taken() == ["c start", "d start", "b close", "a close"])
    store.dispatch(2)
    #expect(taken() == ["c sees 2", "d sees 2", "z sees 2", "c [1, 2]", "d [1, 2]", "z [1, 2]"])
    #expect(store.middleware(ofType: Steps.self).map(\.name) == ["c", "d", "z"])
    #expect(store.middleware(ofType: Slot.self).map(ObjectIdentifier.init) == [ObjectIdentifier(slot)])
    try await slot.replace(with: [])
    store.dispatch(3)
    #expect(taken() == ["d close", "c close", "z sees 3", "z [1, 2, 3]"])
  }

  @Test func `gives the state before to those who came later, too`() async throws {
    let slot = Slot()
    let store = try Store([], reducer: appending, middleware: [slot])
    store.dispatch(1)
    try await slot.replace(with: [probe("a", before: true), probe("b")])
    store.dispatch(2)
    store.dispatch(3)
    #expect(
      taken() == [
        "a start", "b start", "a sees 2", "b sees 2", "a [1] [1, 2]", "b [1, 2]", "a sees 3", "b sees 3",
        "a [1, 2] [1, 2, 3]", "b [1, 2, 3]",
      ])
  }

  @Test func `keeps the old ones where a new one doesn't start`() async throws {
    let slot = Slot([probe("a")])
    let store = try Store([], reducer: appending, middleware: [slot])
    await #expect(throws: Steps.Failure(step: "c start")) {
      try await slot.replace(with: [probe("b"), probe("c", failing: ["start"]), probe("d")])
    }
    store.dispatch(1)
    #expect(taken() == ["a start", "b start", "c start", "b abandon", "a sees 1", "a [1]"])
  }

  @Test func `leaves alone what is in it already`() async throws {
    let (a, b, c) = (probe("a"), probe("b"), probe("c"))
    let slot = Slot([a, b])
    let store = try Store([], reducer: appending, middleware: [slot])
    _ = taken()
    try await slot.replace(with: [c, a])
    #expect(taken() == ["c start", "b close"])
    store.dispatch(1)
    #expect(taken() == ["c sees 1", "a sees 1", "c [1]", "a [1]"])
    await #expect(throws: Steps.Failure(step: "b start")) {
      try await slot.replace(with: [a, probe("b", failing: ["start"])])
    }
    _ = taken()
    store.dispatch(2)
    #expect(taken() == ["c sees 2", "a sees 2", "c [1, 2]", "a [1, 2]"])
    try await store.close()
    #expect(taken() == ["a close", "c close"])
  }

  @Test func `is committed only when those on their way out have let go of what they hold`() async throws {
    let gate = Gate()
    let slow = SlowToSettle(gate)
    let slot = MiddlewareSlot<[Int], Int>([slow])
    let store = try Store([], reducer: appending, middleware: [slot])
    store.dispatch(1)
    let replacing = Task { try await slot.replace(with: []) }
    await gate.arrivals(1)
    let closing = Task {
      try await store.close()
      return store.state
    }
    gate.open()
    try await replacing.value
    #expect(try await closing.value == [1])
  }

  /// Holds back all actions, and takes its time to let them go.
  private final class SlowToSettle: Middleware {
    typealias State = [Int]
    typealias Action = Int
    let gate: Gate
    let held = Journal<@Sendable () -> Void>()

    init(_ gate: Gate) { self.gate = gate }

    func dispatch(_ action: Int, next: @escaping @Sendable (Int) -> Void) { held.note { next(action) } }

    func settle() async {
      await gate.pass()
      for body in held.entries { body() }
      held.clear()
    }
  }

  @Test func `lets new ones hear of changes from their start`() async throws {
    let slot = Slot([probe("a")])
    let store = try Store([], reducer: appending, middleware: [slot])
    let eager = Steps("b", steps: steps, start: { $0.dispatch(1) }, changed: { [steps] _, _ in steps.note("b hears") })
    try await slot.replace(with: [eager])
    #expect(store.state == [1])
    #expect(taken() == ["a start", "b start", "a sees 1", "a [1]", "b hears", "a close"])
  }

  @Test func `lets go of what an old one held back`() async throws {
    let clock = ManualClock()
    let slot = Slot([DebounceActions(for: .seconds(1), clock: clock) { _ in 0 }])
    let store = try Store([], reducer: appending, middleware: [slot])
    store.dispatch(1)
    try await slot.replace(with: [])
    #expect(store.state == [1])
  }

  @Test func `is flushed, closed and abandoned with what is in it`() async throws {
    do {
      let failing = probe("b", failing: ["close"])
      let store = try Store([], reducer: appending, middleware: [Slot([probe("a"), failing])])
      try await store.commit()
      await #expect(throws: Steps.Failure(step: "b close")) { try await store.close() }
      failing.failing.value.withLock { $0 = [] }
      try await store.close()
    }
    #expect(taken() == ["a start", "b start", "a flush", "b flush", "b close", "a close", "b close"])
    _ = try Store([], reducer: appending, middleware: [Slot([probe("a"), probe("b")])])
    #expect(taken() == ["a start", "b start", "b abandon", "a abandon"])
  }

  @Test func `cannot be replaced once the store is gone, but before it is there`() async throws {
    let slot = Slot([probe("a")])
    try await slot.replace(with: [probe("b")])
    do {
      let store = try Store([], reducer: appending, middleware: [slot])
      #expect(taken() == ["b start"])
      try await store.close()
    }
    let failure = await #expect(throws: Slot.Failure.self) { try await slot.replace(with: [probe("c")]) }
    #expect(
      failure.map { "\($0)" } == "the middleware cannot be replaced: the store was closed or freed")
    #expect(taken() == ["b close"])
  }

  @Test func `loses no action and no change while it is replaced`() async throws {
    let slot = Slot()
    let heard = Journal<Int>()
    let store = try Store([], reducer: appending, middleware: [slot])
    let replacing = Task {
      for _ in 0..<100 {
        try await slot.replace(with: [Hooks(after: { change, _ in heard.note(change.action!) })])
      }
      return true
    }
    await Task.detached {
      onThreads(2) { _ in
        for number in 0..<500 { store.dispatch(number) }
      }
    }.value
    #expect(try await replacing.value)
    #expect(store.state.count == 1000)
    store.dispatch(7)
    #expect(heard.entries.last == 7)
  }
}
