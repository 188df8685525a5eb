import Synchronization

/// A clock that stands still until it is advanced.
final class StepClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let id: Int
    let until: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Time {
    var now = Instant(offset: .zero)
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    var count = 0
    var awaiting: [(sleepers: Int, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func takeAwaiting() -> [CheckedContinuation<Void, Never>] {
      let met = awaiting.filter { $0.sleepers <= sleepers.count }
      awaiting.removeAll { $0.sleepers <= sleepers.count }
      return met.map(\.continuation)
    }
  }

  private let time = Mutex(Time())

  var now: Instant { time.withLock { $0.now } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = time.withLock { time in
      time.count += 1
      return time.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (isOver, isCancelled, met): (Bool, Bool, [CheckedContinuation<Void, Never>]) = time.withLock { time in
          if time.cancelled.remove(id) != nil { return (true, true, []) }
          if deadline <= time.now { return (true, false, []) }
          time.sleepers.append(Sleeper(id: id, until: deadline, continuation: continuation))
          return (false, false, time.takeAwaiting())
        }
        for other in met { other.resume() }
        guard isOver else { return }
        if isCancelled { continuation.resume(throwing: CancellationError()) } else { continuation.resume() }
      }
    } onCancel: {
      let sleeper: Sleeper? = time.withLock { time in
        guard let index = time.sleepers.firstIndex(where: { $0.id == id }) else {
          time.cancelled.insert(id)
          return nil
        }
        return time.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Waits until so many are asleep.
  func sleepers(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let met = time.withLock { time in
        time.awaiting.append((count, continuation))
        return time.takeAwaiting()
      }
      for other in met { other.resume() }
    }
  }

  func advance(by duration: Duration) {
    let woken = time.withLock { time in
      time.now.offset += duration
      let now = time.now
      let woken = time.sleepers.filter { $0.until <= now }.sorted { $0.until < $1.until }
      time.sleepers.removeAll { $0.until <= now }
      return woken
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }
}
