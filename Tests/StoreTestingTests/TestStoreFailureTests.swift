import StoreCore
import StoreTesting
import Synchronization
import TestThreads
import Testing

/// Each way in which a test can leave something out or get it wrong, with what it is told.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct `A test store fails` {
  private let clock = ManualClock()
  /// The time that runs out for those who wait in vain.
  private let real = ManualClock()

  private func makeStore() throws -> TestStore<Search, SearchAction> {
    try TestStore(Search(), effects: search, patience: Patience(.seconds(10), clock: real)) { $0.clock = clock }
  }

  private func expect(
    _ code: TestFailure.Code, _ message: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
  ) async {
    let error = await #expect(throws: TestFailure.self, sourceLocation: sourceLocation) { try await body() }
    #expect(error?.code == code, sourceLocation: sourceLocation)
    #expect(error?.message == message, sourceLocation: sourceLocation)
  }

  @Test(arguments: [TestStore<Int, Int>.Exhaustivity.on, .off])
  func `when an effect sends what comes too late`(exhaustivity: TestStore<Int, Int>.Exhaustivity) async throws {
    let kept = Mutex<Send<Int>?>(nil)
    let store = try TestStore(
      0,
      effects: { (count: inout Int, action: Int) -> Effect<Int> in
        count += action
        return action == 1 ? .run { send in kept.withLock { $0 = send } }.cancellable(id: "kept") : .none
      })
    store.exhaustivity = exhaustivity
    try await store.send(1) { $0 = 1 }
    await withCheckedContinuation { continuation in store.store.whenEffectsEnd { continuation.resume() } }
    kept.withLock { $0 }?(2)
    let late = "sent when the effect had ended, and therefore dropped: 2, from kept"
    if exhaustivity == .on {
      await expect(.lateAction, late) { try await store.finish() }
    } else {
      try await store.finish()
    }
    #expect(store.store.state == 1)
  }

  @Test func `in words when nobody asks what is left in it`() async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
      _ = try TestStore(0, reducer: { (count: inout Int, step: Int) in count += step })
      try await withTestStore(TestStore(0, reducer: { (count: inout Int, step: Int) in count += step })) { _ in }
      struct Wrong: Error {}
      await #expect(throws: Wrong.self) {
        try await withTestStore(TestStore("", reducer: { (_: inout String, _: Int) in })) { _ in throw Wrong() }
      }
    }
    let lines = String(decoding: result.standardOutputContent, as: UTF8.self).split(separator: "\n")
    let sentence =
      "TestStore<Int, Int> was freed without finish(): nobody has checked what was left in it; see withTestStore"
    #expect(lines.filter { $0.contains("was freed") } == [Substring(sentence)])
  }

  @Test func `when a change is not described`() async throws {
    let store = try makeStore()
    await expect(
      .undescribedChange,
      """
      .type("fog") changed the state, and the test doesn't say so:
      - text: ""
      + text: "fog"
      """
    ) {
      try await store.send(.type("fog"))
    }
    // What went wrong once isn't reported again.
    try await store.send(.clear) { $0.text = "" }
    try await store.finish()
  }

  @Test func `when the state is another than described`() async throws {
    let store = try makeStore()
    await expect(
      .unexpectedState,
      """
      .found(["a", "b"]) didn't make the state that is expected (-) but another (+):
      - results[1]: "c"
      + results[1]: "b"
      - message: "done"
      + message: nil
      """
    ) {
      try await store.send(.found(["a", "b"])) {
        $0.results = ["a", "c"]
        $0.message = "done"
      }
    }
    await expect(
      .unexpectedState,
      """
      .failed("x") didn't make the state that is expected (-) but another (+):
      - text: "y"
      + text: ""
      - message: nil
      + message: "x"
      """
    ) { try await store.send(.failed("x")) { $0.text = "y" } }
  }

  @Test func `when a change is described and there is none`() async throws {
    let store = try makeStore()
    await expect(
      .emptyDescription, ".found([]) changes nothing, and the closure describes no change: leave it out"
    ) { try await store.send(.found([])) { $0.results = [] } }
    await expect(
      .unexpectedState,
      """
      .found([]) didn't make the state that is expected (-) but another (+):
      - results[0]: "a"
      """
    ) { try await store.send(.found([])) { $0.results = ["a"] } }
  }

  @Test func `when an action is not asserted before the next is sent, or at the end`() async throws {
    let store = try makeStore()
    store.store.dispatch(.found(["a"]))
    store.store.rebase(cause: .edit) { _, _ in }
    await expect(
      .unassertedAction,
      """
      before .clear was sent, 2 actions were received and not asserted:
        .found(["a"])
        a change without an action (edit)
      """
    ) { try await store.send(.clear) }
    try await store.receive(\.found) { $0.results = ["a"] }
    await expect(
      .unassertedAction,
      """
      at the end, 1 action was received and not asserted:
        a change without an action (edit)
      """
    ) { try await store.finish() }
  }

  @Test func `when an effect sends what is not asserted while the end waits for it`() async throws {
    let store = try makeStore()
    try await store.send(.type("fog")) { $0.text = "fog" }
    let end = Task { try await store.finish() }
    // The end waits for the effect, and the effect for its time.
    try await real.sleepers(1)
    try await clock.advance(by: .milliseconds(300))
    await expect(
      .unassertedAction,
      """
      at the end, 1 action was received and not asserted:
        .found(["FOG"])
      """
    ) { try await end.value }
  }

  @Test func `when an effect is left running, and names it`() async throws {
    let store = try makeStore()
    try await store.send(.watch)
    let one = Task { try await store.finish() }
    try await real.advance(by: .seconds(10))
    await expect(.runningEffect, "at the end, 1 effect is still running after 10.0 seconds: watch") {
      try await one.value
    }
    // The store was closed, and with that the effect cancelled.
    #expect(store.store.runningEffects == [])

    let other = try makeStore()
    try await other.send(.watch)
    try await other.send(.type("fog")) { $0.text = "fog" }
    let two = Task { try await other.finish() }
    try await real.advance(by: .seconds(10))
    await expect(.runningEffect, "at the end, 2 effects are still running after 10.0 seconds: search, watch") {
      try await two.value
    }
  }

  @Test func `when an effect that was cancelled goes on all the same`() async throws {
    let (entered, released) = (AsyncStream<Void>.makeStream(), AsyncStream<Never>.makeStream())
    let store = try TestStore(
      0,
      effects: { (_: inout Int, isOn: Bool) -> Effect<Bool> in
        if !isOn { return .cancel(id: "deaf") }
        return .run { _ in
          entered.continuation.yield()
          // A task of its own isn't cancelled with this one.
          await Task { for await _ in released.stream {} }.value
        }
        .cancellable(id: "deaf")
      }, patience: Patience(.seconds(10), clock: real))
    try await store.send(true)
    for await _ in entered.stream { break }
    try await store.send(false)
    let end = Task { try await store.finish() }
    try await real.advance(by: .seconds(10))
    await expect(.runningEffect, "at the end, 1 effect is still running after 10.0 seconds: deaf") {
      try await end.value
    }
    released.continuation.finish()
  }

  @Test func `when another action comes than expected`() async throws {
    let store = try makeStore()
    for results in [["a"], ["b"], ["c"]] { store.store.dispatch(.found(results)) }
    store.store.rebase(cause: .edit) { _, _ in }
    await expect(
      .wrongAction,
      """
      the action received isn't the one expected (-) but another (+):
      - found[0]: "x"
      + found[0]: "a"
      """
    ) { try await store.receive(.found(["x"])) { $0.results = ["x"] } }
    await expect(
      .wrongAction,
      """
      the action received isn't the one expected (-) but another (+):
      - .clear
      + .found(["b"])
      """
    ) { try await store.receive(.clear) }
    await expect(.wrongAction, #".found(["c"]) was received instead of an action with a part of type String"#) {
      try await store.receive(\.failed)
    }
    await expect(.wrongAction, "a change without an action (edit) was received instead of .clear") {
      try await store.receive(.clear)
    }
    store.store.dispatch(.found(["d"]))
    await expect(.wrongAction, #".found(["d"]) was received instead of an action that the condition holds for"#) {
      try await store.receive { $0 == .clear }
    }
    await expect(
      .wrongAction, "every action has a part of type String: name one that is nil for others, or give a condition"
    ) {
      _ = try await store.receive { action -> String in "\(action)" }
    }
    store.store.rebase(cause: .edit) { _, _ in }
    await expect(
      .wrongAction, "a change without an action (edit) was received instead of an action that the condition holds for"
    ) {
      try await store.receive { _ in true }
    }
    store.store.dispatch(.clear)
    await expect(.wrongAction, ".clear was received instead of a change without an action (edit)") {
      try await store.receive(cause: .edit)
    }
  }

  @Test func `at once when nobody could send what is expected`() async throws {
    let store = try makeStore()
    await expect(
      .missingAction, ".clear was not received, and no effect is running that could send it"
    ) { try await store.receive(.clear) }
    // Also when the last effect ends while it is waited for.
    try await store.send(.type("fog")) { $0.text = "fog" }
    let end = Task { try await store.receive(.found(["FOG"])) { $0.results = ["FOG"] } }
    try await clock.advance(by: .milliseconds(300))
    try await end.value
    await expect(
      .missingAction, ".clear was not received, and no effect is running that could send it"
    ) { try await store.receive(.clear) }
  }

  @Test func `after a while when what is expected doesn't come`() async throws {
    let store = try makeStore()
    try await store.send(.watch)
    try await store.send(.type("fog")) { $0.text = "fog" }
    let waiting = Task { try await store.receive(.clear) }
    try await real.advance(by: .seconds(10))
    await expect(
      .missingAction, ".clear was not received within 10.0 seconds; running effects: search, watch"
    ) { try await waiting.value }

    let around = try TestStore<Int, Int>(
      0, reducer: { $0 += $1 }, middleware: [Idle()], patience: Patience(.seconds(10), clock: real))
    let receiving = Task { try await around.receive(1) }
    try await real.advance(by: .seconds(10))
    await expect(.missingAction, "1 was not received within 10.0 seconds; no effect is running") {
      try await receiving.value
    }
  }

  private struct Idle: Middleware {
    typealias State = Int
    typealias Action = Int
  }

  @Test func `with the place where the test asked`() async throws {
    let store = try makeStore()
    let line = #line + 1
    let error = await #expect(throws: TestFailure.self) { try await store.send(.found([])) { $0.results = [] } }
    #expect(
      "\(try #require(error))"
        == "StoreTestingTests/TestStoreFailureTests.swift:\(line): .found([]) changes nothing, and the closure describes no "
        + "change: leave it out")
  }

  @Test func `not, but ends, when the test's task is cancelled`() async throws {
    let store = try makeStore()
    try await store.send(.watch)
    let waiting = Task { try await store.receive(.clear) }
    try await real.sleepers(1)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    let ending = Task { try await store.finish() }
    try await real.sleepers(1)
    ending.cancel()
    await #expect(throws: CancellationError.self) { try await ending.value }
  }
}
