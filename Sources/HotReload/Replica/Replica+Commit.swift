import StateJSON

extension Replica {
  mutating func submit() -> [Instruction] {
    outbox.hasMore = true
    if case .state = trouble.obstacle { trouble.obstacle = nil }
    return commitIfNeeded()
  }

  mutating func commitIfNeeded() -> [Instruction] {
    let hasWork = outbox.hasMore || !isCommitted || judgement.isAwaited || doubts.record != nil
    guard case .idle = phase, trouble.obstacle == nil, presence.unsettled == nil, hasWork else { return [] }
    // Before the first look there is nothing to build on; during the grace there may be in a moment.
    guard presence.absence == .deleted || base != nil && presence.absence == nil else { return [] }
    return underLock(.locking, .lock)
  }

  mutating func underLock(_ phase: Phase, _ instruction: Instruction) -> [Instruction] {
    self.phase = phase
    return [instruction]
  }

  mutating func readUnderLock(_ snapshot: Snapshot) -> [Instruction] {
    switch snapshot {
    case .missing:
      guard presence.absence == .deleted else { return vanish() }
      guard outbox.lateSaves.isEmpty else { return underLock(.reviewing(.nothing), .recall(unless: .none)) }
      if isOnlyVisiting { return leave([]) }
      return underLock(.draining(.missing), .drain)
    case .contents(let contents):
      // Whoever has it open may have made it just now, and is about to write it.
      let countsAsMissing = presence.absence == .deleted && isEmptyAtJoining(contents) && contents.settled
      if countsAsMissing && isOnlyVisiting { return leave([]) }
      presence.absence = nil
      if seeding.overwrites || countsAsMissing {
        return resolve(.missing) + underLock(.draining(.contents(contents)), .drain)
      }
      if isEmptyAtJoining(contents), let timer = wait(for: contents, ReplicaOptions.quiet) { return leave(timer) }
      let recognised = confirmRecognised(contents)
      let isJoining = base == nil
      switch adopt(contents) {
      case .same, .adopted:
        if isJoining { seeding.isDue = false }
        return recognised + resolve(.missing) + review(contents)
      case .waits(let timer):
        return leave(timer)
      case .refused(let problem):
        if let late = lateSave(for: contents, problem) { return mend(contents, with: late, problem) }
        trouble.obstacle = .contents(problem)
        return leave(report(problem))
      }
    }
  }

  /// Puts the pending actions over the base, and the result in the place of what was read.
  mutating func write(_ actions: [Model.Action], _ shown: Model.State?) -> [Instruction] {
    guard case .draining(let found) = phase else { preconditionFailure("drained outside a commit") }
    outbox.actions += actions
    outbox.hasMore = false
    var problems: [Instruction] = []
    if base != nil { problems = mergeLateSaves() }
    // What the view shows holds only if it was built on this base.
    if staleness == nil, outbox.patch == nil, let shown {
      return problems + replace(found, with: Folded(state: shown, outcomes: []))
    }
    return problems + replace(found, with: fold())
  }

  mutating func replace(_ found: Snapshot, with result: Folded) -> [Instruction] {
    let late = base == nil ? 0 : outbox.lateSaves.count
    let decoded: Decoded<Model.State>
    if let base, result.isBase, late == 0, judgement.revision == nil {
      // Its document says what it is encoded as.
      decoded = base.decoded
    } else {
      do throws(Problem) {
        decoded = try model.encode(result.state, over: base?.decoded)
      } catch {
        return stop(.state(error), error)
      }
    }
    let bytes = decoded.document.bytes
    if case .contents(let contents) = found, let base, contents.hash == base.hash,
      bytes.hasSameBytes(as: base.decoded.document.bytes), late == 0, judgement.revision == nil
    {
      // Nothing to write, also where a migration alone would change the bytes.
      var decoded = base.decoded
      decoded.state = result.state
      return finish(
        Write(
          hash: base.hash, size: base.size, content: base.content, decoded: decoded, actions: pendingCount,
          outcomes: result.outcomes, late: 0))
    }
    let hash = ContentHash(bytes)
    if base == nil, !seeding.isDue, !seeding.overwrites, outbox.patch == nil, !result.outcomes.isEmpty,
      result.outcomes.allSatisfy(model.isRefusal)
    {
      return refuse(result, hash)
    }
    var write = Write(
      hash: hash, size: bytes.count, content: decoded.document, decoded: decoded, actions: pendingCount,
      outcomes: result.outcomes, late: late, lost: result.lost, isRestore: restores)
    let merge = mergeRecord(beneath: write)
    let record = record(write, over: merge)
    write.record = record
    phase = .writing(write)
    let records = keep(commit.findings.unrecorded + [merge, record].compactMap { $0 })
    commit.findings.unrecorded = []
    switch found {
    case .missing: return [records, .create(bytes, hash: hash)]
    case .contents(let contents): return [records, .replace(bytes, hash: hash, expecting: contents)]
    }
  }

  /// A state together with what came of each pending action on the way to it.
  struct Folded {
    var state: Model.State
    /// Of the actions that were not folded.
    var outcomes: [Model.Outcome]
    /// What others had set where folded actions won.
    var lost: [LostValue] = []
    /// Whether it is the base's state, since there was nothing to apply.
    var isBase = false
  }

  /// Whether what is pending brings an earlier state back.
  var restores: Bool {
    options.cause == .restore || outbox.patch?.restores == true || outbox.actions.contains(where: model.isRestore)
  }

  func fold() -> Folded {
    var folded = Folded(state: baseState, outcomes: [])
    folded.isBase = base != nil && outbox.patch == nil && outbox.actions.isEmpty
    applyPatch(to: &folded)
    folded.outcomes.reserveCapacity(outbox.actions.count)
    for action in outbox.actions { folded.outcomes.append(model.apply(action, to: &folded.state)) }
    return folded
  }

  /// None of the actions could be done: there still is nothing to write, nor a file to make.
  mutating func refuse(_ result: Folded, _ hash: ContentHash) -> [Instruction] {
    defer { outbox.actions.removeAll() }
    // The file, be it empty, still counts as missing.
    presence.absence = .deleted
    return leave([
      .acknowledge(
        Acknowledgement(count: outbox.actions.count, outcomes: result.outcomes, state: result.state, version: hash))
    ])
  }

  mutating func committed() -> [Instruction] {
    guard case .writing(let write) = phase else { preconditionFailure("replaced outside a commit") }
    return confirm(write.record) + finish(write)
  }

  mutating func finish(_ write: Write) -> [Instruction] {
    let notices = takeNotices()
    let acknowledgement = settle(write)
    (seeding.isDue, seeding.overwrites) = (false, false)
    presence.absence = nil
    trouble.failures = 0
    trouble.obstacle = nil
    commit.mending = nil
    var instructions = trouble.reported.keys.flatMap { resolve($0) }
    instructions.add(publishIfStale())
    instructions.append(acknowledgement)
    // Who is told of a merge finds it in the store.
    instructions.add(notices)
    if !write.lost.isEmpty { instructions.append(.notify(.overruled(write.lost, in: options.file))) }
    defer { taken.removeAll() }
    return taken.map { .forget($0) } + leave(instructions)
  }

  /// What is to be told of the saves that were merged, now that the result stands in the file.
  private mutating func takeNotices() -> [Instruction] {
    defer { judgement.revision?.notices = [] }
    return judgement.revision?.notices.map { .notify($0) } ?? []
  }

  /// Makes what was written the base.
  mutating func settle(_ write: Write) -> Instruction {
    let saved = base?.hash == write.hash ? base?.saved : nil
    if let base, base.hash != write.hash { remember(base) }
    base = Base(hash: write.hash, saved: saved, size: write.size, content: write.content, decoded: write.decoded)
    dropPending(write.actions)
    for late in outbox.lateSaves.prefix(write.late) { taken.append(late.save) }
    outbox.lateSaves.removeFirst(write.late)
    doubts.write = nil
    judgement.last = write.hash
    judgement.revision = nil
    return .acknowledge(
      Acknowledgement(
        count: write.actions, outcomes: write.outcomes, state: write.decoded.state, version: write.hash))
  }

  /// Makes a write the base that stood in the file until a later save took its place; there may be no further commit.
  mutating func settlePassing(_ write: Write) -> [Instruction] {
    let acknowledgement = settle(write)
    defer { taken.removeAll() }
    return taken.map { .forget($0) } + [acknowledgement]
  }

  /// Finds that a write of ours stands in the file although it seemed to fail: its actions must not be applied again.
  mutating func recognise(_ contents: Contents) -> [Instruction] {
    guard let write = doubts.write, contents.hash == write.hash, contents.hash != base?.hash,
      contents.stamp.map({ $0.instance == options.instance }) ?? true
    else { return [] }
    doubts.record = write.record
    return [settle(write)]
  }

  /// Does so under the lock.
  private mutating func confirmRecognised(_ contents: Contents) -> [Instruction] {
    let recognised = recognise(contents)
    defer { doubts.record = nil }
    guard var record = doubts.record else { return recognised }
    if record.hash == contents.hash { return confirm(record) + recognised }
    record.stands = true
    // Somebody has saved over it; nobody else may know it.
    if contents.stamp == nil { remember(unkept: [record]) }
    return recognised
  }

  /// A save made in the very instant of the swap: the same actions go over it, unless nobody can read it.
  mutating func displaced(_ contents: Contents, now: Contents) -> [Instruction] {
    guard case .writing(var write) = phase else { preconditionFailure("displaced outside a commit") }
    var instructions = confirm(write.record) + takeNotices()
    write.isRecorded = true
    commit.mending = nil
    var ground: Ground?
    let isFollowUp = commit.overtaking != nil
    if let overtaking = commit.overtaking {
      // The write before this one stood in the file, and the save may have been made from it.
      instructions += settlePassing(overtaking.write)
      write.actions -= overtaking.write.actions
      write.outcomes.removeFirst(min(overtaking.write.actions, write.outcomes.count))
      write.late -= overtaking.write.late
    } else if let base, judgement.revision != nil || write.late > 0 {
      let merged = base.decoded.document
      ground = .merge(hash: ContentHash(merged.bytes), merged.value)
    } else if write.hash != base?.hash {
      // There may be no version before it: a file is made of what the state is by default. Where that can't be encoded, the save
      // counts as made from nothing of it.
      ground = .predecessor(base?.content ?? (try? model.encode(baseState, over: nil).document))
    }
    // Its writer is still at it; the whole save will come as a late one.
    guard contents.settled else { return instructions + [.expectMore(contents)] + finish(write) }
    // It was swapped out whole: there is nothing to wait for.
    presence.unsettled = Unsettled(hash: contents.hash, status: contents.status, age: ReplicaOptions.patience)
    (seeding.isDue, seeding.overwrites) = (false, false)
    let late = LateSave(save: contents, base: base?.hash.description)
    switch adopt(contents, isDisplaced: true) {
    case .same, .adopted:
      taken.append(contents)
      commit.overtaking = Overtaking(write: write, save: late, ground: ground, isFollowUp: isFollowUp)
      return instructions + underLock(.reviewing(.displaced(contents, now: now)), .recall(unless: .none))
    case .refused(let problem):
      commit.overtaking = Overtaking(write: write, save: late, ground: nil, isFollowUp: isFollowUp)
      return instructions + underLock(.swappingBack(problem, contents), .swapBack(contents))
    case .waits:
      preconditionFailure("ripe contents are adopted or refused")
    }
  }

  mutating func restored(_ snapshot: Snapshot, _ setAside: [Contents]) -> [Instruction] {
    guard case .swappingBack(let problem, let invalid) = phase, let write = commit.overtaking?.write else {
      preconditionFailure("restored outside a commit")
    }
    // What a write before this one had committed is part of it, and the save that was merged since. What came after it
    // may have been made from it.
    let hasStood = commit.overtaking?.isFollowUp == true || setAside.contains { $0.identity != invalid.identity }
    commit.overtaking = nil
    let isHeld =
      if case .contents(let contents) = snapshot {
        contents.hash == invalid.hash && contents.identity == invalid.identity
      } else { false }
    var instructions = takeIn(setAside: setAside, over: write, problem, yielding: !isHeld)
    if isHeld {
      trouble.obstacle = .contents(problem)
      // One of those may mend it.
      looksAgain = looksAgain || !outbox.lateSaves.isEmpty
      instructions += hasStood ? settlePassing(write) : takeBackRecord(of: write)
      return instructions + leave(report(problem))
    }
    if case .contents(let contents) = snapshot, contents.hash == write.hash { return instructions + finish(write) }
    // The write stood in the file, and what came after it may have been made from it.
    return instructions + settlePassing(write) + readUnderLock(snapshot)
  }

  /// Ends the commit without success.
  ///
  /// What was written before a displaced save could be taken in stands in the file, and others may build on it: it
  /// counts as committed, and the save as a late one.
  mutating func stop(_ reason: Obstacle, _ problem: Problem) -> [Instruction] {
    var instructions = takeBackRecord()
    // What was merged must come to stand, also where no action waits.
    if judgement.revision != nil { judgement.isAwaited = true }
    if !commit.findings.unrecorded.isEmpty { judgement.last = nil }
    giveUpMending()
    if let overtaking = commit.overtaking {
      taken.removeAll { $0.identity == overtaking.save.save.identity }
      // The save will be merged as a late one, and that is told then.
      judgement.revision?.notices = []
      instructions += finish(overtaking.write)
      outbox.lateSaves.append(overtaking.save)
    } else {
      if case .writing(let write) = phase { doubts.write = write }
      instructions += leave([])
    }
    trouble.obstacle = reason
    instructions += report(problem)
    return instructions
  }

  mutating func vanish() -> [Instruction] {
    presence.absence = .momentary
    giveUpMending()
    var instructions: [Instruction] = []
    if let overtaking = commit.overtaking {
      // It stood in the file, and what comes back may have been made from it.
      taken.removeAll { $0.identity == overtaking.save.save.identity }
      instructions = settlePassing(overtaking.write)
      outbox.lateSaves.append(overtaking.save)
    }
    return takeBackRecord() + leave(instructions + [.setTimer(.grace, ReplicaOptions.grace)])
  }

  /// Nothing was written, since something else has come to stand at the path.
  mutating func changed() -> [Instruction] {
    giveUpMending()
    let instructions = takeBackRecord()
    commit.findings = Findings()
    return instructions + underLock(.reading, .read)
  }

  /// What was about to be written, and was not, is no version, nor are the saves merged for it.
  mutating func takeBackRecord() -> [Instruction] {
    guard case .writing(let write) = phase else { return [] }
    // What was not merged in the end is judged anew.
    if !commit.findings.passing.isEmpty { judgement.last = nil }
    // What nobody confirms needs no taking back.
    if commit.findings.passing.isEmpty || keepsMerge { return [] }
    return unrecord(commit.findings.passing + [write.hash], of: write)
  }

  /// A write that gave way to the save it displaced never was a version either, but somebody may have read it.
  private mutating func takeBackRecord(of write: Write) -> [Instruction] {
    if keepsMerge, write.record?.stands == true { return [] }
    let withdrawn = write.record.map { [Instruction.withdraw($0)] } ?? []
    return unrecord(keepsMerge ? [write.hash] : commit.findings.passing + [write.hash], of: write) + withdrawn
  }

  /// What a save at the path was merged to is a version, although it never stood: the save may be gone when this is tried
  /// again, and what is there then was made without it. A displaced one is kept beside the file until it is part of that.
  var keepsMerge: Bool {
    guard commit.overtaking == nil, judgement.revision != nil, let base else { return false }
    return commit.findings.passing.contains(base.hash)
  }

  /// Ends the work under the lock. What the others may know is told after unlocking.
  mutating func leave(_ instructions: [Instruction]) -> [Instruction] {
    phase = .idle
    commit = Commit()
    var instructions = [.unlock] + publishIfStale() + instructions
    if looksAgain {
      looksAgain = false
      instructions.append(.look)
    }
    return instructions
  }

  mutating func publishIfStale() -> [Instruction] {
    guard let cause = staleness else { return [] }
    staleness = nil
    // Where nothing is pending, as most often, nothing is folded: the whole replica would be copied for that.
    guard let base, pendingCount == 0 else {
      return [.publish(Publication(state: fold().state, cause: cause, version: nil))]
    }
    return [.publish(Publication(state: base.decoded.state, cause: cause, version: base.hash))]
  }
}
