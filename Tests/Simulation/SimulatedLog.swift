import HotReload
import StateJSON

/// The recent versions that the instances on the machine share: `VersionLog` without bytes.
///
/// A record is there whole or not at all: what a killed instance leaves torn is cut off by the next.
struct SimulatedLog {
  private var builder = VersionHistoryBuilder()
  /// The version that it ends with; none where that was aborted.
  private var last: Version?

  var history: VersionHistory? { builder.history?.standing }
  /// The version that it ends with, if it stands by itself.
  var newest: ContentHash? { last.flatMap { $0.cause == .merged ? nil : $0.hash } }

  mutating func append(_ version: Version, value: JSONValue, lost: [LostValue]) {
    if let last, last.hash == version.hash, last.cause != .merged || version.cause == .merged { return }
    builder.append(version, whole: value, lost: lost)
    last = version
  }

  mutating func abort(_ hashes: [ContentHash]) {
    guard last != nil else { return }
    for hash in hashes { builder.remove(from: hash) }
    last = nil
  }
}

extension Instance {
  func recall(unlessNewest hash: ContentHash?) async throws -> Brain.Recollection {
    try await process.step("recalls the versions")
    do {
      try world.mayFail(process, "read of the versions")
    } catch is Refusal {
      world.judge.isForgetful = true
      return .nothing
    }
    if let hash, world.versions.newest == hash { return .isNewest }
    return world.versions.history.map { .history($0) } ?? .nothing
  }

  func remember(_ record: Brain.Record) async throws {
    try await process.step("records \(String(record.hash.high >> 48, radix: 16)), \(record.cause)")
    world.judge.noted(record.hash)
    do {
      try world.mayFail(process, "append to the versions", .ENOSPC)
    } catch is Refusal {
      return world.judge.failedToNote(record.hash)
    }
    let version = Version(hash: record.hash, time: Int64(world.now / 1_000_000), cause: record.cause, instance: name)
    world.versions.append(version, value: record.value, lost: record.lost)
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
