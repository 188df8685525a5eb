import StateJSON

/// Which versions stay when a log has grown too large: all of the last seconds, as far as there is room, and ever fewer
/// of those before. A burst of commits pushes nothing out but what is of the burst itself.
enum VersionThinning {
  /// For how long versions are kept, in milliseconds.
  static let lifetime: Int64 = 24 * 60 * 60 * 1000
  /// Younger ones are all kept, as far as their share of the room goes.
  static let denseTime: Int64 = 10_000
  static let denseShare = 0.6
  /// Those that somebody has read are kept, as far as their share goes: an editor may hold one of them for hours.
  static let readShare = 0.9
  /// Of older ones, so many are kept for each doubling of their age.
  static let countPerDoubling = 16.0

  /// Makes the lines of a thinned log, or nil where it would hold nothing.
  ///
  /// - Parameters:
  ///   - records: What is to be thinned.
  ///   - now: The time, in milliseconds since 1970.
  ///   - limit: How many bytes the versions may take, the first, whole one and the newest aside.
  /// - Returns: A whole version, and patches.
  static func lines(of records: VersionRecords, now: Int64, limit: Int) -> [UInt8]? {
    var builder = VersionHistoryBuilder()
    for (index, head) in records.heads.enumerated() { records.add(head, at: index, to: &builder) }
    guard let history = builder.history else { return nil }
    let kept = kept(of: history, now: now, limit: limit)

    var value = history.value(at: kept[0])
    var bytes: [UInt8] = []
    var before: ContentHash?
    var next = kept[0]
    // From the oldest on; between two that are kept, the patches follow one another.
    for index in kept {
      let entry = history.entries[index]
      var record = VersionRecord(kind: .whole, version: entry.version, before: before, body: value)
      if before != nil {
        let old = value
        while next > index {
          next -= 1
          advance(&value, to: history.entries[next])
        }
        let isNext = history.entries.indices.contains(index + 1) && history.entries[index + 1].version.hash == before
        record.kind = .patch
        record.body = (isNext ? entry.changes : nil)?.value ?? JSONPatch(from: old, to: value).value
      }
      bytes += record.line
      if !entry.lost.isEmpty {
        bytes +=
          VersionRecord(kind: .lost, version: entry.version, before: entry.version.hash, body: entry.lost.value).line
      }
      if entry.wasRead {
        bytes += VersionRecord(kind: .read, version: entry.version, before: nil, body: .null).line
      }
      for withdrawn in entry.withdrawn {
        bytes +=
          VersionRecord(
            kind: .withdrawn, version: withdrawn.version, before: entry.version.hash, body: withdrawn.changes.value
          ).line
      }
      before = entry.version.hash
    }
    return bytes
  }

  private static func advance(_ value: inout JSONValue, to entry: VersionHistory.Entry) {
    if let changes = entry.changes { value.takeBack(changes) }
  }

  /// The indices of those that stay, oldest first.
  static func kept(of history: VersionHistory, now: Int64, limit: Int) -> [Int] {
    var kept: [Int] = []
    var size = 0
    var lastBucket: Int?
    let denseLimit = Int(Double(limit) * denseShare)
    let readLimit = Int(Double(limit) * readShare)
    for (index, entry) in history.entries.enumerated() {
      let age = max(now - entry.version.time, 0)
      if index > 0 && (age > lifetime || size > limit) { break }
      let bucket = age <= denseTime && size <= denseLimit ? nil : bucket(ofAge: age)
      // What somebody saved, and what lost to it, is rare and precious.
      let isPrecious =
        entry.version.cause != .action || !entry.lost.isEmpty
        || (entry.wasRead || !entry.withdrawn.isEmpty) && size <= readLimit
      guard bucket == nil || bucket != lastBucket || isPrecious else { continue }
      lastBucket = bucket ?? lastBucket
      kept.append(index)
      size += (entry.wasRead ? 300 : 150) + (entry.changes?.value.bytes(format: .compact).count ?? 0)
      for withdrawn in entry.withdrawn { size += 150 + withdrawn.changes.value.bytes(format: .compact).count }
    }
    return kept.reversed()
  }

  private static func bucket(ofAge age: Int64) -> Int {
    // The binary logarithm in steps of a sixteenth: the exponent, and the next bits in a line.
    let value = Double(max(age, 1))
    return Int((Double(value.exponent) + value.significand - 1) * countPerDoubling)
  }
}
