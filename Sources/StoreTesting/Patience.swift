import Synchronization

/// How long a test waits for what should come at once, before it fails instead of hanging.
///
/// It makes no test slower: what is waited for ends the waiting. Only a test that fails takes so long.
public struct Patience: Sendable {
  let limit: Duration
  let clock: any Clock<Duration>

  /// Waits so long by a clock. The time should be real, and long enough for the slowest machine.
  public init(_ limit: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock()) {
    self.limit = limit
    self.clock = clock
  }

  /// Waits until `arm` calls what it is given with true, from anywhere, or until the patience is at an end.
  ///
  /// - Returns: whether it was called in time; false also if the task is cancelled.
  nonisolated(nonsending) func wait(_ arm: (_ ended: @escaping @Sendable (Bool) -> Void) -> Void) async -> Bool {
    let outcome = Outcome()
    arm(outcome.settle)
    let alarm = Task { [clock, limit] in
      try? await clock.sleep(for: limit)  // Cut short, it isn't needed any more.
      outcome.settle(false)
    }
    defer { alarm.cancel() }
    return await withTaskCancellationHandler {
      await outcome.value
    } onCancel: {
      outcome.settle(false)
    }
  }
}

/// A truth that is settled once, and that one task waits for.
private final class Outcome: Sendable {
  private struct Core {
    var settled: Bool?
    var waiting: CheckedContinuation<Bool, Never>?
  }

  private let core = Mutex(Core())

  @Sendable func settle(_ value: Bool) {
    let waiting = core.withLock { core -> CheckedContinuation<Bool, Never>? in
      if core.settled != nil { return nil }
      core.settled = value
      return core.waiting.take()
    }
    waiting?.resume(returning: value)
  }

  var value: Bool {
    get async {
      await withCheckedContinuation { continuation in
        let settled = core.withLock { core in
          if core.settled == nil { core.waiting = continuation }
          return core.settled
        }
        if let settled { continuation.resume(returning: settled) }
      }
    }
  }
}
