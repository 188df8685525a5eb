extension Driver {
  /// An editor may be about to put back the file that it has just moved away, and so may an instance; one that was
  /// killed leaves that to us. Who would make a missing file waits only where the folder has just been changed.
  func firstLook(until deadline: UInt64) throws(Problem) -> Snapshot {
    var patienceEnd = MonotonicClock.now() + Self.firstPatience
    while true {
      let snapshot: Snapshot
      let isAside: Bool
      do throws(SystemError) {
        snapshot = try read()
        guard case .missing = snapshot else { return snapshot }
        // Where it is aside, and nobody can bring it back, it counts as missing.
        isAside = file.isAside && !recoverMissing()
        if !isAside, options.replica.join != .require {
          guard MonotonicClock.now() < patienceEnd, try file.folderAge() < Self.firstPatience else { return snapshot }
        }
      } catch {
        throw Problem(.cannotRead, file: path, error)
      }
      // Who has the lock is about to bring it back, or has just done so.
      if isAside { patienceEnd = min(deadline, MonotonicClock.now() + Self.firstPatience) }
      if MonotonicClock.now() >= patienceEnd {
        let message =
          isAside ? "somebody else has the lock of '\(path)', and has moved it aside" : "there is no file '\(path)'"
        throw Problem(isAside ? .cannotLock : .missing, file: path, message: message)
      }
      MonotonicClock.sleep(nanoseconds: 5_000_000)
    }
  }

  /// Brings back what was moved aside.
  ///
  /// - Returns: Whether what is missing now is so for good.
  private func recoverMissing() -> Bool {
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
