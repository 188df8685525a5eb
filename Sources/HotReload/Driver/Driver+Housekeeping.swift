extension Driver {
  /// Looks into what was displaced, for saves that came late and for readers, and flushes what is due.
  func keepHouse(includingSpare: Bool = false) {
    let now = MonotonicClock.now()
    noteFailure(of: .housekeeping) { () throws(SystemError) in
      try file.retireDisplaced(includingSpare: includingSpare).forEach(takeIn)
    }
    deadlines[.housekeeping] = nil
    noteFailure(of: .flushing) { () throws(SystemError) in deadlines[.housekeeping] = try file.syncIfDue(now) }
    noteLateReaders()
    reportWeaknesses()
    planHousekeeping(now)
  }

  /// Looks after what was displaced in a while, if anything was. Never put off: while commits follow each other closely, what is
  /// late must arrive as well.
  func planHousekeeping(_ now: UInt64) {
    if needsHousekeeping { deadlines.bringForward(.housekeeping, to: now + Self.housekeeping) }
  }

  /// Whether somebody may still write to what was displaced, or a reader of it is yet to be noted.
  var needsHousekeeping: Bool { file.hasDisplaced || file.hasReadVersions }

  /// Does something, and notes why it can't be done, or that it can; returns whether it was done.
  @discardableResult
  func noteFailure(of task: Weaknesses.Task, _ body: () throws(SystemError) -> Void) -> Bool {
    do throws(SystemError) {
      try body()
      weaknesses.failures[task] = nil
      return true
    } catch {
      weaknesses.failures[task] = error
      return false
    }
  }

  /// Tells what this place does not allow, when that has changed.
  func reportWeaknesses() {
    var found: [Problem.Code: String] = [:]
    if let blindness = watcher?.blindness {
      found[.cannotWatch] = "changes of '\(path)' are noticed late: \(blindness)"
    }
    if let degradation = file.degradation {
      found[.degraded] = "'\(path)' is \(degradation); an editor that saves in the same instant can lose"
    } else if let failure = file.flushFailure ?? weaknesses.failures[.flushing] {
      found[.degraded] = "what was written to '\(path)' may not survive a power cut: \(failure)"
    } else if let failure = weaknesses.failures[.housekeeping] ?? file.unrecovered.first?.error {
      found[.degraded] = "what an earlier save or instance left beside '\(path)' can't be looked after: \(failure)"
    } else if weaknesses.hasPartedNames {
      found[.degraded] = "'\(path)' had another name, a hard link, which keeps what it had before"
    } else if !file.capabilities.exchange {
      found[.degraded] = "files can't swap names here, so '\(path)' is missing for an instant at each change"
    } else if !file.capabilities.attributes {
      found[.degraded] = "no extended attributes beside '\(path)', so the work of other instances looks like an edit"
    }
    if let place = unlockedPlace() {
      found[.localLocks] =
        "locks may not reach other machines that have the folder of '\(path)' mounted (\(place)), so what two of them do at once "
        + "can be lost: keep a file outside of it on each, and share that with 'replicate share FILE FOLDER'"
    }
    if let failure = weaknesses.failures[.remembering] {
      found[.cannotRemember] =
        "recent versions of '\(path)' can't be kept, so a save from a stale buffer counts as a whole: \(failure)"
    }
    if let failure = weaknesses.failures[.registering] {
      found[.unregistered] =
        "'replicate verify' doesn't know that this process mirrors '\(path)': \(failure)"
    }
    if let failure = weaknesses.failures[.claiming] {
      found[.cannotClaim] =
        "instances of '\(path)' can't settle which of them performs an effect, so none takes over: \(failure)"
    }
    let reported = weaknesses.reported
    guard found != reported else { return }
    for (code, message) in found where reported[code] != message { report(code, message) }
    for code in reported.keys where found[code] == nil { view.report(.resolved(code)) }
    weaknesses.reported = found
  }

  /// The kind of file system that the file is on, if locks may not reach other machines that have it mounted.
  private func unlockedPlace() -> FileSystemKind? {
    if weaknesses.place?.folder != file.folder.identity {
      // Where that can't be told, nothing is known of other machines either.
      weaknesses.place = (file.folder.identity, try? FileSystemKind(at: file.folder.path))
    }
    guard let kind = weaknesses.place?.kind, kind.locksMayStayHere else { return nil }
    return kind
  }

  /// Looks after what killed instances left, also where there is nothing to write.
  func lookAfterLeftovers() {
    guard file.needsRecovery else { return }
    hasRecovered = false
    perform(replica.handle(.leftovers))
  }

  /// Leaves nothing beside the file, unless somebody is still writing into what was displaced.
  func leave() {
    let deadline = MonotonicClock.now() + Self.farewell
    repeat {
      keepHouse(includingSpare: true)
      guard needsHousekeeping || lockWait != nil else { break }
      wait(until: min(deadline, MonotonicClock.now() + 5_000_000))
    } while MonotonicClock.now() < deadline
    defer { lockWaiter?.end() }
    // While the lock is queued for, it can't be asked for; what stands beside the file is the next instance's then.
    guard hasRecovered, lockWait == nil else { return }
    do throws(SystemError) {
      while try !file.tryLock() {
        if MonotonicClock.now() >= deadline { return }
        MonotonicClock.sleep(nanoseconds: 200_000)
      }
      defer { file.unlock() }
      try file.close()
    } catch {
      report(.degraded, "what was written to '\(path)' may not survive a power cut: \(error)")
    }
    let saves = Set(file.leftSaves)
    for name in saves.sorted() {
      report(.rescued, "a save of '\(path)' that is in no version of it is kept as '\(name)' for the next instance")
    }
    for name in file.leftBehind where !saves.contains(name) {
      report(.rescued, "somebody still writes to an older '\(path)': it is kept as '\(name)' for the next instance")
    }
  }
}
