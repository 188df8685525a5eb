import Synchronization

/// One execution of an effect: its task, and whether what it dispatches still counts.
///
/// A task can be cancelled, but not stopped. So it is the run that is asked, inside the store's lock, when an action of
/// an effect comes to be reduced: what was sent before the cancellation and arrives after it is dropped.
@usableFromInline
final class EffectRun: Sendable {
  private struct Stage {
    var cancel: (@Sendable () -> Void)?
    var isOver = false
  }

  /// What it is called in a list of those that are running.
  let name: String
  private let stage = Mutex(Stage())
  private let withdrawn = Atomic<Bool>(false)

  init(_ name: String) {
    self.name = name
  }

  /// Whether its actions count no longer.
  @usableFromInline
  var isWithdrawn: Bool { withdrawn.load(ordering: .acquiring) }

  /// Whether it may send an action now.
  var maySend: Bool { !isWithdrawn && stage.withLock { !$0.isOver } }

  /// Starts its task, a cancelled one if the run was withdrawn before. Once only.
  func start<R: Sendable>(
    with dependencies: Dependencies, _ body: @escaping @Sendable () async -> R, end: @escaping @Sendable () -> Void
  ) -> Task<R, Never> {
    let task = stage.withLock { stage in
      let task = Task {
        let result = await Dependencies.$current.withValue(dependencies, operation: body)
        self.finish()
        end()
        return result
      }
      stage.cancel = { task.cancel() }
      return task
    }
    // Whoever withdraws it sets the flag first, and then looks for a task.
    if isWithdrawn { task.cancel() }
    return task
  }

  /// Cancels its task, and makes its actions count no longer, also those that are on their way.
  func withdraw() {
    withdrawn.store(true, ordering: .releasing)
    stage.withLock { $0.cancel }?()
  }

  private func finish() {
    stage.withLock { stage in
      stage.isOver = true
      stage.cancel = nil
    }
  }
}
