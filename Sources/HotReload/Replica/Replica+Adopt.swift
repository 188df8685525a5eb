import StateJSON
import StoreCore

extension Replica {
  enum Verdict {
    case same
    case adopted
    /// Not to be believed yet; looked at again after the quiet.
    case waits([Instruction])
    case refused(Problem)

    var isAdopted: Bool {
      if case .adopted = self { true } else { false }
    }
  }

  /// Reads contents as the new base, which may have come out of a swap: then nobody looked whether their time stays.
  mutating func adopt(_ contents: Contents, isDisplaced: Bool = false) -> Verdict {
    // The bytes of a save that this instance was about to merge may meanwhile be what another wrote.
    if contents.hash == base?.hash, judgement.revision == nil || contents.stamp == nil {
      presence.unsettled = nil
      return .same
    }
    // Believed only after the quiet: what somebody is still writing, and what is incomplete, as in-place savers leave
    // it for moments.
    if !contents.settled, let timer = wait(for: contents, ReplicaOptions.quiet) { return .waits(timer) }
    let document: JSONDocument
    let successor: JSONSuccessor?
    let decoded: Decoded<Model.State>
    do {
      successor = try base.map { base throws(Problem) in try options.parse(contents.bytes, after: base.content) }
      document = if let successor { successor.document } else { try options.parse(contents.bytes) }
    } catch {
      let age = contents.settled ? ReplicaOptions.quiet : ReplicaOptions.patience
      if let timer = wait(for: contents, age) { return .waits(timer) }
      presence.unsettled = nil
      return .refused(error)
    }
    do {
      decoded = try model.decode(document, onto: baseState)
    } catch {
      presence.unsettled = nil
      return .refused(error)
    }
    presence.unsettled = nil
    // What was shown may be what it was about to be merged to.
    if judgement.revision != nil || options.publishesFormatting || successor?.hasSameValue != true {
      staleness = base == nil ? .start : contents.stamp?.cause ?? .edit
    }
    if contents.stamp != nil { forgetUnkept(unless: contents.hash) }
    if let base = base.take() { remember(base) }
    presence.wasSeen = true
    judgement.revision = nil
    // Should the same bytes come back, somebody has brought them back.
    judgement.last = nil
    base = Base(
      hash: contents.hash,
      saved: contents.stamp == nil ? FoundTime(modified: contents.status.modified, isSure: !isDisplaced) : nil,
      size: contents.bytes.count, content: document, decoded: decoded)
    return .adopted
  }

  /// Puts off a belief until contents have stayed the same for so long; `nil` if they have.
  mutating func wait(for contents: Contents, _ age: Duration) -> [Instruction]? {
    var old = Duration.zero
    if let unsettled = presence.unsettled, unsettled.hash == contents.hash,
      unsettled.status.hasSameContent(as: contents.status)
    {
      if unsettled.age >= age { return nil }
      if unsettled.awaitedAge != nil { return [] }
      old = unsettled.age
    }
    presence.unsettled = Unsettled(hash: contents.hash, status: contents.status, age: old, awaitedAge: age)
    return [.setTimer(.settle, age - old)]
  }

  /// A look without the lock.
  mutating func see(_ snapshot: Snapshot) -> [Instruction] {
    switch phase {
    case .idle, .locking: break
    default:
      looksAgain = true
      return []
    }
    switch snapshot {
    case .missing: return seeNothing()
    case .contents(let contents):
      presence.absence = nil
      presence.wasSeen = true
      var instructions = resolve(.missing)
      instructions.add(resolve(.cannotRead))
      if seeding.overwrites { return instructions + seed() }
      if isEmptyAtJoining(contents) {
        // An editor may have truncated it to write it anew.
        if let timer = wait(for: contents, ReplicaOptions.quiet) { return instructions + timer }
        return instructions + seed()
      }
      instructions.add(recognise(contents))
      let isJoining = base == nil
      let verdict = adopt(contents)
      switch verdict {
      case .same, .adopted:
        // Reading works again; whether writing does is not known while a refusal of it lasts.
        if trouble.reported[.cannotWrite] == nil && trouble.reported[.cannotLock] == nil { trouble.failures = 0 }
        instructions.add(release(isChanged: verdict.isAdopted))
        // Whoever was about to merge it may have been killed before this instance joined.
        // A save that came back before what it was merged to could be written is merged now.
        if !verdict.isAdopted, judgement.revision != nil { judgement.isAwaited = true }
        if verdict.isAdopted { judgement.isAwaited = contents.stamp == nil && (!isJoining || options.judgesAtJoining) }
        let commit = commitIfNeeded()
        // What a save means is found out first; it is shown before that at joining, or if that takes long.
        let isShownLater = judgement.isAwaited && !isJoining && !commit.isEmpty
        if !isShownLater { instructions.add(publishIfStale()) }
        instructions.add(commit)
        return instructions
      case .waits(let timer):
        return instructions + timer
      case .refused(let problem):
        trouble.obstacle = .contents(problem)
        instructions += report(problem)
        guard lateSave(for: contents, problem) != nil else { return instructions }
        // They have stayed the same for long enough.
        presence.unsettled = Unsettled(hash: contents.hash, status: contents.status, age: ReplicaOptions.patience)
        return instructions + underLock(.locking, .lock)
      }
    }
  }

  mutating func seeNothing() -> [Instruction] {
    presence.unsettled = nil
    switch presence.absence {
    case nil where presence.wasSeen || base != nil:
      presence.absence = .momentary
      return [.setTimer(.grace, ReplicaOptions.grace)]
    case nil:
      if options.join.takesInitialState { return seed() }
      return report(missing("there is no file '\(options.file)'"))
    case .momentary:
      return []
    case .overdue where base == nil && options.join.takesInitialState:
      return seed()
    case .overdue:
      presence.absence = .deleted
      let problem = missing("'\(options.file)' was deleted; the next action makes it again")
      return release(isChanged: true) + report(problem) + commitIfNeeded()
    case .deleted:
      return commitIfNeeded()
    }
  }

  func missing(_ message: String) -> Problem { Problem(.missing, file: options.file, message: message) }

  /// There is nothing to adopt: the initial state stands, and is written at once or with the first action.
  mutating func seed() -> [Instruction] {
    seeding.isDue = options.join.seedsAtOnce
    presence.absence = .deleted
    presence.unsettled = nil
    if !seeding.isDone { staleness = .start }
    seeding.isDone = true
    return release(isChanged: true) + publishIfStale() + commitIfNeeded()
  }

  /// Whether the file is one that counts as missing.
  func isEmptyAtJoining(_ contents: Contents) -> Bool {
    contents.bytes.isEmpty && base == nil && options.join.takesInitialState
  }
}
