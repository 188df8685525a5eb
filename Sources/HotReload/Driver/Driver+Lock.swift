extension Driver {
  /// A wait for the lock. Others mostly hold it for some ten microseconds, so it is asked for a few times; who holds it
  /// longer is waited for in the kernel's queue.
  struct LockWait {
    let since: UInt64
    var pause: UInt64 = 10_000
    var isQueued = false
    var isReported = false

    static var longestPause: UInt64 { 100_000 }
    /// After so long a wait the kernel's queue is joined.
    static var longestAsking: UInt64 { 100_000 }
    static var longestPauseUnqueued: UInt64 { 20_000_000 }

    /// When the lock is asked for again, or, in the queue, a wait beyond patience is to be reported.
    func end(of patience: UInt64, from now: UInt64) -> UInt64 {
      if !isQueued { return now + pause }
      return isReported ? .max : since + patience + 1
    }
  }

  func retryLock() {
    guard let wait = lockWait else { return }
    if wait.isQueued {
      guard let outcome = lockWaiter?.takeOutcome() else { return reportLongWait() }
      lockWait?.isQueued = false
      // The path may lead elsewhere by now; then that folder's lock is none of ours.
      if outcome.folder !== file.lockedFolder { outcome.folder.descriptor.unlock() }
      if let error = outcome.error { return failLock(error) }
    }
    do throws(SystemError) {
      if try file.tryLock() {
        lockWait = nil
        return perform(replica.handle(.locked))
      }
    } catch {
      return failLock(error)
    }
    queueForLock()
    reportLongWait()
  }

  func queueForLock() {
    guard var wait = lockWait else { return }
    defer { lockWait = wait }
    wait.pause *= 2
    if MonotonicClock.now() < wait.since + LockWait.longestAsking {
      wait.pause = min(wait.pause, LockWait.longestPause)
      return
    }
    // A lock file has no queue, and who can't start a thread goes on asking.
    guard let folder = file.lockedFolder, let waiter = try? lockWaiter ?? LockWaiter(client: waker) else {
      wait.pause = min(wait.pause, LockWait.longestPauseUnqueued)
      return
    }
    lockWaiter = waiter
    wait.isQueued = true
    burst.isContended = true
    waiter.wait(for: folder)
  }

  func failLock(_ error: SystemError) {
    lockWait = nil
    perform(replica.handle(.failed(Problem(.cannotLock, file: path, error))))
  }

  func reportLongWait() {
    guard let wait = lockWait, !wait.isReported, MonotonicClock.now() - wait.since > Self.patience else { return }
    lockWait?.isReported = true
    let message = "somebody else has held the lock of '\(path)' for two seconds; still waiting"
    perform(replica.handle(.delayed(Problem(.cannotLock, file: path, message: message))))
  }
}
