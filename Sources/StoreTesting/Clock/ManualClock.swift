import Synchronization

/// A clock on which time passes only when a test says so.
///
///     let clock = ManualClock()
///     let store = withDependencies { $0.clock = clock } operation: { Store(Search(), effects: reduce) }
///     store.dispatch(.type("fog"))                    // starts an effect that sleeps for 300 ms, and then searches
///     try await clock.advance(by: .milliseconds(300)) // waits until it does sleep, and wakes it
///
/// **What is guaranteed.** No wake-up is lost: who begins to sleep while time is moved is woken, if his deadline is reached,
/// and doesn't fall asleep if it has passed. Sleepers wake one after another in the order of their deadlines, those with
/// the same deadline in the order in which they fell asleep. Time is at a sleeper's deadline when he is woken, and goes on
/// when he has been resumed: also ``advance(by:sleepers:fileID:line:)`` returns only then.
///
/// **What isn't.** How far he has got since: his `sleep` may still be about to return, and time be further on when he looks
/// at it. No clock can know what a task does between two sleeps. Wait for what he does (`TestStore.receive` does), or for
/// his next sleep: every advance begins by waiting for sleepers, so that one call for each tick drives a loop that sleeps
/// between ticks, however slow the machine.
///
/// Nothing polls. Safe to use from any thread.
public final class ManualClock: Clock {
  /// A point of the clock's own time.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// How much time has passed since the clock was made.
    public let offset: Duration

    /// The point so long after the clock was made.
    public init(offset: Duration) {
      self.offset = offset
    }

    /// The point so long after this one.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// How long another point is after this one.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    /// The time since the clock was made: `1.5 seconds`.
    public var description: String { "\(offset)" }
  }

  let core = Mutex(Core())
  private let patience: Patience

  /// Makes a clock whose time is zero.
  ///
  /// - Parameter patience: How long an advance waits for sleepers.
  public init(patience: Patience = Patience()) {
    self.patience = patience
  }

  /// How far time was moved.
  public var now: Instant { core.withLock { $0.now } }

  /// Zero: every instant can be reached.
  public var minimumResolution: Duration { .zero }

  /// When those who sleep are to wake, the first first.
  public var deadlines: [Instant] { core.withLock { $0.sleepers.map(\.deadline).sorted() } }

  /// Sleeps until the clock has been moved to the deadline.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let sleeper = Sleeper(deadline: deadline)
    // Whoever has woken him waits for the word that he runs.
    defer { core.withLock { $0.takeMover(of: sleeper) }?.resume(returning: true) }
    try await withTaskCancellationHandler {
      try Task.checkCancellation()
      try await withCheckedThrowingContinuation { continuation in
        let (outcome, waiting) = core.withLock { $0.fallAsleep(sleeper, continuation) }
        if let outcome { continuation.resume(with: outcome) }
        for waiting in waiting { waiting() }
      }
    } onCancel: {
      core.withLock { $0.cancel(sleeper) }?.resume(throwing: CancellationError())
    }
  }

  /// Waits until at least so many tasks sleep.
  ///
  /// - Throws: `TestFailure` if they don't within the clock's patience, `CancellationError` if the task is cancelled.
  public func sleepers(_ count: Int, fileID: String = #fileID, line: Int = #line) async throws {
    let isSo = await patience.wait { ended in
      if !core.withLock({ $0.isWaiting(for: count, ended) }) { ended() }
    }
    if isSo { return }
    try Task.checkCancellation()
    let found = core.withLock { $0.sleepers.count }
    let who = found == 0 ? "nobody sleeps" : found == 1 ? "1 task sleeps" : "\(found) tasks sleep"
    throw TestFailure(
      .missingSleeper,
      "\(who) on the clock, which waited \(patience.limit) for \(count); "
        + "to move the time all the same, say 'sleepers: \(found)'", fileID: fileID, line: line)
  }

  /// Moves time on by a duration, and wakes those whose deadline is reached on the way.
  ///
  /// - Parameters:
  ///   - duration: How far.
  ///   - sleepers: How many tasks to wait for before: those that should be asleep, and may still be on their way to it.
  ///   - fileID: Where this is called.
  ///   - line: Where this is called.
  /// - Throws: `TestFailure` if they don't come, `CancellationError` if the task is cancelled while it waits for them.
  public func advance(
    by duration: Duration, sleepers: Int = 1, fileID: String = #fileID, line: Int = #line
  ) async throws {
    try await self.sleepers(sleepers, fileID: fileID, line: line)
    await move(to: now.advanced(by: duration))
  }

  /// Moves time on to the first deadline, and wakes those who have it. Waits for a sleeper, if there is none.
  ///
  /// - Returns: how far time was moved.
  /// - Throws: `TestFailure` if nobody comes, `CancellationError` if the task is cancelled while it waits.
  @discardableResult
  public func advanceToNextSleeper(fileID: String = #fileID, line: Int = #line) async throws -> Duration {
    try await sleepers(1, fileID: fileID, line: line)
    let now = now
    // Cancelled since, he leaves nothing to advance to.
    guard let deadline = deadlines.first else { return .zero }
    await move(to: deadline)
    return now.duration(to: deadline)
  }

  private func move(to target: Instant) async {
    while await wakeNext(upTo: target) {}
  }

  /// Wakes one, and returns when he has been resumed. False, once nobody is left and time has come to the target.
  func wakeNext(upTo target: Instant) async -> Bool {
    await withCheckedContinuation { waker in
      if let continuation = core.withLock({ $0.wakeNext(upTo: target, waker) }) {
        continuation.resume()
      } else {
        waker.resume(returning: false)
      }
    }
  }
}
