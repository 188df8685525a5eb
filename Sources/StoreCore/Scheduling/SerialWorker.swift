import Synchronization

/// Runs closures one after another, in the order they came, on a task that lives only while there are any.
@usableFromInline
final class SerialWorker: Sendable {
  private struct Queue {
    var bodies: [@Sendable () -> Void] = []
    var isRunning = false
  }

  private let queue = Mutex(Queue())
  /// The thread that runs them, of which each is run to its end; 0 while none does. Only the thread itself ever finds
  /// itself, as with a ``Turn``, so no ordering is needed.
  private let runner = Atomic<UInt>(0)
  private let actor: (any Actor)?
  private let priority: TaskPriority?

  /// One whose closures run on the actor; nil is the pool of background threads.
  init(on actor: (any Actor)? = nil, priority: TaskPriority? = nil) {
    self.actor = actor
    self.priority = priority
  }

  @usableFromInline
  func enqueue(_ body: @escaping @Sendable () -> Void) {
    let isFirst = queue.withLock { queue in
      queue.bodies.append(body)
      defer { queue.isRunning = true }
      return !queue.isRunning
    }
    if isFirst { Task.detached(priority: priority) { [actor] in await self.run(on: actor) } }
  }

  /// Whether the caller is one of the closures, or called by one.
  @usableFromInline
  var isCurrent: Bool {
    let runner = runner.load(ordering: .relaxed)
    return runner != 0 && runner == CurrentThread.identity
  }

  /// Returns when all that was enqueued before has run.
  func drain() async {
    await withCheckedContinuation { continuation in enqueue { continuation.resume() } }
  }

  private func run(on actor: isolated (any Actor)?) async {
    while let bodies = take() {
      runner.store(CurrentThread.identity, ordering: .relaxed)
      for body in bodies { body() }
      runner.store(0, ordering: .relaxed)
      // Others may want the actor too.
      await Task.yield()
    }
  }

  private func take() -> [@Sendable () -> Void]? {
    queue.withLock { queue in
      if queue.bodies.isEmpty {
        queue.isRunning = false
        return nil
      }
      return queue.bodies.takeAll()
    }
  }
}
