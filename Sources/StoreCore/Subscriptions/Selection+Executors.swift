import Synchronization

extension Selection {
  /// Makes of each value what is to be shown, in the background: the presentation of a large state doesn't hold up the
  /// thread that changes it.
  ///
  ///     store.select(\.episodes)
  ///       .present(priority: .userInitiated) { episodes in Table(episodes) }
  ///       .deliver(on: MainActor.shared)
  ///       .subscribe(owner: screen) { screen, table in MainActor.assumeIsolated { screen.show(table) } }
  ///
  /// One value is transformed at a time. Of those that come meanwhile only the newest is next.
  ///
  /// - Parameters:
  ///   - priority: How urgent it is.
  ///   - transform: Called on a background thread; its task is cancelled with the subscription.
  /// - Returns: the selection with this step added.
  public func present<Presented: Sendable>(
    priority: TaskPriority? = nil, _ transform: @escaping @Sendable (Value) async -> Presented
  ) -> Selection<Presented> {
    Selection<Presented>(of: store) { [attach] lifetime, sink in
      let presenter = Presenter(priority, transform, sink)
      lifetime.onCancel { [weak presenter] in presenter?.cancel() }
      attach(lifetime, Sink(receive: { presenter.receive($0, $1) }, end: { presenter.end() }))
    }
  }

  /// Passes the values on where the actor runs, all of them and in order.
  ///
  ///     let subscription = store.select(\.title).deliver(on: MainActor.shared).subscribe { title in
  ///       MainActor.assumeIsolated { screen.title = title }
  ///     }
  ///
  /// A subscription that is cancelled on the actor is not called again.
  public func deliver(on actor: any Actor) -> Selection {
    Selection(of: store) { [attach] lifetime, sink in
      let worker = SerialWorker(on: actor)
      let receive: @Sendable (Value, Cause) -> Void = { value, cause in
        worker.enqueue { if !lifetime.isCancelled { sink.receive(value, cause) } }
      }
      attach(lifetime, Sink(receive: receive, end: { worker.enqueue { sink.end() } }))
    }
  }
}

/// Transforms the newest value on a task that lives only while there is one.
private final class Presenter<Value: Sendable, Presented: Sendable>: Sendable {
  private struct Waiting {
    var newest: (value: Value, cause: Cause)?
    var isEnded = false
    var task: Task<Void, Never>?
  }

  private let priority: TaskPriority?
  private let transform: @Sendable (Value) async -> Presented
  private let sink: Sink<Presented>
  private let waiting = Mutex(Waiting())

  init(
    _ priority: TaskPriority?, _ transform: @escaping @Sendable (Value) async -> Presented, _ sink: Sink<Presented>
  ) {
    self.priority = priority
    self.transform = transform
    self.sink = sink
  }

  func receive(_ value: Value, _ cause: Cause) {
    waiting.withLock { waiting in
      waiting.newest = (value, cause)
      start(&waiting)
    }
  }

  func end() {
    waiting.withLock { waiting in
      waiting.isEnded = true
      start(&waiting)
    }
  }

  func cancel() {
    let task = waiting.withLock { waiting in
      waiting.newest = nil
      return waiting.task
    }
    task?.cancel()
  }

  private func start(_ waiting: inout Waiting) {
    if waiting.task == nil { waiting.task = Task.detached(priority: priority) { await self.run() } }
  }

  private func run() async {
    while let (newest, isEnd) = take() {
      if let newest {
        let presented = await transform(newest.value)
        if !Task.isCancelled { sink.receive(presented, newest.cause) }
      }
      if isEnd { sink.end() }
    }
  }

  private func take() -> (newest: (value: Value, cause: Cause)?, isEnd: Bool)? {
    waiting.withLock { waiting in
      defer {
        waiting.newest = nil
        waiting.isEnded = false
      }
      if waiting.newest == nil && !waiting.isEnded {
        waiting.task = nil
        return nil
      }
      return (waiting.newest, waiting.isEnded)
    }
  }
}
