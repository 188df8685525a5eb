import Replication
import StateJSON

/// A machine of the simulation: its document, its log, its device, and its copy of the shared folder.
struct Machine {
  /// The device's part in the share.
  var device: Device
  let app: SampleApp?
  /// How far its clock is off.
  var skew: Int
  /// The document that instances on this machine share.
  var document: JSONValue?
  /// The commits to it that were made here.
  var log: [LocalCommit] = []
  /// The lines of each file in its copy of the folder.
  var folder: [String: [JournalLine]] = [:]
  /// The lines of others, which it never forgets.
  private(set) var kept: [JournalLine] = []
  /// The lines that it has written under former names.
  private(set) var former: [JournalLine] = []
  /// How much of the log a broken machine takes to be exported.
  private var noted = 0
  private var keptIDs: Set<LineID> = []
  /// Whether nothing reaches it, or comes from it.
  var isOff = false
  /// Whether it never comes back.
  var isDead = false

  init(name: String, app: SampleApp?, skew: Int) {
    guard let writer = Writer(device: name, incarnation: "0") else { preconditionFailure("'\(name)' is no name") }
    device = Device(share: "share", writer: writer)
    (self.app, self.skew) = (app, skew)
  }

  var name: String { device.writer.device }

  /// The commits that its journal doesn't have.
  private var pending: [LocalCommit] {
    guard let exported = device.exported else { return log }
    return Array(log.drop { $0.label != exported }.dropFirst())
  }

  /// Whether it has said all that it did.
  var hasExportedAll: Bool { pending.isEmpty }

  // MARK: The local half

  mutating func commit(_ after: JSONValue?, action: JSONValue?, app: AppVersion?, at time: Int) {
    log.append(
      LocalCommit(
        label: "\(log.count + 1)", time: max(2, time + skew), before: document, after: after,
        actions: action.map { [$0] }, app: app))
    document = after
  }

  // MARK: Sync

  /// One step under the lock.
  mutating func sync(at now: Int, newName: () -> String, asBytes: Bool, variant: ShareVariant?) throws {
    try export(variant)
    try takeIn(newName: newName, asBytes: asBytes, variant: variant)
    let standing = Set(folder.values.joined().flatMap { [$0.id] + ($0.carriedID.map { [$0] } ?? []) })
    _ = try device.respond(app: variant == .nothingSettled ? nil : app, at: now) {
      variant == .nothingCarried || standing.contains($0)
    }
    writeJournal(variant)
    document = device.document
  }

  /// Says what has been done, and no more.
  mutating func export(_ variant: ShareVariant? = nil) throws {
    if variant == .exportNoted {
      _ = try device.export(Array(log.dropFirst(noted)))
      noted = log.count
    } else {
      _ = try device.export(pending)
    }
    writeJournal(variant)
  }

  /// Says what it held when it joined, without having heard of the others.
  mutating func seed(_ document: JSONValue, _ seed: JournalEntry.Seed, at time: Int, variant: ShareVariant?) throws {
    if variant == .newestSeed {
      commit(document, action: nil, app: nil, at: time)
      return try export()
    }
    self.document = document
    _ = try device.seed(document, seed)
    writeJournal(variant)
  }

  /// Writes its journal, unless somebody else's stands there.
  private mutating func writeJournal(_ variant: ShareVariant?) {
    let name = device.writer.text
    guard !device.journal.isEmpty, variant == .oneNameForClones || !device.isForeign(folder[name] ?? []) else { return }
    folder[name] = device.journal
  }

  private mutating func takeIn(newName: () -> String, asBytes: Bool, variant: ShareVariant?) throws {
    for (name, file) in folder.sorted(by: { $0.key < $1.key }) {
      var bytes: [UInt8] = []
      if asBytes { for line in file { line.write(to: &bytes) } }
      let journal = asBytes ? Journal(bytes, name: name, share: "share") : nil
      let lines = journal?.lines ?? file
      if name == device.writer.text, device.isForeign(lines), variant != .oneNameForClones {
        former += device.journal
        guard let writer = Writer(device: self.name, incarnation: newName()) else { preconditionFailure("a bad name") }
        _ = try device.beginAgain(as: writer)
      }
      keep(lines)
      keep(journal?.carried ?? file.compactMap(\.carriedLine))
    }
    writeJournal(variant)
  }

  private mutating func keep(_ lines: [JournalLine]) {
    let news = lines.filter { keptIDs.insert($0.id).inserted }
    kept += news
    device.take(news)
  }

  /// The instance ends, and another one begins with what was kept. Of the last thing that it did nothing is noted.
  mutating func restart() {
    var next = Device(share: device.share, writer: device.writer)
    for line in former + device.journal { next.restore(line) }
    next.take(kept)
    device = next
    noted = max(0, noted - 1)
  }
}

extension JournalLine {
  /// The ID of the line that this one carries.
  var carriedID: LineID? { if case .carried(let line) = contents { line.id } else { nil } }

  /// The line that this one carries.
  var carriedLine: JournalLine? {
    guard case .carried(let line) = contents else { return nil }
    return try? JournalLine(body: line.body, after: line.previous, id: line.id)
  }
}
