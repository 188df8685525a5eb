extension Driver {
  /// An editor may be about to put back the file that it has just moved away, and so may an instance; one that was
  /// killed leaves that to us. Who would make a missing file waits only where the folder has just been changed.
  func firstLook(until deadline: UInt64) throws(Problem) -> Snapshot {
    var patienceEnd = MonotonicClock.now() + Self.firstPatience
    while true {
      let isAside: Bool
      do throws(SystemError) {
        let snapshot = try read()
        guard case .missing = snapshot else { return snapshot }
        isAside = file.isAside
        if !isAside, options.replica.join != .require {
          guard MonotonicClock.now() < patienceEnd, try file.folderAge() < Self.firstPatience else { return snapshot }
        }
      } catch {
        throw Problem(.cannotRead, file: path, error)
      }
      // It may stand there between two looks, however often that is missed.
      let isDoubtful = (isAside || MonotonicClock.now() >= patienceEnd) && !isMissingUnderLock()
      if isDoubtful { patienceEnd = min(deadline, MonotonicClock.now() + Self.firstPatience) }
      if MonotonicClock.now() >= patienceEnd {
        if isDoubtful, isAside {
          let message = "somebody else has the lock of '\(path)', and has moved it aside"
          throw Problem(.cannotLock, file: path, message: message)
        }
        throw Problem(.missing, file: path, message: "there is no file '\(path)'")
      }
      MonotonicClock.sleep(nanoseconds: 5_000_000)
    }
  }

  /// Reads under the lock. Who would make a missing file that he has never seen waits here as well: an editor may have made
  /// it since the first look, and be about to make it anew.
  func readPatiently() throws(SystemError) -> Snapshot {
    let patienceEnd = MonotonicClock.now() + Self.firstPatience
    var snapshot = try readUnderLock()
    while case .missing = snapshot, replica.base == nil, MonotonicClock.now() < patienceEnd,
      try file.folderAge() < Self.firstPatience
    {
      file.onStep(.whileAwaited)
      MonotonicClock.sleep(nanoseconds: 5_000_000)
      snapshot = try read()
    }
    return snapshot
  }

  /// Brings the file back, if it was moved aside, and tells whether it is missing then; not while somebody else has the
  /// lock.
  private func isMissingUnderLock() -> Bool {
    do throws(SystemError) {
      guard try file.tryLock() else { return false }
      defer { file.unlock() }
      if case .missing = try readUnderLock() { return true }
      return false
    } catch {
      // Who can't recover the file goes on to say that it is missing.
      return true
    }
  }
}
