extension ManualClock {
  /// One call of `sleep`.
  final class Sleeper: Sendable {
    let deadline: Instant

    init(deadline: Instant) {
      self.deadline = deadline
    }
  }

  /// What the clock knows. It resumes nobody: that is for the caller, after unlocking.
  struct Core: Sendable {
    typealias Asleep = CheckedContinuation<Void, any Error>
    typealias Mover = CheckedContinuation<Bool, Never>
    typealias Wait = (count: Int, ended: @Sendable () -> Void)

    private(set) var now = Instant(offset: .zero)
    /// In the order in which they fell asleep.
    private(set) var sleepers: [Sleeper] = []
    private var asleep: [ObjectIdentifier: Asleep] = [:]
    /// Cancelled between the check and the sleep.
    private var cancelled: Set<ObjectIdentifier> = []
    /// Those who moved the time, and wait until the one whom they have woken runs.
    private var movers: [ObjectIdentifier: Mover] = [:]
    private var waits: [Wait] = []

    /// The outcome, if he doesn't fall asleep, and those who waited for sleepers and have them now.
    mutating func fallAsleep(
      _ sleeper: Sleeper, _ continuation: Asleep
    ) -> (Result<Void, any Error>?, [@Sendable () -> Void]) {
      if cancelled.remove(ObjectIdentifier(sleeper)) != nil { return (.failure(CancellationError()), []) }
      if sleeper.deadline <= now { return (.success(()), []) }
      sleepers.append(sleeper)
      asleep[ObjectIdentifier(sleeper)] = continuation
      let satisfied = waits.filter { $0.count <= sleepers.count }.map(\.ended)
      waits.removeAll { $0.count <= sleepers.count }
      return (nil, satisfied)
    }

    mutating func cancel(_ sleeper: Sleeper) -> Asleep? {
      guard let continuation = asleep.removeValue(forKey: ObjectIdentifier(sleeper)) else {
        cancelled.insert(ObjectIdentifier(sleeper))
        return nil
      }
      sleepers.removeAll { $0 === sleeper }
      return continuation
    }

    /// False if there are so many already.
    mutating func isWaiting(for count: Int, _ ended: @escaping @Sendable () -> Void) -> Bool {
      if sleepers.count >= count { return false }
      waits.append((count, ended))
      return true
    }

    /// The next to be woken, whose deadline it is now; or nil, and it is the target's time.
    mutating func wakeNext(upTo target: Instant, _ mover: Mover) -> Asleep? {
      // Of those with the same deadline `min` takes the first.
      guard let next = sleepers.min(by: { $0.deadline < $1.deadline }), next.deadline <= target else {
        now = max(now, target)
        return nil
      }
      now = max(now, next.deadline)
      sleepers.removeAll { $0 === next }
      movers[ObjectIdentifier(next)] = mover
      return asleep.removeValue(forKey: ObjectIdentifier(next))
    }

    /// Called by the sleeper as he leaves: nothing is left of him.
    mutating func takeMover(of sleeper: Sleeper) -> Mover? {
      cancelled.remove(ObjectIdentifier(sleeper))
      return movers.removeValue(forKey: ObjectIdentifier(sleeper))
    }
  }
}
