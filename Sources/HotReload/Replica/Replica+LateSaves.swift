import StateJSON

/// Saves that were made into a file already displaced are merged with what has been committed since.
extension Replica {
  /// Reading under the lock looks after what killed instances left, whatever else is held up.
  mutating func lookAfterLeftovers() -> [Instruction] {
    guard case .idle = phase, hasJoined || trouble.obstacle != nil else { return [] }
    return underLock(.locking, .lock)
  }

  /// Whether there is nothing to be written: then a file that is missing stays so.
  var isOnlyVisiting: Bool { !outbox.hasMore && isCommitted && !seeding.overwrites }

  mutating func late(_ save: LateSave) -> [Instruction] {
    // What its writer has not finished comes again, and may be long awaited then.
    if !save.save.settled, (try? options.parse(save.save.bytes)) == nil { return [.expectMore(save.save)] }
    outbox.lateSaves.append(save)
    // It may be what an invalid file waits for.
    if case .idle = phase, case .contents = trouble.obstacle, mayMend(save) { return [.look] }
    return commitIfNeeded()
  }

  /// Merges each late save with what has been committed since its file was displaced.
  mutating func mergeLateSaves() -> [Instruction] {
    var instructions: [Instruction] = []
    var merged: [LateSave] = []
    // What has stood in the file is part of what came after it, as far as the versions told.
    let stood = commit.overtaking?.write.late ?? 0
    for (index, late) in outbox.lateSaves.enumerated() {
      if index < stood, commit.findings.history != nil {
        merged.append(late)
        continue
      }
      do throws(Problem) {
        try merge(late)
        merged.append(late)
      } catch  where index < stood {
        merged.append(late)
      } catch {
        // What its writer has not finished comes again.
        instructions.append(late.save.settled ? .rescue(late.save, error) : .expectMore(late.save))
      }
    }
    outbox.lateSaves = merged
    return instructions
  }

  private mutating func merge(_ late: LateSave) throws(Problem) {
    guard let old = base else { preconditionFailure("late saves are merged into something") }
    let save = try options.parse(late.save.bytes, after: old.content).document
    let (ancestor, age) = try ancestor(of: late, holding: save.value, onto: old)
    let current = old.decoded.document.value
    let yields = late.yields || isUncertain(late, onto: old)
    let merge = JSONMerge(base: ancestor, left: current, right: save.value, newer: yields ? .left : .right)
    if yields, !merge.conflicts.isEmpty {
      throw Problem(.rescued, file: options.file, message: "others have set the same places since")
    }
    let value = options.externalEdits == .merge || yields ? merge.value : save.value
    let decoded = try model.decode(old.decoded.document.replacingValue(with: value), onto: old.decoded.state)
    // Its writer may go on from it.
    if let own = try? model.decode(save, onto: old.decoded.state) {
      remember(
        Base(
          hash: late.save.hash, saved: FoundTime(modified: late.save.status.modified, isSure: false),
          size: late.save.bytes.count, content: save,
          decoded: own))
    }
    base = old.meaning(decoded)
    staleness = .edit
    guard save.value != current else { return }
    note(merge, of: late, holding: save.value, age: age, value: value)
    commit.findings.passing.append(late.save.hash)
    commit.findings.unrecorded.append(
      Record(
        hash: late.save.hash, content: save, cause: .merged, predecessor: (old.hash, .text(old.content)), lost: [],
        saved: FoundTime(modified: late.save.status.modified, isSure: false)))
  }

  /// Remembers what lost to a late save, and what was kept from it.
  private mutating func note(
    _ merge: JSONMerge, of late: LateSave, holding save: JSONValue, age: Int, value: JSONValue
  ) {
    var revision = judgement.revision ?? Revision(lost: [], kept: nil, notices: [])
    revision.lost += LostValue.lost(in: merge).filter { !revision.lost.contains($0) }
    let changes = JSONPatch(from: save, to: value, literals: false)
    if !changes.isEmpty {
      let kept = KeptChanges(changes, in: commit.findings.history?.entries.prefix(age) ?? [])
      let notice = Notice.kept(kept, saved: late.save.hash, in: options.file)
      revision.notices.removeAll { $0.version == notice.version }
      revision.notices.append(notice)
      revision.kept = revision.kept?.adding(kept) ?? kept
    }
    judgement.revision = revision
  }

  /// Whether others may have taken it in already: a killed instance left it, and somebody has gone on since. Where
  /// both have set a place, to take it in once more would undo what came after it.
  private func isUncertain(_ late: LateSave, onto current: Base) -> Bool {
    guard let successor = late.successor, !current.hash.description.hasPrefix(successor) else { return false }
    // Whoever takes a save in records it first.
    return commit.findings.history?.isOlder(than: late.save) != true
  }

  /// The version that a late save was made from, found as for any save: one that was merged already has nothing new.
  /// Without a history it is what the save was made over, otherwise the current one.
  ///
  /// - Returns: Its value, and how many of the recent versions are newer.
  /// - Throws: Where nothing is known of a save that others may have taken in already.
  private func ancestor(
    of late: LateSave, holding save: JSONValue, onto current: Base
  ) throws(Problem) -> (value: JSONValue, age: Int) {
    let isUncertain = isUncertain(late, onto: current)
    let displaced = late.base.flatMap { value(ofVersion: $0) }
    var age = late.base.flatMap { commit.findings.history?.index(ofVersion: $0) } ?? 0
    var found: JSONValue?
    if var history = commit.findings.history?.whenMade(late.save) {
      // Whoever saved it had it open before it was displaced, and knew nothing of what came after.
      let unknown = isUncertain ? age : 0
      history = history.upTo(unknown)
      let evidence = history.evidence(of: late.save, isLate: true)
      let meaning = meaning(of: save, in: history, knowing: evidence, isUncertain: isUncertain)
      switch meaning {
      case .formatting: found = history.value
      case .edit, .editOfWithdrawn: found = history.base(of: meaning)
      // What is meant as a whole takes the place of what it was made over, or of what there is.
      case .restore(let index): found = isUncertain ? history.value(at: index) : nil
      case .replacement: found = nil
      }
      if found != nil { age = unknown + meaning.age }
    }
    if isUncertain, displaced == nil, found != save {
      throw Problem(
        .rescued, file: options.file,
        message: "an instance was killed while this save arrived, and others have gone on since")
    }
    return (found ?? displaced ?? current.value, age)
  }

  /// What a late save means. The record of one that others may have taken in does not tell that its merge ever stood:
  /// what it was made from is looked for behind it, and merged once more it changes nothing.
  private func meaning(
    of save: JSONValue, in history: VersionHistory, knowing evidence: SaveEvidence, isUncertain: Bool
  ) -> SaveMerge.Meaning {
    let meaning = SaveMerge.meaning(of: save, in: history, knowing: evidence, isLate: true)
    guard isUncertain, case .edit(let index) = meaning, history.entries[index].version.cause == .merged,
      history.entries.indices.contains(index + 1)
    else { return meaning }
    let older = history.upTo(index + 1)
    switch SaveMerge.meaning(of: save, in: older, knowing: evidence, isLate: true) {
    case .formatting: return .edit(of: index + 1)
    case .edit(let more): return .edit(of: index + 1 + more)
    case .editOfWithdrawn(let number, let more): return .editOfWithdrawn(number, after: index + 1 + more)
    case .restore(let more): return .restore(of: index + 1 + more)
    case .replacement: return .replacement
    }
  }

  private func value(ofVersion prefix: String) -> JSONValue? {
    if let history = commit.findings.history, let index = history.index(ofVersion: prefix) {
      return history.value(at: index)
    }
    return recent.last { $0.hash.description.hasPrefix(prefix) }?.value
  }

  mutating func remember(_ version: Base) {
    recent.append(Former(version))
    var size = recent.reduce(0) { $0 + $1.size }
    while recent.count > 1 && (recent.count > Self.recentLimit.count || size > Self.recentLimit.size) {
      size -= recent.removeFirst().size
    }
  }
}
