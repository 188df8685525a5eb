import Synchronization

/// Runs asynchronous bodies one after another, in the order they came, each in the task of its caller.
final class TaskQueue: Sendable {
  private struct Queue {
    var isBusy = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let queue = Mutex(Queue())

  func run<R, E: Error>(_ body: () async throws(E) -> R) async throws(E) -> R {
    await take()
    defer { giveBack() }
    return try await body()
  }

  private func take() async {
    await withCheckedContinuation { continuation in
      let isMine = queue.withLock { queue in
        if queue.isBusy { queue.waiting.append(continuation) }
        defer { queue.isBusy = true }
        return !queue.isBusy
      }
      if isMine { continuation.resume() }
    }
  }

  private func giveBack() {
    let next: CheckedContinuation<Void, Never>? = queue.withLock { queue in
      queue.isBusy = !queue.waiting.isEmpty
      return queue.waiting.isEmpty ? nil : queue.waiting.removeFirst()
    }
    next?.resume()
  }
}
