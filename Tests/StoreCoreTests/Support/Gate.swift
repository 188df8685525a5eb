import Synchronization

/// Closed at first: who comes waits until somebody opens it, also if his task is cancelled.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrived = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  /// Waits for the gate to open.
  func pass() async {
    let watchers = state.withLock { state in
      state.arrived += 1
      let arrived = state.arrived
      defer { state.watchers.removeAll { $0.count <= arrived } }
      return state.watchers.filter { $0.count <= arrived }
    }
    for watcher in watchers { watcher.continuation.resume() }
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Returns when so many have come.
  func arrivals(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.arrived < count { state.watchers.append((count, continuation)) }
        return state.arrived >= count
      }
      if isThere { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
