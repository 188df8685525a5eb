import StateJSON
import StoreCore

/// What a save from outside means is decided under the lock, by the recent versions that the instances share.
extension Replica {
  /// What is decided once the recent versions are known.
  enum Review: Sendable {
    /// Of what was read.
    case contents(Contents)
    /// Of late saves, while nothing stands at the path.
    case nothing
    /// Of a save that a write displaced, while `now` came to stand at the path.
    case displaced(Contents, now: Contents)
  }

  /// What the instances on this machine remember of the file.
  enum Recollection: Sendable {
    /// Nothing, or it can't be read.
    case nothing
    /// The version in question is the newest that was committed.
    case isNewest
    /// What changed is apart from all that the versions changed, the newest of which is the one that was read before.
    case isApart
    case history(VersionHistory)
  }

  /// A version to be remembered.
  struct Record: Sendable {
    let hash: ContentHash
    let content: JSONDocument
    let cause: Version.Cause
    /// The version that this instance takes to be the one before.
    let predecessor: (hash: ContentHash, content: VersionContent)?
    /// What lost to it.
    let lost: [LostValue]
    /// When the file was modified last, if somebody saved it from outside.
    var saved: FoundTime?
    /// What it keeps of what a save would have taken back.
    var kept: KeptChanges?
    /// The actions that it consists of, where they are recorded.
    var actions: RecordedActions?
    /// Whether it is a version already, or only once it has come to stand in the file.
    var stands = true

    var value: JSONValue { content.value }
  }

  /// Asks for the recent versions, if what was read under the lock is no instance's work as far as this one knows.
  mutating func review(_ contents: Contents) -> [Instruction] {
    judgement.isAwaited = false
    let isKnown = contents.stamp != nil || contents.hash == judgement.last
    if isKnown { forgetUnkept(unless: contents.hash) }
    guard !isKnown || !outbox.lateSaves.isEmpty else { return underLock(.draining(.contents(contents)), .drain) }
    let isEnough = outbox.lateSaves.isEmpty && doubts.unkept.isEmpty
    return underLock(.reviewing(.contents(contents)), .recall(unless: isEnough ? waiver(contents) : .none))
  }

  /// What is enough to know of the recent versions to judge a save.
  private func waiver(_ contents: Contents) -> RecallWaiver {
    var waiver = RecallWaiver(newest: contents.hash)
    if commit.mending == nil, let read = base, read.hash == contents.hash, let former = recent.last {
      let patch = JSONPatch(from: former.content, to: read.content)
      waiver.apart = ((former.hash, former.content), patch)
    }
    return waiver
  }

  mutating func recalled(_ recollection: Recollection) -> [Instruction] {
    guard case .reviewing(let review) = phase else { preconditionFailure("recalled outside a review") }
    let recollection = complete(standing(recollection, for: review))
    switch review {
    case .contents(let contents):
      let instructions = judge(contents, recollection)
      let drain = underLock(.draining(.contents(contents)), .drain)
      // Actions submitted in this very moment are told apart from the save by a commit of their own.
      return outbox.hasMore || !isCommitted ? instructions + drain : instructions + write([], nil)
    case .nothing:
      if case .history(let history) = recollection { commit.findings.history = history }
      return underLock(.draining(.missing), .drain)
    case .displaced(let contents, let now):
      var recollection = recollection
      var instructions: [Instruction] = []
      if case .history(let history) = recollection, let write = commit.overtaking?.write {
        recollection = .history(history.endingWith(now, write.content.value))
      }
      if let ground = commit.overtaking?.ground {
        if wasMade(contents, from: now, over: ground, in: recollection) {
          instructions = settleBeneath()
        } else if case .history(var history) = recollection {
          recollection = history.takeBackNewest(to: ground) ? .history(history) : .nothing
        }
      }
      commit.findings.passing = [contents.hash]
      instructions += judge(contents, recollection)
      return instructions + mergeLateSaves() + replace(.contents(now), with: fold())
    }
  }

  /// Leaves out what never came to stand, as far as this instance knows.
  private func standing(_ recollection: Recollection, for review: Review) -> Recollection {
    guard case .history(let history) = recollection else { return recollection }
    let found: Contents? =
      switch review {
      case .contents(let contents): contents
      case .displaced(_, let now): now
      case .nothing: nil
      }
    let told = [found?.stamp?.content, found?.stamp?.predecessor].compactMap { $0 }
    return history.standing { told.contains($0.newest.hash) || hasRead($0) }.map { .history($0) } ?? .nothing
  }

  /// Whether this instance has read the newest version in the file. What had the same bytes before the versions that it came
  /// after, or was somebody's save, is no proof of that.
  private func hasRead(_ history: VersionHistory) -> Bool {
    let hashes = recent.map(\.hash)
    let older = history.entries.dropFirst().lazy.compactMap { hashes.lastIndex(of: $0.version.hash) }.first
    return recent[(older.map { $0 + 1 } ?? 0)...].contains { !$0.isSave && $0.hash == history.newest.hash }
  }

  /// Whether a displaced save was made from the very write that displaced it, and so has its actions already: its writer
  /// had opened the file before the swap, and read the path after it. Both are known here, also where the recent versions aren't.
  private func wasMade(
    _ save: Contents, from now: Contents, over ground: Ground, in recollection: Recollection
  ) -> Bool {
    // What is older than the write is not.
    guard let value = base?.value, let written = commit.overtaking?.write.content.value,
      save.status.modified >= now.status.modified
    else { return false }
    if case .history(let history) = recollection {
      let evidence = history.evidence(of: save, isLate: true)
      switch SaveMerge.meaning(of: value, in: history.whenMade(save), knowing: evidence) {
      case .formatting, .edit(of: 0): break
      case .edit, .editOfWithdrawn, .restore, .replacement: return false
      }
    }
    let before: JSONValue
    switch ground {
    case .predecessor(let former):
      guard let former else { return false }
      before = former.value
    case .merge(_, let merged): before = merged
    }
    // In doubt the actions are applied: then they are at least not lost.
    return EditDistance(from: written, to: value).distance < EditDistance(from: before, to: value).distance
  }

  /// Counts the write as committed that the base, a save, was made from.
  private mutating func settleBeneath() -> [Instruction] {
    guard let save = base, let write = commit.overtaking?.write else {
      preconditionFailure("no save displaced by a write")
    }
    base = nil
    let acknowledgement = settle(write)
    if let base { remember(base) }
    base = save
    commit.overtaking?.write.actions = 0
    commit.overtaking?.write.outcomes = []
    commit.overtaking?.write.late = 0
    commit.overtaking?.ground = nil
    return [acknowledgement]
  }

  /// Decides what the base, which is what was read, means to the versions before it.
  private mutating func judge(_ contents: Contents, _ recollection: Recollection) -> [Instruction] {
    guard let read = base else { preconditionFailure("what is judged has been adopted") }
    var recollection = recollection
    if case .history(var history) = recollection {
      // So that what follows takes as long as what was changed is large.
      if let former = recent.last, former.hash == history.newest.hash {
        history.keepNewest(in: former.content.value)
        _ = read.content.value(sharing: former.content)
        recollection = .history(history)
      }
      // What is newer than an instance's work that stands was never written: its writer was killed.
      commit.findings.history = contents.stamp == nil ? history : history.endingWith(contents, read.value)
    }
    // Asked for late saves' sake alone, or no news.
    if contents.stamp != nil || contents.hash == judgement.last { return [] }
    judgement.last = contents.hash
    switch recollection {
    case .isNewest:
      return []
    case .isApart:
      return record(read, .edit, over: recent.last.map { ($0.hash, .text($0.content)) })
    case .nothing:
      return record(read, .edit)
    case .history(let history):
      if history.newest.hash == contents.hash { return [] }
      let newest = (history.newest.hash, VersionContent.parsed(history.value))
      guard options.externalEdits == .merge else { return record(read, .edit, over: newest) }
      let made = history.whenMade(contents)
      let isLate = commit.mending != nil
      let evidence = history.evidence(of: contents, isLate: isLate)
      let merge = SaveMerge(read.value, onto: made, knowing: evidence, isLate: isLate)
      return self.merge(merge, in: made, over: newest)
    }
  }

  private mutating func merge(
    _ merge: SaveMerge, in history: VersionHistory, over newest: (hash: ContentHash, content: VersionContent)
  ) -> [Instruction] {
    guard let read = base else { preconditionFailure("what is merged has been adopted") }
    switch merge.meaning {
    case .formatting, .edit(of: 0), .replacement:
      return record(read, .edit, over: newest)
    case .restore(let index):
      if staleness != nil { staleness = .restore }
      // Who takes back what was only saved knows it.
      let isNews = history.entries[..<index].contains { $0.version.cause == .action || $0.version.cause == .merge }
      return record(read, .restore, over: newest)
        + (isNews ? [.notify(.restored(over: newest.hash, in: options.file))] : [])
    case .edit, .editOfWithdrawn:
      let document = read.decoded.document.replacingValue(with: merge.value)
      // What this instance can't read it can't judge either: the save stands as it is.
      guard !merge.kept.isEmpty, let decoded = try? model.decode(document, onto: read.decoded.state) else {
        return record(read, .edit, over: newest)
      }
      base = read.meaning(decoded)
      let kept = KeptChanges(merge.kept, in: history.entries.prefix(merge.meaning.age))
      let notice = Notice.kept(kept, saved: read.hash, in: options.file)
      judgement.revision = Revision(lost: merge.lost, kept: kept, notices: [notice])
      // It is the newest version only as what it is merged to.
      commit.findings.passing = [read.hash]
      staleness = staleness ?? .edit
      return record(read, .edit, over: newest)
    }
  }

  /// Remembers a save as what it is, or as what stands only as part of the next write.
  private mutating func record(
    _ version: Base, _ cause: Version.Cause, over predecessor: (hash: ContentHash, content: VersionContent)? = nil
  ) -> [Instruction] {
    let isPassing = commit.findings.passing.contains(version.hash)
    let record = Record(
      hash: version.hash, content: version.content, cause: isPassing ? .merged : cause, predecessor: predecessor,
      lost: [], saved: version.saved)
    if !isPassing { return [keep([record])] }
    commit.findings.unrecorded.append(record)
    return []
  }

  /// What a save at the path was merged to, if actions were applied to that for a write.
  func mergeRecord(beneath write: Write) -> Record? {
    guard keepsMerge, let revision = judgement.revision, let base else { return nil }
    let merged = base.decoded.document
    let hash = ContentHash(merged.bytes)
    guard hash != write.hash else { return nil }
    return Record(
      hash: hash, content: merged, cause: .merge, predecessor: (base.hash, .text(base.content)), lost: revision.lost,
      kept: revision.kept)
  }

  /// What is remembered of a write before it comes to stand in the file.
  func record(_ write: Write, over merge: Record?) -> Record {
    let isMerge = merge == nil && (judgement.revision != nil || write.late > 0) || !write.lost.isEmpty
    return Record(
      hash: write.hash, content: write.content, cause: isMerge ? .merge : write.isRestore ? .restore : options.cause,
      predecessor: merge.map { ($0.hash, .text($0.content)) } ?? base.map { ($0.hash, .text($0.content)) },
      lost: (merge == nil ? judgement.revision?.lost ?? [] : []) + write.lost,
      kept: merge == nil ? judgement.revision?.kept : nil,
      actions: actions(of: write, isMerge: isMerge), stands: merge == nil && keepsMerge)
  }

  /// The actions of a write, where they are recorded, but for those that the version has which it displaces.
  private func actions(of write: Write, isMerge: Bool) -> RecordedActions? {
    guard recordsActions else { return nil }
    var told = 0
    if let overtaking = commit.overtaking, overtaking.ground != nil, overtaking.write.isRecorded {
      told = overtaking.write.actions
    }
    let folded = outbox.patch?.count ?? 0
    let rest = outbox.actions.dropFirst(max(0, told - folded))
    var actions = recorded(rest, write.outcomes.suffix(rest.count))
    if let patch = outbox.patch, told < folded {
      actions = rest.isEmpty ? patch.actions : actions.flatMap { patch.actions?.followed(by: $0) }
    }
    // A default has to be encoded to be told. An empty document is none: it would keep an app's from being told.
    if base == nil, actions?.isEmpty != true,
      let ground = try? model.encode(baseState, over: nil).document.value, ground != [:]
    {
      // A file is made of what it holds by default, and of what was done to that: nothing, maybe.
      if ground == write.content.value { return RecordedActions(model.form) }
      actions = actions ?? RecordedActions(sums: [])
      actions?.ground = ground
      return actions
    }
    guard isMerge || told > 0 else { return actions?.isEmpty == true ? nil : actions }
    actions?.ground = told > 0 ? document(after: told) : base?.decoded.document.value
    return actions
  }

  /// Actions as they are recorded, with what came of them, if that is known; `nil` if there is nothing to say, or it can't be said so.
  func recorded(_ actions: ArraySlice<Model.Action>, _ outcomes: ArraySlice<Model.Outcome>) -> RecordedActions? {
    var recorded: RecordedActions?
    var rest = outcomes
    for action in actions {
      switch model.recorded(action, rest.popFirst()) {
      case .nothing: continue
      case .text(let text):
        if recorded == nil { recorded = RecordedActions(model.form) }
        recorded?.append(text)
      case .unsayable: return model.sums.isEmpty ? nil : RecordedActions(sums: model.sums)
      }
    }
    return recorded
  }

  /// The document that the base comes to by the first of the pending actions.
  private func document(after count: Int) -> JSONValue? {
    var folded = Folded(state: baseState, outcomes: [])
    applyPatch(to: &folded)
    for action in outbox.actions.prefix(count - (outbox.patch?.count ?? 0)) {
      _ = model.apply(action, to: &folded.state)
    }
    // Should it fail, the write that goes on from there fails as well, or its actions count as done to the save.
    return try? model.encode(folded.state, over: base?.decoded).document.value
  }
}

extension VersionHistory {
  /// Takes the actions out of the newest version; returns whether one remains.
  fileprivate mutating func takeBackNewest<Model>(to ground: Replica<Model>.Ground) -> Bool {
    switch ground {
    case .predecessor: return removeNewest()
    case .merge(let hash, let value):
      replaceNewest(with: value, hash: hash)
      return true
    }
  }
}
