import StateJSON

/// Which versions stay when a log has grown too large: all of the last seconds, as far as there is room, and ever fewer
/// of those before. A burst of commits pushes nothing out but what is of the burst itself.
enum LogThinning {
  /// For how long versions are kept, in milliseconds.
  static let lifetime: Int64 = 24 * 60 * 60 * 1000
  /// Younger ones are all kept, as far as their share of the room goes.
  static let denseTime: Int64 = 10_000
  static let denseShare = 0.6
  /// Those that somebody has read are kept, as far as their share goes: an editor may hold one of them for hours.
  static let readShare = 0.9
  /// Of older ones, so many are kept for each doubling of their age.
  static let countPerDoubling = 16.0

  /// The lines of a thinned log: what it says of its format, a whole version, and patches; nil where it would hold nothing.
  ///
  /// Values are made only of those versions after which one is left out, and of what comes before these: all else is copied as it
  /// stands. The time is in milliseconds since 1970; the limit is of bytes that the versions may take, the first, whole one and the
  /// newest aside.
  static func lines(of records: LogRecords, now: Int64, limit: Int) -> [UInt8]? {
    let chain = VersionChain(records)
    let kept = kept(of: chain.links.map { candidate($0, of: chain) }, now: now, limit: limit)
    guard let first = kept.first else { return nil }
    let lastGap = kept.indices.last { $0 > 0 && kept[$0] != kept[$0 - 1] + 1 }.map { kept[$0] }

    var bytes: [UInt8] = []
    bytes.reserveCapacity(records.end)
    bytes += (records.format ?? .own).line
    var value: JSONValue?
    var next = 0
    func advance(to index: Int) -> Bool {
      while next <= index {
        value = chain.value(of: chain.links[next], after: value)
        if value == nil { return false }
        next += 1
      }
      return true
    }
    var former: Int?
    for index in kept {
      let link = chain.links[index]
      let before = former.map { chain.links[$0].version.hash }
      if let former, former + 1 == index {
        bytes += chain.line(of: link, before: before)
      } else {
        let old = value
        guard advance(to: index), let value else { return nil }
        let body = old.map { JSONPatch(from: $0, to: value).text } ?? value.bytes(format: .compact)
        bytes +=
          LogRecord(kind: index == first ? .whole : .patch, version: link.version, before: before, body: body).line
      }
      if let lastGap, index < lastGap, !advance(to: index) { return nil }
      if let lost = chain.lost(of: link) { bytes += lost }
      if link.wasRead { bytes += LogRecord(kind: .read, version: link.version, before: nil, body: .null).line }
      for remark in chain.remarks(of: link) { bytes += remark }
      former = index
    }
    return bytes
  }

  /// What decides whether a version stays.
  struct Candidate {
    let version: Version
    /// Whether something lost a conflict when it was merged.
    var hasLost = false
    /// Whether somebody has read it, or may have read what came to stand after it for a moment.
    var isKnown = false
    /// How many bytes its records take, about.
    let size: Int
  }

  private static func candidate(_ link: VersionChain.Link, of chain: VersionChain) -> Candidate {
    let remarks = chain.remarks(of: link).reduce(0) { $0 + $1.count }
    return Candidate(
      version: link.version, hasLost: chain.lost(of: link) != nil, isKnown: link.wasRead || !link.withdrawn.isEmpty,
      size: (link.wasRead ? 300 : 150) + chain.patchLength(of: link) + remarks)
  }

  /// The indices of those that stay, oldest first, as are the candidates.
  static func kept(of candidates: [Candidate], now: Int64, limit: Int) -> [Int] {
    var kept: [Int] = []
    var size = 0
    var lastBucket: Int?
    let denseLimit = Int(Double(limit) * denseShare)
    let readLimit = Int(Double(limit) * readShare)
    for (index, candidate) in candidates.enumerated().reversed() {
      let age = max(now - candidate.version.time, 0)
      if index < candidates.count - 1 && (age > lifetime || size > limit) { break }
      let bucket = age <= denseTime && size <= denseLimit ? nil : bucket(ofAge: age)
      // What somebody saved, and what lost to it, is rare and precious.
      let isPrecious =
        candidate.version.cause != .action || candidate.hasLost || candidate.isKnown && size <= readLimit
      guard bucket == nil || bucket != lastBucket || isPrecious else { continue }
      lastBucket = bucket ?? lastBucket
      kept.append(index)
      size += candidate.size
    }
    return kept.reversed()
  }

  private static func bucket(ofAge age: Int64) -> Int {
    // The binary logarithm in steps of a sixteenth: the exponent, and the next bits in a line.
    let value = Double(max(age, 1))
    return Int((Double(value.exponent) + value.significand - 1) * countPerDoubling)
  }
}
