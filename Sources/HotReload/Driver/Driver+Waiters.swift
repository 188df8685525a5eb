extension Driver {
  /// How far actions have come.
  struct Progress {
    /// How many the replica has been given.
    var drained = 0
    /// How many of these are in the file.
    var acknowledged = 0
  }

  /// A waiter, and how many actions must be acknowledged for it.
  struct Appointment {
    let target: Int
    let waiter: ReplicatorWaiter
  }

  /// The answer to a waiter.
  struct Verdict {
    /// The reason why something is not in the file; nil if everything is.
    let problem: Problem?
  }

  func appoint(_ waiter: ReplicatorWaiter) -> Appointment {
    Appointment(target: progress.drained + view.submittedCount, waiter: waiter)
  }

  func verdict(on appointment: Appointment) -> Verdict? {
    if progress.acknowledged >= appointment.target && replica.isCommitted { return Verdict(problem: nil) }
    return MonotonicClock.now() < appointment.waiter.deadline ? nil : Verdict(problem: uncommitted())
  }

  func uncommitted() -> Problem {
    let count = replica.pendingCount + view.submittedCount
    if count == 0 && !replica.hasJoined {
      return Problem(.cannotRead, file: path, message: "'\(path)' did not come to rest in time to be read")
    }
    let shortage = lockWait == nil ? "the time was too short" : "somebody else holds the lock"
    let reason = replica.obstacle.map { "\($0)" } ?? shortage
    return Problem(
      .uncommitted, file: path,
      message: "\(count) \(count == 1 ? "action is" : "actions are") not in '\(path)': \(reason)")
  }
}
