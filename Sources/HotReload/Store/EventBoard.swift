import Synchronization

/// Those who want to hear of events as they come, and what they are told of those that came before.
final class EventBoard<Event: Sendable, Memory: Sendable>: Sendable {
  private struct State {
    var memory: Memory
    var listeners: [Int: AsyncStream<Event>.Continuation] = [:]
    var nextListener = 0
    var isClosed = false
  }

  private let state: Mutex<State>
  /// Changes what is remembered by an event.
  private let remember: @Sendable (Event, inout Memory) -> Void
  /// Makes the events of it that a new listener is told.
  private let recall: @Sendable (Memory) -> [Event]
  /// Told what nobody listens to.
  private let unheard: @Sendable (Event) -> Void

  init(
    _ memory: Memory, remember: @escaping @Sendable (Event, inout Memory) -> Void,
    recall: @escaping @Sendable (Memory) -> [Event], unheard: @escaping @Sendable (Event) -> Void
  ) {
    state = Mutex(State(memory: memory))
    (self.remember, self.recall, self.unheard) = (remember, recall, unheard)
  }

  /// What is remembered now.
  var memory: Memory { state.withLock { $0.memory } }

  func post(_ event: Event) {
    let listeners = state.withLock { state in
      remember(event, &state.memory)
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.yield(event) }
    if listeners.isEmpty { unheard(event) }
  }

  /// What is remembered, then every event until the board is closed.
  func events() -> AsyncStream<Event> {
    AsyncStream { continuation in
      let listener: Int? = state.withLock { state in
        for event in recall(state.memory) { continuation.yield(event) }
        if state.isClosed { return nil }
        state.nextListener += 1
        state.listeners[state.nextListener] = continuation
        return state.nextListener
      }
      guard let listener else { return continuation.finish() }
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
