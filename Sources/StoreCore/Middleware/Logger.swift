import Synchronization

/// Says what happens: the number of the change, its cause, the action, and what the state had instead.
///
///     let store = try Store(App(), reducer: app, middleware: [Logger()])
///     store.dispatch(.add(5))
///     // #1 action add(5)
///     // - count: 0
///     // + count: 5
///
/// Each change is one call of the output, in the total order, on a thread that changes the state, and with no lock held;
/// before subscribers hear of it, unless another thread is delivering to them just then. To show differences it makes the
/// store keep the state from before each change.
public final class Logger<State: Sendable, Action: Sendable>: Middleware {
  private struct Line: Sendable {
    let change: Change<State, Action>
    let state: State
  }

  private struct Lines: Sendable {
    var waiting: [Line] = []
    var isPrinting = false
  }

  private let difference: (@Sendable (State, State) -> String)?
  private let output: @Sendable (String) -> Void
  private let lines = Mutex(Lines())
  private let store = WeakStore<State, Action>()

  /// Makes a logger that shows the difference of states too.
  ///
  /// - Parameters:
  ///   - difference: Describes what has changed in the state, in lines; empty if nothing has. With nil, it is a
  ///     ``StateDifference``.
  ///   - output: Gets the lines of one change, without a line feed at the end.
  public init(
    difference: (@Sendable (_ before: State, _ after: State) -> String)? = nil,
    to output: @escaping @Sendable (String) -> Void = { print($0) }
  ) {
    self.difference = difference ?? { "\(StateDifference(from: $0, to: $1))" }
    self.output = output
  }

  /// Makes a logger of causes and actions only, which needs no copies of the state.
  ///
  /// - Parameter output: Gets the line of one change, without a line feed at the end.
  public init(actionsTo output: @escaping @Sendable (String) -> Void) {
    difference = nil
    self.output = output
  }

  public var needsStateBefore: Bool { difference != nil }

  public func start(_ store: Store<State, Action>) {
    self.store.set(store)
  }

  public func changed(_ change: Change<State, Action>, state: borrowing State) {
    let line = Line(change: change, state: copy state)
    lines.withLock { $0.waiting.append(line) }
    store.store?.turn.postpone(inside: .changing) { self.printLines() }
  }

  /// Prints what waits; if another thread is at it, that prints it.
  private func printLines() {
    var isMine = false
    while let line = next(isMine) {
      isMine = true
      output(describe(line))
    }
  }

  private func next(_ isMine: Bool) -> Line? {
    lines.withLock { lines in
      if lines.isPrinting && !isMine { return nil }
      lines.isPrinting = !lines.waiting.isEmpty
      return lines.waiting.isEmpty ? nil : lines.waiting.removeFirst()
    }
  }

  private func describe(_ line: Line) -> String {
    let action = line.change.action.map { " \($0)" } ?? ""
    let first = "#\(line.change.version) \(line.change.cause)\(action)"
    guard let difference, let before = line.change.before else { return first }
    let lines = difference(before, line.state)
    return lines.isEmpty ? first : "\(first)\n\(lines)"
  }
}
