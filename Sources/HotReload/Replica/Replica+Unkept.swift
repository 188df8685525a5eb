import StateJSON

/// Versions that could not be recorded are recorded with the next ones, and known to this instance until then: without
/// them a later save from an old buffer would take back what they had changed.
extension Replica {
  /// How many are remembered at most: the first, which tells what they come after, and the newest.
  static var unkeptLimit: Int { 16 }

  /// Records versions, after those that could not be recorded before.
  mutating func keep(_ records: [Record]) -> Effect {
    defer { unkept = [] }
    return .record(unkept + records)
  }

  /// Tells a write that stands in the file from one that its writer was killed before.
  mutating func confirm(_ record: Record?) -> [Effect] {
    guard var record else { return [] }
    record.stands = true
    return [unkept.isEmpty ? .confirm(record) : keep([record])]
  }

  /// Takes back the records of what is no version after all.
  mutating func unrecord(_ hashes: [ContentHash]) -> Effect {
    unkept.removeAll { hashes.contains($0.hash) }
    return .unrecord(hashes)
  }

  /// Remembers what could not be recorded. What is only about to come to stand is tried again when it has.
  mutating func rememberUnkept(_ records: [Record]) -> [Effect] {
    unkept = records.filter(\.stands)
    while unkept.count > Self.unkeptLimit { unkept.remove(at: 1) }
    return []
  }

  /// Forgets what could not be recorded, unless it is what is known to stand in the file: others have gone on from it.
  mutating func forgetUnkept(unless hash: ContentHash) {
    if unkept.last?.hash != hash { unkept = [] }
  }

  /// Adds what could not be recorded to what could; forgets it, if others have recorded something since.
  mutating func complete(_ recollection: Recollection) -> Recollection {
    guard let first = unkept.first else { return recollection }
    guard case .history(var history) = recollection, history.newest.hash == first.predecessor?.hash else {
      unkept = []
      return recollection
    }
    for record in unkept {
      let version = Version(
        hash: record.hash, time: history.newest.time, cause: record.cause, instance: options.instance)
      history.append(version, value: record.value, lost: record.lost)
    }
    return .history(history)
  }
}
