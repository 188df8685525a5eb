import StoreCore
import Synchronization

/// A store for tests, which wants to be told everything that happens in it: every action, every change of the state, and
/// that no effect is left running.
///
///     try await withTestStore(TestStore(Search(), effects: reduce) { $0.clock = clock }) { store in
///       try await store.send(.type("fog")) { $0.text = "fog" }
///       try await clock.advance(by: .milliseconds(300))
///       try await store.receive(.found(["Fog"])) { $0.results = ["Fog"] }
///     }
///
/// A closure says what becomes of the state; without one, nothing does. What isn't so is thrown as a ``TestFailure`` that
/// shows the difference, so that any test framework will do.
///
/// It is made around a real ``store``, with all that a store can do: middleware, asynchronous actions, effects of every
/// style. Only it doesn't reduce in the background, as an action must have been reduced when ``send(_:_:fileID:line:)``
/// returns; the order of what is dispatched from outside is the same there. For one test, from one task.
public final class TestStore<State: Sendable & Equatable, Action: Sendable>: Sendable {
  /// The store itself: to start effects, to dispatch asynchronous actions, to rebase.
  ///
  /// An action dispatched here is to be received, like those that effects send.
  public let store: Store<State, Action>

  /// How much of what happens the test wants to say.
  public enum Exhaustivity: Sendable, Hashable {
    /// All of it.
    case on
    /// What it says holds, and the rest is its own affair: a closure sets what it expects in the state as it is, what is
    /// received before the action that is waited for is passed over, and effects may be left running.
    case off
  }

  /// How much of what happens the test wants to say; all of it, unless it is set.
  ///
  ///     try await withTestStore(TestStore(Search(), effects: reduce)) { store in
  ///       store.exhaustivity = .off
  ///       try await store.send(.type("fog")) { $0.text = "fog" }  // whatever else that changes
  ///     }
  public var exhaustivity: Exhaustivity {
    get { exhaustive.load(ordering: .relaxed) ? .on : .off }
    set { exhaustive.store(newValue == .on, ordering: .relaxed) }
  }

  private let exhaustive = Atomic<Bool>(true)
  /// Kept, as the defaults that the store was made with are.
  private let dependencies: Dependencies
  private let recorder: UnassertedChanges<State, Action>
  /// Whether only effects can send actions.
  private let hasMiddleware: Bool
  private let asserted: Mutex<State>
  private let patience: Patience
  /// Whether somebody has asked what is left, or needn't.
  let isFinished = Atomic<Bool>(false)

  /// Makes a test store of a state and a reducer.
  ///
  /// - Parameters:
  ///   - state: The state to begin with.
  ///   - reducer: The reducer.
  ///   - middleware: What stands around it.
  ///   - patience: How long something is waited for before it fails.
  ///   - dependencies: Sets what effects use; what it leaves is what is set around it, or a default made for this store.
  /// - Throws: what a middleware throws as it is started.
  public convenience init(
    _ state: State, reducer: @escaping Store<State, Action>.Reducer, middleware: [any Middleware<State, Action>] = [],
    patience: Patience = Patience(), dependencies: (inout Dependencies) -> Void = { _ in }
  ) throws {
    try self.init(state, middleware, patience, dependencies) { try Store(state, reducer: reducer, middleware: $0) }
  }

  /// Makes a test store of a state and a composed reducer; otherwise as the form with a function.
  public convenience init(
    _ state: State, reducer: Reducer<State, Action>, middleware: [any Middleware<State, Action>] = [],
    patience: Patience = Patience(), dependencies: (inout Dependencies) -> Void = { _ in }
  ) throws {
    try self.init(state, middleware, patience, dependencies) { try Store(state, reducer: reducer, middleware: $0) }
  }

  /// Makes a test store of a state and a reducer that returns effects; otherwise as the form without effects.
  public convenience init(
    _ state: State, effects reducer: @escaping @Sendable (inout State, Action) -> Effect<Action>,
    middleware: [any Middleware<State, Action>] = [], patience: Patience = Patience(),
    dependencies: (inout Dependencies) -> Void = { _ in }
  ) throws {
    try self.init(state, middleware, patience, dependencies) { try Store(state, effects: reducer, middleware: $0) }
  }

  /// Makes a test store of a state and a composed reducer that returns effects; otherwise as the form without effects.
  public convenience init(
    _ state: State, effects reducer: EffectReducer<State, Action>, middleware: [any Middleware<State, Action>] = [],
    patience: Patience = Patience(), dependencies: (inout Dependencies) -> Void = { _ in }
  ) throws {
    try self.init(
      state, effects: reducer.reduce, middleware: middleware, patience: patience, dependencies: dependencies)
  }

  private init(
    _ state: State, _ middleware: [any Middleware<State, Action>], _ patience: Patience,
    _ dependencies: (inout Dependencies) -> Void,
    make: ([any Middleware<State, Action>]) throws -> Store<State, Action>
  ) throws {
    let recorder = UnassertedChanges<State, Action>()
    var own = Dependencies.current.isolated()
    dependencies(&own)
    self.dependencies = own
    store = try withDependencies(from: own, { _ in }) { try make([recorder] + middleware) }
    self.recorder = recorder
    hasMiddleware = !middleware.isEmpty
    asserted = Mutex(state)
    self.patience = patience
  }

  deinit {
    if isFinished.load(ordering: .relaxed) { return }
    print("\(Self.self) was freed without finish(): nobody has checked what was left in it; see withTestStore")
  }

  /// The state as of what was asserted last. That of the ``store`` may be further on.
  public var state: State { asserted.withLock { $0 } }

  /// Dispatches an action and checks what it does to the state at once.
  ///
  /// All that came before must have been asserted. What a middleware makes of the action counts as the action; one that
  /// is dropped or delayed changes nothing, and is received when it comes.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - describe: Makes the change of the state that the action is expected to make.
  ///   - fileID: Where this is called.
  ///   - line: Where this is called.
  /// - Throws: `TestFailure`, or what the closure throws.
  nonisolated(nonsending) public func send(
    _ action: Action, _ describe: ((inout State) throws -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) async throws {
    let place = Place(fileID: fileID, line: line)
    let name = Readable.text(action)
    if exhaustivity == .off { recorder.forget() }
    try refuseEvents("before \(name) was sent", place)
    let sent = recorder.sending { store.dispatch(action) }
    guard let sent else { return try check(exhaustivity == .on ? state : current, name, describe, place) }
    if exhaustivity == .off { recorder.forget(before: \.isSent) }
    let earlier = recorder.events.prefix { !$0.isSent }
    if !earlier.isEmpty { throw place.failure(.unassertedAction, Self.list(earlier, "before \(name) was sent")) }
    _ = recorder.takeFirst()
    try check(sent.state, name, describe, place)
  }

  // Waits for the next change, lets `judge` say what is wrong with it, and checks what it did to the state. `expected`
  // says in words what is waited for.
  nonisolated(nonsending) func receive(
    _ expected: String, _ judge: (UnassertedChanges<State, Action>.Event) -> String?,
    _ describe: ((inout State) throws -> Void)?,
    _ place: Place
  ) async throws {
    var event = try await next()
    while exhaustivity == .off, let other = event, judge(other) != nil {
      asserted.withLock { $0 = other.state }
      event = try await next()
    }
    guard let event else {
      try refuseLate(place)
      let running = store.runningEffects.sorted()
      throw place.failure(
        .missingAction,
        running.isEmpty && !hasMiddleware
          ? "\(expected) was not received, and no effect is running that could send it"
          : "\(expected) was not received within \(patience.limit); "
            + (running.isEmpty ? "no effect is running" : "running effects: \(running.joined(separator: ", "))"))
    }
    if let judgement = judge(event) {
      asserted.withLock { $0 = event.state }
      throw place.failure(.wrongAction, judgement)
    }
    try check(event.state, expected, describe, place)
  }

  /// Checks that all was asserted and all effects have ended, after waiting for that; then closes the store.
  ///
  /// - Throws: `TestFailure`, or what a middleware throws as it is closed. The store is closed in any case.
  nonisolated(nonsending) public func finish(fileID: String = #fileID, line: Int = #line) async throws {
    isFinished.store(true, ordering: .relaxed)
    if exhaustivity == .off { return try await store.close() }
    let place = Place(fileID: fileID, line: line)
    do {
      try await checkEnd(place)
    } catch {
      try? await store.close()  // What went wrong before matters more.
      throw error
    }
    try await store.close()
    try refuseEvents("at the end", place)
  }

  nonisolated(nonsending) private func checkEnd(_ place: Place) async throws {
    try refuseEvents("at the end", place)
    let hasEnded = await patience.wait { ended in
      recorder.whenThereIsOne(ended)
      store.whenEffectsEnd(ended)
    }
    try refuseEvents("at the end", place)
    if hasEnded { return }
    try Task.checkCancellation()
    let running = store.runningEffects.sorted()
    // Those that stand in line for another instance to let go of an effect do nothing.
    if running.isEmpty { return }
    let subject = running.count == 1 ? "1 effect is" : "\(running.count) effects are"
    throw place.failure(
      .runningEffect,
      "at the end, \(subject) still running after \(patience.limit): \(running.joined(separator: ", "))")
  }

  nonisolated(nonsending) private func next() async throws -> UnassertedChanges<State, Action>.Event? {
    if let event = recorder.takeFirst() { return event }
    _ = await patience.wait { ended in
      recorder.whenThereIsOne(ended)
      // What a middleware holds back may still come.
      if !hasMiddleware { store.whenEffectsEnd(ended) }
    }
    try Task.checkCancellation()
    return recorder.takeFirst()
  }

  private func check(
    _ now: State, _ name: String, _ describe: ((inout State) throws -> Void)?, _ place: Place
  ) throws {
    let isExhaustive = exhaustivity == .on
    let before = isExhaustive ? state : now
    var expected = before
    // Whatever comes of it, the next change is compared with this state.
    asserted.withLock { $0 = now }
    try describe?(&expected)
    if now == expected {
      if describe == nil || now != before || !isExhaustive { return }
      throw place.failure(
        .emptyDescription, "\(name) changes nothing, and the closure describes no change: leave it out")
    }
    if expected == before {
      let difference = StateDifference(from: before, to: now)
      throw place.failure(.undescribedChange, "\(name) changed the state, and the test doesn't say so:\n\(difference)")
    }
    let difference = StateDifference(from: expected, to: now)
    throw place.failure(
      .unexpectedState, "\(name) didn't make the state that is expected (-) but another (+):\n\(difference)")
  }

  /// The state of the store, whatever was asserted.
  private var current: State { store.withState { state, _ in copy state } }

  private func refuseEvents(_ moment: String, _ place: Place) throws {
    let events = recorder.events
    if !events.isEmpty { throw place.failure(.unassertedAction, Self.list(events[...], moment)) }
    try refuseLate(place)
  }

  /// What an effect sends when it has ended is dropped, which is hardly what anybody wants.
  private func refuseLate(_ place: Place) throws {
    let late = recorder.takeLate()
    if late.isEmpty || exhaustivity == .off { return }
    throw place.failure(
      .lateAction, "sent when the effect had ended, and therefore dropped: \(late.joined(separator: "; "))")
  }

  private static func list(_ events: ArraySlice<UnassertedChanges<State, Action>.Event>, _ moment: String) -> String {
    let subject = events.count == 1 ? "1 action was" : "\(events.count) actions were"
    let names = events.prefix(20).map { "\n  \($0.name)" }.joined()
    return "\(moment), \(subject) received and not asserted:\(names)\(events.count > 20 ? "\n  …" : "")"
  }
}

extension UnassertedChanges.Event {
  /// The action in words, or the cause where there was none.
  var name: String { action.map { Readable.text($0) } ?? "a change without an action (\(cause))" }
}

/// Where a test asked for something.
struct Place {
  let fileID: String
  let line: Int

  func failure(_ code: TestFailure.Code, _ message: String) -> TestFailure {
    TestFailure(code, message, fileID: fileID, line: line)
  }
}
