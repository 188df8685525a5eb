import Synchronization

/// The problems that last at the moment, and those who want to hear of their beginning and end.
final class ProblemBoard: Sendable {
  private struct State {
    var current: [Problem.Code: Problem] = [:]
    var listeners: [Int: AsyncStream<ProblemEvent>.Continuation] = [:]
    var nextListener = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let unheard: @Sendable (ProblemEvent) -> Void

  /// - Parameter unheard: told what nobody listens to.
  init(unheard: @escaping @Sendable (ProblemEvent) -> Void) { self.unheard = unheard }

  var current: [Problem] { state.withLock { Array($0.current.values) } }

  func post(_ event: ProblemEvent) {
    let listeners = state.withLock { state in
      switch event {
      case .occurred(let problem): state.current[problem.code] = problem
      case .resolved(let code): state.current[code] = nil
      }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.yield(event) }
    if listeners.isEmpty { unheard(event) }
  }

  /// The problems that last now, then every beginning and end until the board is closed.
  func events() -> AsyncStream<ProblemEvent> {
    AsyncStream { continuation in
      let listener: Int? = state.withLock { state in
        for problem in state.current.values { continuation.yield(.occurred(problem)) }
        if state.isClosed { return nil }
        state.nextListener += 1
        state.listeners[state.nextListener] = continuation
        return state.nextListener
      }
      guard let listener else {
        continuation.finish()
        return
      }
      continuation.onTermination = { [weak self] _ in
        // Dropped outside the lock: a continuation may run code of its own when it goes.
        _ = self?.state.withLock { $0.listeners.removeValue(forKey: listener) }
      }
    }
  }

  func close() {
    let listeners = state.withLock { state in
      state.isClosed = true
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
