import Synchronization

/// One execution of an effect: its task, and whether what it sends still counts.
///
/// A task can be cancelled, but not stopped. So it is the run that is asked, inside the store's lock, when an action of
/// an effect comes to be reduced: what was sent before the cancellation and arrives after it is dropped.
@usableFromInline
final class EffectRun: Sendable {
  private struct Stage {
    var cancel: (@Sendable () -> Void)?
    var wait: (@Sendable () async -> Void)?
    var isStarted = false
    var isOver = false
    /// What makes it this instance's business.
    var claim: EffectClaim?

    /// The claim, if it is needed no more: only when nothing is being done any more may another instance begin.
    mutating func takeClaim(ifRevoked isRevoked: Bool) -> EffectClaim? {
      isRevoked && isStarted == isOver ? claim.take() : nil
    }
  }

  /// What it is called in a list of those that are running.
  let name: String
  /// What it can be cancelled by.
  let ids: [EffectID]
  private let stage = Mutex(Stage())
  private let revoked = Atomic<Bool>(false)
  private let launched = Atomic<Bool>(false)

  init(_ name: String, ids: [EffectID] = []) {
    self.name = name
    self.ids = ids
  }

  /// Whether its actions count no longer.
  @usableFromInline
  var isRevoked: Bool { revoked.load(ordering: .acquiring) }

  /// Whether it may send an action now.
  var maySend: Bool { !isRevoked && stage.withLock { !$0.isOver } }

  /// Whether it is for the caller to start it: the first who asks, unless it has been revoked.
  func mayStart() -> Bool { !isRevoked && !launched.exchange(true, ordering: .acquiringAndReleasing) }

  /// Starts its task, a cancelled one if the run has been revoked. Once only. If that is to be at once, all of it that doesn't wait for
  /// anything is done here.
  func start<R: Sendable>(
    with dependencies: Dependencies, isAtOnce: Bool, _ body: @escaping @Sendable () async -> R,
    end: @escaping @Sendable () -> Void
  ) -> Task<R, Never> {
    stage.withLock { $0.isStarted = true }
    let operation: @Sendable () async -> R = {
      if self.isRevoked { withUnsafeCurrentTask { $0?.cancel() } }
      let result = await Dependencies.$current.withValue(dependencies, operation: body)
      self.finish()
      end()
      return result
    }
    let task = isAtOnce ? Task.atOnce(operation) : Task(operation: operation)
    stage.withLock { stage in
      if stage.isOver { return }
      stage.cancel = { task.cancel() }
      stage.wait = { _ = await task.value }
    }
    // Who cancels it revokes it first, and then looks for a task.
    if isRevoked { task.cancel() }
    return task
  }

  /// Makes its actions count no longer, also those that are on their way. Callable inside the store's lock.
  func revoke() { revoked.store(true, ordering: .releasing) }

  /// Cancels its task, and with it runs the cancellation handlers in there: not to be called inside the store's lock.
  func cancel() {
    revoke()
    let (cancel, claim) = stage.withLock { ($0.cancel, $0.takeClaim(ifRevoked: true)) }
    cancel?()
    // Let go of outside of all locks.
    withExtendedLifetime(claim) {}
  }

  /// Keeps a claim until the run has been revoked and its task is over.
  ///
  /// - Returns: the claim, where that is so already.
  @discardableResult
  func hold(_ claim: EffectClaim) -> EffectClaim? {
    stage.withLock { stage in
      stage.claim = claim
      return stage.takeClaim(ifRevoked: isRevoked)
    }
  }

  /// Whether its task was started, and hasn't ended.
  var isRunning: Bool { stage.withLock { $0.isStarted && !$0.isOver } }

  /// Waits for the end of its task, if it was started.
  func wait() async { await stage.withLock { $0.wait }?() }

  private func finish() {
    let claim = stage.withLock { stage in
      stage.isOver = true
      stage.cancel = nil
      stage.wait = nil
      return stage.takeClaim(ifRevoked: isRevoked)
    }
    withExtendedLifetime(claim) {}
  }
}

extension Task where Failure == Never {
  /// Starts a task on this thread, which goes on elsewhere once it has to wait; on an Apple system before 26 it starts elsewhere.
  fileprivate static func atOnce(_ operation: @escaping @Sendable () async -> Success) -> Task {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      immediate(operation: operation)
    } else {
      Task(operation: operation)
    }
  }
}
