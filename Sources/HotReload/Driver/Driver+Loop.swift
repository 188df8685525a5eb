extension Driver {
  /// Works until the front is closed.
  func run(for front: Replicator) {
    var closers: [Appointment] = []
    isRunning = true
    while true {
      let requests = front.takeRequests()
      if !requests.closers.isEmpty, file.isResting { endCommit() }
      // A save that came before an action is told before it, with a cause of its own; and one before the end is told.
      // While the lock is kept, the next commit itself finds what has been saved.
      if !file.isResting, requests.submitted || !requests.closers.isEmpty {
        noticeChanges(isCommitNext: requests.submitted)
      }
      if requests.submitted {
        perform(replica.handle(.submitted))
        if deadlines[.look] != nil, lockWait == nil { look() }
        if view.submittedCount > ReplicaOptions.pendingLimit { perform(replica.handle(.crowded)) }
      }
      if membership.isAsked {
        membership.isAsked = false
        // A process that has just shared the file asks, too.
        front.share(for: self)
        answerQuestions()
      }
      tendClaims()
      appointments += requests.waiters.map(appoint)
      closers += requests.closers.map(appoint)
      if !closers.isEmpty { compare() }
      appointments.removeAll { appointment in
        guard let verdict = verdict(on: appointment) else { return false }
        appointment.waiter.completion(verdict.problem)
        return true
      }
      if file.isResting { makeRoom(for: front.attention) }
      let version = (replica.base?.hash, replica.presence.absence == nil)
      if version != devices.told {
        devices.told = version
        front.noteChange()
      }
      // The first that is to be told anything ends the work for all.
      if closers.contains(where: { verdict(on: $0) != nil }) {
        lookAfterLeftovers()
        leave()
        front.endSharing(within: .seconds(2))
        unregister()
        endClaims()
        // Judged anew: what was done in leaving counts.
        let problem = isCommitted ? nil : uncommitted()
        for appointment in appointments + closers { appointment.waiter.completion(problem) }
        return front.finish(problem)
      }
      wait(until: closers.reduce(.max) { min($0, $1.waiter.deadline) })
    }
  }

  var isCommitted: Bool { replica.isCommitted && view.submittedCount == 0 }

  /// Works until the file has been read and everything submitted is in it, or until a problem prevents that.
  func runOnce(until deadline: UInt64) throws(Problem) {
    if view.submittedCount > 0 { perform(replica.handle(.submitted)) }
    var problem: Problem?
    while problem == nil, !(replica.hasJoined && isCommitted) {
      problem = replica.obstacle ?? (MonotonicClock.now() >= deadline ? uncommitted() : nil)
      if problem == nil { wait(until: deadline) }
    }
    leave()
    if let problem, !(replica.hasJoined && isCommitted) { throw problem }
  }

  func wait(until deadline: UInt64 = .max) {
    if file.isResting {
      if hearsAtOnce() { return }
      endCommit()
      // Whatever has come to stand there is read under the lock, then.
      if waker.isWoken { return waker.awake(isReadable: false) }
    }
    if lockWait == nil, watcher?.tidy() == true {
      if !file.standsAsSeen { look() }
      noticeChanges()
    }
    let now = MonotonicClock.now()
    var next = min(deadline, deadlines.next, lockWait?.end(of: Self.patience, from: now) ?? .max)
    for appointment in appointments { next = min(next, appointment.waiter.deadline) }
    // While the lock is waited for, each change of another instance need not be told, nor wake this one once more.
    let isDeaf = lockWait != nil && deadlines[.look] != nil
    if isDeaf { watcher?.pause() }
    let descriptors: [3 of Int32] = [
      waker.rawDescriptor, membership.registration?.rawDescriptor ?? -1, isDeaf ? -1 : watcher?.rawDescriptor ?? -1,
    ]
    let end = waker.prepareToWait() ? next : 0
    // Should polling fail, the timers still do their work, if late.
    let poll = { try? Poller.readable(among: descriptors, until: end) }
    // Who waits for the lock has it by the time he is woken, and keeps others from it.
    let ready = end == 0 || lockWait != nil ? poll() : wakeUp.politely(poll)
    waker.awake(isReadable: ready?[0] != false)
    // First, since the lock may be held already, and others wait for it.
    retryLock()
    if !isDeaf || lockWait == nil { noticeChanges(isCommitNext: lockWait != nil) }
    if let due = deadlines[.look], lockWait == nil || MonotonicClock.now() >= due { look() }
    fireTimers()
    if ready?[1] != false { membership.isAsked = true }
  }

  /// Leaves the processor to whoever waits for the commits that follow each other, where he is on the same one.
  func makeRoom(for attention: Attention) {
    if burst.crowding.isTooMuch(attention.isAsked(on: Processor.current), inHold: file.lockCount) { Processor.leave() }
  }

  /// Keeps the lock for the next commit, which itself finds what has been saved meanwhile: to be told of it, and of each commit, would
  /// only cost time.
  func rest() {
    file.rest()
    watcher?.pause()
  }

  /// Leaves the lock to others, whose commits are told from now on.
  func endCommit() {
    confirmLate()
    file.settleReaders()
    noteReaders()
    file.unlock()
    // Only now the file is put by that came out of the last swap of a burst: somebody may have it open.
    planHousekeeping(burst.lastCommit)
    watcher?.resume()
  }

  /// Whether the next request of a burst comes before others are to have the lock.
  private func hearsAtOnce() -> Bool {
    let start = MonotonicClock.now()
    let release = file.lockedSince + SharedFile.longestHold
    var now = start
    while now < start + Burst.attention {
      if now >= release { return false }
      if waker.isWoken {
        waker.awake(isReadable: false)
        return true
      }
      now = MonotonicClock.now()
    }
    let end = min(start + Burst.pause, release)
    // Should polling fail, the loop looks for requests anyway.
    let isReadable = (try? Poller.wait(for: [waker.rawDescriptor], until: waker.prepareToWait() ? end : 0)) != false
    let isAsked = waker.isWoken || isReadable
    waker.awake(isReadable: isReadable)
    if !isAsked, end < release { burst.isOn = false }
    return isAsked
  }

  /// Looks whether others have changed the file.
  ///
  /// - Parameter isCommitNext: Whether it is about to be read under the lock. What instances did is found out then, with one
  ///   reading instead of two; an editor's save is told before, and by itself.
  func noticeChanges(isCommitNext: Bool = false) {
    guard let watcher else { return }
    let now = MonotonicClock.now()
    switch watcher.drain() {
    case .clean: break
    case .now:
      writes = nil
      if watcher.isMereReplacement {
        // This instance's own commit is no news, where nobody can have written to it unheard.
        if !watcher.wasPaused, file.standsAsWritten { return }
        if isCommitNext, replica.base != nil, file.seemsChangedByInstance {
          deadlines[.look] = deadlines[.look] ?? now + Self.longestUnseen
          return
        }
      }
      file.isWayKnown = watcher.isSameWay
      defer { file.isWayKnown = false }
      return look()
    case .afterQuiet:
      writes = Writes(first: writes?.first ?? now, last: now)
    }
    if deadlines.isDue(.quiet, at: now) {
      writes = nil
      look()
    }
  }

  func fireTimers() {
    let now = MonotonicClock.now()
    for case (.replica(let timer), let instant) in deadlines.due(at: now) {
      // What an earlier one led to may have put this one off.
      guard deadlines[.replica(timer)] == instant else { continue }
      deadlines[.replica(timer)] = nil
      // Before it counts as deleted.
      if timer == .grace, file.isAside { lookAfterLeftovers() }
      perform(replica.handle(.timer(timer)))
    }
    if deadlines.isDue(.housekeeping, at: now) { keepHouse() }
    if deadlines.isDue(.separation, at: now) { separate() }
    guard deadlines.isDue(.tick, at: now) else { return }
    let isBlind = watcher.map { $0.blindness != nil } ?? false
    if isBlind {
      watcher?.arm()
      reportWeaknesses()
    }
    deadlines[.tick] = now + (isBlind ? Self.blindTick : Self.tick)
    pulse.ticks += 1
    // Whoever is asked looks whether the file is shared.
    if membership.stays, mayBeShared { membership.isAsked = true }
    retryClaims()
    if let comparison = pulse.comparison, pulse.ticks >= comparison { compare() }
    if pulse.ticks.isMultiple(of: Self.ticksPerRead) { lookAfterLeftovers() }
    if isBlind || pulse.ticks.isMultiple(of: Self.ticksPerRead) || file.hasMovedOn { look() }
  }

  /// Lets the program have a large state for itself that the driver has as well, so that whoever dispatches next copies none of it.
  /// Not while a commit is under way, which may be about to take its place.
  func separate() {
    deadlines[.separation] = nil
    guard case .idle = replica.phase else { return noteSharing() }
    replica.separate(above: options.sharedSize)
  }

  /// Notes that the program has got the driver's state, or the driver the program's.
  func noteSharing() {
    let mayBeLarge = replica.base.map { $0.size > options.sharedSize } ?? true
    guard mayBeLarge, replica.model.sharesStates, deadlines[.separation] == nil else { return }
    deadlines[.separation] = MonotonicClock.now() + Self.sharing
  }

  /// Looks whether the actions that were reduced here have led to what they led to in the program, and has that written if
  /// they have not: then a reducer isn't pure.
  func compare() {
    guard pulse.comparison != nil, case .idle = replica.phase, isCommitted, replica.isCurrent, let base = replica.base
    else {
      return
    }
    pulse.comparison = nil
    if !view.showsAny(base.decoded) { perform(replica.handle(.submitted)) }
  }

  func look() {
    deadlines[.look] = nil
    perform([.look])
    register()
  }
}
