import StateJSON

/// Versions that could not be recorded are recorded with the next ones, and known to this instance until then: without
/// them a later save from an old buffer would take back what they had changed.
extension Replica {
  /// How many are remembered at most: the first, which tells what they come after, and the newest.
  static var unkeptLimit: Int { 16 }

  /// Records versions, after those that could not be recorded before.
  mutating func keep(_ records: [Record]) -> Instruction {
    defer { doubts.unkept = [] }
    return .record(doubts.unkept + records)
  }

  /// Tells a write that stands in the file from one that its writer was killed before.
  mutating func confirm(_ record: Record?) -> [Instruction] {
    guard var record else { return [] }
    record.stands = true
    return [doubts.unkept.isEmpty ? .confirm(record) : keep([record])]
  }

  /// Takes back the records of a write that is no version after all, and of saves that were part of it, in the order in
  /// which they were recorded.
  mutating func unrecord(_ hashes: [ContentHash], of write: Write) -> [Instruction] {
    // What wasn't recorded must not be taken for an older version with the same bytes.
    if write.isRecorded { return [.unrecord(hashes)] }
    while let last = doubts.unkept.last, hashes.contains(last.hash) { doubts.unkept.removeLast() }
    return []
  }

  /// Remembers what could not be recorded. What is only about to come to stand is tried again when it has.
  mutating func rememberUnkept(_ records: [Record]) -> [Instruction] {
    let hashes = records.map(\.hash)
    if case .writing(var write) = phase, hashes.contains(write.hash) {
      write.isRecorded = false
      phase = .writing(write)
    }
    if let write = commit.overtaking?.write, hashes.contains(write.hash) { commit.overtaking?.write.isRecorded = false }
    remember(unkept: records.filter(\.stands))
    return []
  }

  mutating func remember(unkept records: [Record]) {
    doubts.unkept += records
    while doubts.unkept.count > Self.unkeptLimit { doubts.unkept.remove(at: 1) }
  }

  /// Forgets what could not be recorded, unless it is what is known to stand in the file: others have gone on from it.
  mutating func forgetUnkept(unless hash: ContentHash) {
    if doubts.unkept.last?.hash != hash { doubts.unkept = [] }
  }

  /// Forgets what another instance has come upon and recorded, where that is the newest that is recorded.
  private mutating func forgetUnkept(knownTo recorded: VersionHistory) {
    guard doubts.unkept.first?.predecessor?.hash != recorded.newest.hash,
      let index = doubts.unkept.lastIndex(where: { $0.hash == recorded.newest.hash })
    else { return }
    doubts.unkept.removeFirst(index + 1)
  }

  /// Adds what could not be recorded to what could; forgets it, if others have recorded something since.
  mutating func complete(_ recollection: Recollection) -> Recollection {
    if case .history(let recorded) = recollection { forgetUnkept(knownTo: recorded) }
    guard let first = doubts.unkept.first else { return recollection }
    var history: VersionHistory
    switch recollection {
    case .history(let recorded) where recorded.newest.hash == first.predecessor?.hash: history = recorded
    case .nothing:
      // Nor what was recorded before, or that can't be read.
      guard let (hash, content) = first.predecessor else { return recollection }
      history = VersionHistory(Version(hash: hash, time: .max, cause: .action, instance: "-"), value: content.value)
    case .history, .isNewest, .isApart:
      doubts.unkept = []
      return recollection
    }
    for record in doubts.unkept {
      let version = Version(
        hash: record.hash, time: history.newest.time, cause: record.cause, instance: options.instance)
      history.append(version, value: record.value, lost: record.lost, kept: record.kept)
    }
    return .history(history)
  }
}
