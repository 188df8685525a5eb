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

  /// Waits until `arm` calls what it is given, from anywhere, or until the patience is at an end.
  ///
  /// - Returns: whether it was called in time; false also if the task is cancelled.
  nonisolated(nonsending) func wait(_ arm: (_ ended: @escaping @Sendable () -> Void) -> Void) async -> Bool {
    let (calls, call) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
    arm { call.yield() }
    let alarm = Task { [clock, limit] in
      try? await clock.sleep(for: limit)  // Cut short, it isn't needed any more.
      call.finish()
    }
    defer { alarm.cancel() }
    // Ends with the task that waits, too.
    for await _ in calls { return true }
    return false
  }
}
