import HotReload
import StateJSON

/// The recent versions that the instances on the machine share: `VersionLog` without bytes.
///
/// A record is there whole or not at all: what a killed instance leaves torn is cut off by the next.
struct SimulatedLog {
  private var builder = VersionHistoryBuilder()
  /// The version that it ends with; none where that was aborted.
  private(set) var last: Version?
  /// Whether that has not come to stand.
  private var isUnconfirmed = false
  /// The version before that.
  private(set) var beforeLast: ContentHash?

  var history: VersionHistory? { builder.history }
  /// The value of the version that it ends with.
  var value: JSONValue? { builder.value }
  /// The version that it ends with, if it stands by itself, and has come to stand.
  var newest: ContentHash? { last.flatMap { $0.cause == .merged || isUnconfirmed ? nil : $0.hash } }

  mutating func append(
    _ version: Version, value: JSONValue, over predecessor: ContentHash?, lost: [LostValue], kept: KeptChanges?,
    stands: Bool
  ) {
    if let last, isUnconfirmed {
      let isSame = last.hash == version.hash && version.cause != .merged
      if isSame && stands || last.hash == predecessor { confirmLast() } else if !isSame { abort([last.hash]) }
    }
    if let last, last.hash == version.hash, last.cause != .merged || version.cause == .merged { return }
    builder.append(version, whole: value, lost: lost, kept: kept, stands: stands)
    (beforeLast, last, isUnconfirmed) = (last?.hash, version, !stands)
  }

  /// Whether the version that it ends with is a certain one, and has yet to come to stand.
  func announces(_ hash: ContentHash) -> Bool { isUnconfirmed && last?.hash == hash }

  /// The version that it ends with has come to stand.
  mutating func confirmLast() {
    builder.confirmNewest()
    isUnconfirmed = false
  }

  /// What was aborted just now stood for a moment.
  mutating func withdraw(_ version: Version, value: JSONValue, over predecessor: (hash: ContentHash, value: JSONValue))
  {
    guard builder.newest?.hash == predecessor.hash else { return }
    builder.noteWithdrawn(version, JSONPatch(from: predecessor.value, to: value))
  }

  mutating func abort(_ hashes: [ContentHash]) {
    guard let newest = last, hashes.contains(newest.hash) else { return }
    for hash in hashes.reversed() { builder.takeBack(hash) }
    (last, isUnconfirmed) = (nil, false)
  }
}

extension Instance {
  func recall(unless waiver: RecallWaiver) async throws -> Brain.Recollection {
    try await process.step("recalls the versions")
    do {
      try world.mayFail(process, "read of the versions")
    } catch is Refusal {
      world.judge.isForgetful = true
      return .nothing
    }
    let newest = world.versions.newest
    if let newest, newest == waiver.newest { return .isNewest }
    if let (former, patch) = waiver.apart, newest == former.hash, world.versions.history?.isApart(patch) == true {
      return .isApart
    }
    return world.versions.history.map { .history($0) } ?? .nothing
  }

  /// - Returns: Whether that was possible.
  func remember(_ records: [Brain.Record]) async throws -> Bool {
    let names = records.map { record in
      "\(String(record.hash.high >> 48, radix: 16)), \(record.cause)\(record.stands ? "" : " to come")"
    }
    try await process.step("records \(names.joined(separator: "; "))")
    // A save that is part of what is yet to come to stand is nobody's version before that.
    let isToCome = records.contains { !$0.stands }
    for record in records {
      if isToCome && record.cause == .merged { announced.append(record.hash) } else { world.judge.noted(record.hash) }
    }
    do {
      try world.mayFail(process, "append to the versions", .ENOSPC)
    } catch is Refusal {
      world.judge.failedToNote(records.map(\.hash), by: name)
      return false
    }
    world.judge.recorded(records.map(\.hash), by: name)
    for record in records { append(record) }
    return true
  }

  private func append(_ record: Brain.Record) {
    // A log keeps a patch to what the version before it is taken to be.
    if let known = record.predecessor, known.hash == world.versions.last?.hash,
      known.content.value != world.versions.value
    {
      world.judge.blame(
        "\(name) takes version \(String(known.hash.high >> 48, radix: 16)) to be \(known.content.value)")
    }
    let version = Version(hash: record.hash, time: Int64(world.now / 1_000_000), cause: record.cause, instance: name)
    world.versions.append(
      version, value: record.value, over: record.predecessor?.hash, lost: record.lost, kept: record.kept,
      stands: record.stands)
  }

  /// What a write was made of has come to stand with it.
  func noteAnnounced() {
    for hash in announced { world.judge.noted(hash) }
    announced = []
  }

  /// Confirms what has come to stand, unless that is done.
  func confirmLate() async throws {
    guard let record = unconfirmed else { return }
    unconfirmed = nil
    if try await !confirm(record) { try await perform(replica.handle(.notRecorded([record]))) }
  }

  /// - Returns: Whether that was possible.
  private func confirm(_ record: Brain.Record) async throws -> Bool {
    try await process.step("confirms \(String(record.hash.high >> 48, radix: 16))")
    guard let last = world.versions.last, last.hash == record.hash, last.cause != .merged else {
      do {
        try world.mayFail(process, "append to the versions", .ENOSPC)
        world.judge.recorded([record.hash], by: name)
        append(record)
        return true
      } catch is Refusal {
        world.judge.failedToNote([record.hash], by: name)
        return false
      }
    }
    return try confirmNewest()
  }

  func confirm(newestBeginningWith hash: UInt64) async throws {
    try await process.step("confirms \(String(hash >> 48, radix: 16)), which stood")
    if short(world.versions.last?.hash) == hash { _ = try confirmNewest() }
  }

  func confirm(newestAfter hash: UInt64) async throws {
    try await process.step("confirms what came after \(String(hash >> 48, radix: 16)), which gave way")
    if let before = world.versions.beforeLast, short(before) == hash { _ = try confirmNewest() }
  }

  private func confirmNewest() throws -> Bool {
    do {
      try world.mayFail(process, "mark in the versions")
      world.versions.confirmLast()
      return true
    } catch is Refusal {
      world.judge.isForgetful = true
      world.versions = SimulatedLog()
      return false
    }
  }

  func withdraw(_ record: Brain.Record) async throws {
    try await process.step("notes that \(String(record.hash.high >> 48, radix: 16)) stood")
    do {
      try world.mayFail(process, "append to the versions", .ENOSPC)
    } catch is Refusal {
      return world.judge.isForgetful = true
    }
    guard let predecessor = record.predecessor else { return }
    let version = Version(hash: record.hash, time: Int64(world.now / 1_000_000), cause: record.cause, instance: name)
    world.versions.withdraw(version, value: record.value, over: (predecessor.hash, predecessor.content.value))
  }

  func takeBack(_ hashes: [ContentHash]) async throws {
    let names = hashes.map { String($0.high >> 48, radix: 16) }
    try await process.step("takes back the record of \(names.joined(separator: ", "))")
    do {
      try world.mayFail(process, "append to the versions", .ENOSPC)
      world.versions.abort(hashes)
    } catch is Refusal {
      world.judge.isForgetful = true
      world.versions = SimulatedLog()
    }
  }
}
