import StoreCore
import Synchronization

extension TestStore {
  /// Waits for the next action that isn't the test's own, and checks that it is the one, and what it does to the state.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - describe: Makes the change of the state that the action is expected to make.
  ///   - fileID: Where this is called.
  ///   - line: Where this is called.
  /// - Throws: `TestFailure`, or what the closure throws.
  nonisolated(nonsending) public func receive(
    _ action: Action, _ describe: ((inout State) throws -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) async throws where Action: Equatable {
    try await receive(
      Readable.text(action),
      { event in
        guard let received = event.action else { return Self.instead(event, of: Readable.text(action)) }
        if received == action { return nil }
        let difference = StateDifference(from: action, to: received)
        return "the action received isn't the one expected (-) but another (+):\n\(difference)"
      }, describe, Place(fileID: fileID, line: line))
  }

  /// Waits for the next action that isn't the test's own, and checks that it has a part, such as a case of an enum that
  /// has a property for it.
  ///
  ///     try await withTestStore(TestStore(Search(), effects: reduce)) { store in
  ///       try await store.send(.type(""))
  ///       try await store.receive(\.failed) { $0.message = "nothing to search for" }
  ///     }
  ///
  /// - Parameters:
  ///   - part: The part: a key path or a closure. With nil, it isn't the action expected.
  ///   - describe: Makes the change of the state that the action is expected to make.
  ///   - fileID: Where this is called.
  ///   - line: Where this is called.
  /// - Returns: the part.
  /// - Throws: `TestFailure`, or what the closure throws.
  @discardableResult
  nonisolated(nonsending) public func receive<Part>(
    _ part: (Action) -> Part?, _ describe: ((inout State) throws -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line
  ) async throws -> Part {
    var found: Part?
    let expected = "an action with a part of type \(Part.self)"
    try await receive(
      expected,
      { event in
        found = event.action.flatMap(part)
        return found == nil ? Self.instead(event, of: expected) : nil
      }, describe, Place(fileID: fileID, line: line))
    return found!
  }

  /// Waits for the next action that isn't the test's own, and checks that it is as a condition says.
  ///
  ///     try await withTestStore(TestStore(Search(), effects: reduce)) { store in
  ///       try await store.send(.type(""))
  ///       try await store.receive { $0.failed != nil } _: { $0.message = "nothing to search for" }
  ///     }
  ///
  /// - Parameters:
  ///   - isExpected: Whether an action is the one that is expected.
  ///   - describe: Makes the change of the state that the action is expected to make.
  ///   - fileID: Where this is called.
  ///   - line: Where this is called.
  /// - Throws: `TestFailure`, or what the closure throws.
  nonisolated(nonsending) public func receive(
    _ isExpected: (Action) -> Bool, _ describe: ((inout State) throws -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line
  ) async throws {
    let expected = "an action that the condition holds for"
    try await receive(
      expected, { $0.action.map(isExpected) == true ? nil : Self.instead($0, of: expected) }, describe,
      Place(fileID: fileID, line: line))
  }

  /// Fails, since every action has such a part, so that any would do.
  ///
  /// - Parameters:
  ///   - part: What isn't nil for any action.
  ///   - describe: Makes the change of the state that the action is expected to make.
  ///   - fileID: Where this is called.
  ///   - line: Where this is called.
  /// - Returns: never.
  /// - Throws: `TestFailure`.
  @discardableResult
  nonisolated(nonsending) public func receive<Part>(
    _ part: (Action) -> Part, _ describe: ((inout State) throws -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line
  ) async throws -> Part {
    throw Place(fileID: fileID, line: line).failure(
      .wrongAction, "every action has a part of type \(Part.self): name one that is nil for others, or give a condition"
    )
  }

  /// Waits for the next change that no action made, such as a rebase, and checks where it came from.
  ///
  /// - Parameters:
  ///   - cause: Where it is to come from.
  ///   - describe: Makes the change of the state that is expected.
  ///   - fileID: Where this is called.
  ///   - line: Where this is called.
  /// - Throws: `TestFailure`, or what the closure throws.
  nonisolated(nonsending) public func receive(
    cause: Cause, _ describe: ((inout State) throws -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) async throws {
    let expected = "a change without an action (\(cause))"
    try await receive(
      expected, { $0.action == nil && $0.cause == cause ? nil : Self.instead($0, of: expected) }, describe,
      Place(fileID: fileID, line: line))
  }

  private static func instead(_ event: UnassertedChanges<State, Action>.Event, of expected: String) -> String {
    "\(event.name) was received instead of \(expected)"
  }
}

/// Runs a test with a test store, and sees to it that nothing is left: ends with ``TestStore/finish(fileID:line:)``.
///
///     try await withTestStore(TestStore(Counter(), reducer: counter)) { store in
///       try await store.send(.add(1)) { $0.count = 1 }
///     }
///
/// - Parameters:
///   - store: The test store, made here.
///   - fileID: Where this is called.
///   - line: Where this is called.
///   - body: The test. If it throws, the store is closed, and nothing more is checked.
/// - Returns: what the body returned.
/// - Throws: what the body threw, or `TestFailure`.
nonisolated(nonsending) public func withTestStore<State, Action, R>(
  _ store: @autoclosure () throws -> TestStore<State, Action>, fileID: String = #fileID, line: Int = #line,
  _ body: nonisolated(nonsending) (TestStore<State, Action>) async throws -> R
) async throws -> R {
  let store = try store()
  let result: R
  do {
    result = try await body(store)
  } catch {
    store.isFinished.store(true, ordering: .relaxed)
    try? await store.store.close()  // What went wrong before matters more.
    throw error
  }
  try await store.finish(fileID: fileID, line: line)
  return result
}
