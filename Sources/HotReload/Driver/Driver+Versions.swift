import StateJSON

/// Where recent versions can't be kept work goes on without them, and that is said.
extension Driver {
  /// The recent versions, and what is yet to be told of them.
  struct Ledger {
    /// Those of what the path means now.
    var versions: (path: String, log: VersionLog)?
    /// The one that was recorded last, if its file is to be known by its time.
    var recorded: Version?
    /// The version that has come to stand in the file, until that is noted in the log: see ``confirmLate()``.
    var unconfirmed: Brain.Record?
  }

  func version(of record: Brain.Record) -> Version {
    Version(
      hash: record.hash, time: WallClock.now(), cause: record.cause,
      instance: options.replica.author(of: record.cause))
  }

  func addition(_ record: Brain.Record) -> VersionLog.Addition {
    VersionLog.Addition(
      version: version(of: record), content: record.content, predecessor: record.predecessor, lost: record.lost,
      kept: record.kept, actions: record.actions, isSave: record.saved != nil,
      found: devices.form == .inside ? record.saved : nil, stands: record.stands)
  }

  /// Adds versions to the log; returns whether that was possible.
  func record(_ records: [Brain.Record]) -> Bool {
    let additions = records.map(addition)
    let isRecorded = remember { log throws(SystemError) in try log.append(additions) }
    ledger.recorded = nil
    if isRecorded, devices.form == .inside, let last = additions.last {
      ledger.recorded = ledger.versions?.log.newest(with: last.version.hash)
    }
    return isRecorded
  }

  /// The time of modification that a file with these bytes is to have, in nanoseconds since 1970, so that other devices are told of it
  /// by what the log says; `nil` where that doesn't matter.
  func modified(for hash: ContentHash) -> Int64? {
    guard let recorded = ledger.recorded, recorded.hash == hash else { return nil }
    return recorded.fileTime
  }

  /// Adds to the log what an instance has written and could not record, if that stands in the file.
  func completeLog() {
    guard let base = replica.base, !base.isSave else { return }
    confirmLate()
    remember { log throws(SystemError) in
      guard try log.newest() != base.hash else { return }
      let version = Version(
        hash: base.hash, time: WallClock.now(), cause: .action, instance: options.replica.instance)
      try log.append([VersionLog.Addition(version: version, content: base.content)])
    }
  }

  func recall(unless waiver: RecallWaiver) -> Brain.Recollection {
    file.settleReaders()
    noteReaders()
    var recollection = Brain.Recollection.nothing
    remember { log throws(SystemError) in
      let newest = try log.newest()
      if let newest, newest == waiver.newest {
        recollection = .isNewest
      } else if let (former, patch) = waiver.apart, newest == former.hash, try log.isApart(patch, of: former.content) {
        recollection = .isApart
      } else if var history = try log.historyUnderLock() {
        // A file that an engine brings may have been read on another device.
        history.knowsReaders = devices.form != .inside && file.notesReaders
        recollection = .history(history)
      }
    }
    return recollection
  }

  /// Notes what has come to stand, unless that is done.
  ///
  /// In a burst this is left to the write that adds the next version, or until the lock is given back: as long, what stands beside
  /// the file proves it, should this instance be killed.
  func confirmLate() {
    guard let record = ledger.unconfirmed else { return }
    ledger.unconfirmed = nil
    if !remember({ log throws(SystemError) in try log.confirm(addition(record)) }) {
      perform(replica.handle(.notRecorded([record])))
    }
  }

  /// Notes what an instance was killed before it could note: that the newest version came to stand, or that somebody can have
  /// read one that it had displaced.
  func note(_ evidence: Evidence) {
    remember { log throws(SystemError) in
      switch evidence {
      case .stood(let digits): try log.confirmNewest(ifBeginningWith: digits)
      case .gaveWay(let digits): try log.confirmNewest(ifAfter: digits)
      case .wasRead(let digits):
        guard let history = try log.historyUnderLock(), let index = history.index(ofVersion: digits) else { return }
        try log.noteReaders(of: [history.entries[index].version.hash], at: WallClock.now())
      }
    }
  }

  /// What is about to be swapped in must not survive a power cut that the knowledge of it doesn't.
  func flushVersions() {
    guard options.durability == .power, ledger.versions?.log.isUnflushed == true else { return }
    remember { log throws(SystemError) in try log.flush() }
  }

  /// Notes which versions somebody from outside can have read: each may be the base of a save, however much later. Needs the
  /// lock.
  func noteReaders() {
    let versions = file.takeReadVersions()
    guard !versions.isEmpty else { return }
    let isNoted = remember { log throws(SystemError) in try log.noteReaders(of: versions, at: WallClock.now()) }
    if !isNoted { file.keepReadVersions(versions) }
    file.discardSettled()
  }

  /// Takes the lock for that, where it couldn't be done before.
  func noteLateReaders() {
    // While somebody else has the lock, or it can't be had, they stay known, and it is tried again.
    guard file.hasReadVersions, !file.isLocked, lockWait == nil, (try? file.tryLock()) == true else { return }
    defer { file.unlock() }
    noteReaders()
  }

  /// Does something with the log; returns whether that was possible.
  @discardableResult
  func remember(_ body: (VersionLog) throws(SystemError) -> Void) -> Bool {
    let place = file.resolvedPath
    let log: VersionLog
    if let versions = ledger.versions, versions.path == place {
      log = versions.log
    } else {
      // The path has come to lead to another file, whose log needs nothing of the former one's.
      if ledger.versions != nil { replica.doubts.unkept = [] }
      log = VersionLog(of: place, in: options.stateFolder)
      ledger.versions = (place, log)
    }
    log.hold = file.isLocked ? file.lockCount : nil
    log.thinsAside = isRunning
    if noteFailure(of: .remembering, { () throws(SystemError) in try body(log) }) { return true }
    // At once: it matters also if it is over when the lock is given back.
    reportWeaknesses()
    return false
  }
}
