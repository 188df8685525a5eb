import StoreCore

/// A middleware made of closures, that notes the steps of its life.
final class Probe<State: Sendable, Action: Sendable>: Middleware {
  struct Failure: Error, Equatable {
    let step: String
  }

  typealias Next = @Sendable (Action) -> Void

  let name: String
  let steps: Journal<String>
  let needsStateBefore: Bool
  let failing = Shared<Set<String>>([])
  let onDispatch: @Sendable (Action, @escaping Next) -> Void
  let onChanged: @Sendable (Change<State, Action>, borrowing State) -> Void
  let onStart: @Sendable (Store<State, Action>) -> Void

  init(
    _ name: String = "probe", steps: Journal<String> = Journal(), failing: Set<String> = [], before: Bool = false,
    start: @escaping @Sendable (Store<State, Action>) -> Void = { _ in },
    dispatch: @escaping @Sendable (Action, @escaping Next) -> Void = { $1($0) },
    changed: @escaping @Sendable (Change<State, Action>, borrowing State) -> Void = { _, _ in }
  ) {
    self.name = name
    self.steps = steps
    self.failing.value.withLock { $0 = failing }
    needsStateBefore = before
    onStart = start
    onDispatch = dispatch
    onChanged = changed
  }

  private func step(_ step: String) throws {
    steps.note("\(name) \(step)")
    if failing.value.withLock({ $0.contains(step) }) { throw Failure(step: "\(name) \(step)") }
  }

  func start(_ store: Store<State, Action>) throws {
    try step("start")
    onStart(store)
  }

  func dispatch(_ action: Action, next: @escaping Next) {
    onDispatch(action, next)
  }

  func changed(_ change: Change<State, Action>, state: borrowing State) {
    onChanged(change, state)
  }

  func flush() async throws { try step("flush") }

  func close() async throws { try step("close") }

  func abandon(state: borrowing State) { steps.note("\(name) abandon") }
}

/// Appends each action to the state.
let appending: Store<[Int], Int>.Reducer = { $0.append($1) }
