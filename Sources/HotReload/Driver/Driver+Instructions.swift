import StateJSON

extension Driver {
  func perform(_ instructions: [Brain.Instruction]) {
    var (instructions, next) = (instructions, 0)
    while next < instructions.count {
      // Moved, since a copy would retain all that it refers to.
      var instruction = Brain.Instruction.look
      swap(&instruction, &instructions[next])
      next += 1
      guard let event = execute(instruction) else { continue }
      let more = replica.handle(event)
      if next == instructions.count { (instructions, next) = (more, 0) } else { instructions += more }
    }
  }

  func execute(_ instruction: Brain.Instruction) -> Brain.Event? {
    switch instruction {
    case .look:
      return attempt(.cannotRead) { file throws(SystemError) in .seen(try self.read()) }
    case .lock:
      let now = MonotonicClock.now()
      burst.beginCommit(at: now)
      if !file.isResting { burst.isContended = false }
      let event = attempt(.cannotLock) { file throws(SystemError) in try file.tryLock() ? .locked : nil }
      lockWait = event == nil ? LockWait(since: now) : nil
      return event
    case .read:
      deadlines[.look] = nil
      return attempt(.cannotRead) { file throws(SystemError) in .read(try self.readPatiently()) }
    case .recall(let waiver):
      confirmLate()
      return .recalled(recall(unless: waiver))
    case .record(let records):
      // Who adds what goes on from it notes that it stands.
      let unconfirmed = ledger.unconfirmed?.hash
      let confirmsLast = unconfirmed != nil && records.first?.predecessor?.hash == unconfirmed
      if !confirmsLast { confirmLate() }
      guard record(records) else { return .notRecorded(records) }
      ledger.unconfirmed = nil
    case .confirm(let record):
      ledger.unconfirmed = record
      let isProved = file.provesReplacement && ledger.versions?.log.announces(record.hash) == true
      if !burst.isOn || !isProved { confirmLate() }
    case .unrecord(let hashes):
      confirmLate()
      remember { log throws(SystemError) in
        try log.abort(
          hashes.map { Version(hash: $0, time: WallClock.now(), cause: .action, instance: options.replica.instance) })
      }
    case .withdraw(let record):
      guard let predecessor = record.predecessor else { break }
      remember { log throws(SystemError) in
        try log.withdraw(version(of: record), content: record.content, over: predecessor)
      }
    case .drain:
      if options.completesLog { completeLog() }
      let (actions, state) = view.drainAny(
        over: replica.base.map { FoundDocument(hash: $0.hash, size: $0.size, content: $0.content) })
      progress.drained += actions.count
      if !actions.isEmpty { pulse.comparison = state == nil ? pulse.ticks + Self.ticksBeforeComparison : nil }
      if state != nil { noteSharing() }
      // Before others can see what led to them.
      if case .draining = replica.phase { takeClaims(isInCommit: true) }
      return .drained(actions, state)
    case .replace(let bytes, let hash, let expected):
      confirmLate()
      flushVersions()
      return attempt(.cannotWrite) { file throws(SystemError) in
        switch try file.replace(
          with: bytes, expecting: expected, stamp: self.stamp(hash, over: expected.hash),
          modified: self.modified(for: hash))
        {
        case .replaced:
          if file.hadOtherNames(expected), file.degradation == nil { self.weaknesses.hasPartedNames = true }
          self.noteReaders()
          return .replaced
        case .displaced(let contents, let now):
          self.noteReaders()
          return .displaced(contents, now: now)
        case .changed: return .changed
        case .missing: return .vanished
        }
      }
    case .create(let bytes, let hash):
      flushVersions()
      return attempt(.cannotWrite) { file throws(SystemError) in
        try file.create(with: bytes, stamp: self.stamp(hash, over: nil), modified: self.modified(for: hash)) == nil
          ? .changed : .replaced
      }
    case .swapBack(let contents):
      return attempt(.cannotWrite) { file throws(SystemError) in
        let restoration = try file.swapBack(contents)
        return .restored(restoration.now, setAside: restoration.setAside)
      }
    case .expectMore(let contents):
      file.expectMore(of: contents)
    case .forget(let contents):
      // What can't be removed now is, at worst, merged once more by the next instance, to no effect.
      try? file.ingested(contents)
    case .unlock:
      burst.lastCommit = MonotonicClock.now()
      if isRunning, burst.keepsLock(since: file.lockedSince) { rest() } else { endCommit() }
      reportWeaknesses()
      if needsHousekeeping { planHousekeeping(burst.lastCommit) } else { deadlines[.housekeeping] = file.syncDue }
    case .publish(let publication):
      view.publishAny(publication)
      noteSharing()
    case .acknowledge(let acknowledgement):
      progress.acknowledged += acknowledgement.count
      view.acknowledgeAny(acknowledgement)
    case .report(let event):
      view.report(event)
    case .notify(let notice):
      // Where others' files come to stand in this one, whether somebody has saved is found out by their journals.
      if devices.form != .inside || !notice.isOfSave { view.notify(notice) }
    case .rescue(let contents, let problem):
      rescue(contents, problem)
    case .setTimer(let timer, let delay):
      deadlines[.replica(timer)] = MonotonicClock.now() + delay.nanoseconds
    }
    return nil
  }

  /// Reads the file; while somebody is writing it, again and again for a moment, since most saves take no longer.
  func read() throws(SystemError) -> Snapshot {
    // Under the lock it goes on being paused until that is given back.
    if !file.isLocked {
      // Should the path lead elsewhere the lock is lost.
      confirmLate()
      watcher?.resume(beforeReading: true)
    }
    let deadline = MonotonicClock.now() + Self.moment
    while true {
      let snapshot = try file.read()
      guard case .contents(let contents) = snapshot, !contents.settled, MonotonicClock.now() < deadline else {
        return snapshot
      }
      MonotonicClock.sleep(nanoseconds: 500_000)
    }
  }

  /// Reads the file, after looking after what a killed instance may have left beside it.
  func readUnderLock() throws(SystemError) -> Snapshot {
    let snapshot = try read()
    // A missing file may have been moved aside by an instance that was killed before it put another in its place.
    if hasRecovered, case .contents(let contents) = snapshot, !file.mayHaveOrphan(of: contents) { return snapshot }
    hasRecovered = true
    // Taken in before the answer to the read, which leads to the write that merges it.
    try file.recover(noting: note).forEach(takeIn)
    // Also where nothing is written now: what somebody else still writes to may be a save in a moment.
    planHousekeeping(MonotonicClock.now())
    return try read()
  }

  /// Lets the replica merge a save that was found in a displaced file.
  func takeIn(_ save: Contents) {
    let origin = file.origin(of: save)
    perform(replica.handle(.late(.init(save: save, base: origin?.base, successor: origin?.successor))))
  }

  func stamp(_ hash: ContentHash, over predecessor: ContentHash?) -> Stamp {
    Stamp(
      content: hash, predecessor: predecessor, instance: replica.author,
      isRestore: replica.isRestoring)
  }

  func attempt(
    _ code: Problem.Code, _ body: (SharedFile) throws(SystemError) -> Brain.Event?
  ) -> Brain.Event? {
    do throws(SystemError) {
      return try body(file)
    } catch {
      return .failed(Problem(code, file: path, error))
    }
  }

  /// Keeps what can't stand in the file, and says where.
  func rescue(_ contents: Contents, _ problem: Problem) {
    do throws(SystemError) {
      let place = try file.rescue(contents)
      // Kept twice, at worst: the next instance finds the file that can't be removed now.
      try? file.ingested(contents)
      report(.rescued, "a save that could not be merged (\(problem)) is kept in '\(place)'")
    } catch {
      let names = file.leftBehind.joined(separator: "', '")
      report(
        .rescued, "a save that could not be merged (\(problem)) stays beside '\(path)' as one of '\(names)': \(error)")
    }
  }

  func report(_ code: Problem.Code, _ message: String) {
    view.report(.occurred(Problem(code, file: path, message: message)))
  }
}
