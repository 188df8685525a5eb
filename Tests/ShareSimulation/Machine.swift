import Replication
import StateJSON

/// A machine of the simulation: a document that instances share, their log, and its copy of the shared folder; and the processes
/// that look at it. A look takes the steps of `ShareSession` and `ShareJournals`, in their order.
struct Machine {
  let name: String
  let app: SampleApp?
  let variant: ShareVariant?
  /// How far its clock is off.
  var skew: Int
  /// What people use it with.
  var instances: [Instance] = []
  /// The document that instances on this machine share.
  private(set) var document: JSONValue?
  /// The commits to it that were made here.
  private(set) var log: [LocalCommit] = []
  /// The lines of each file in its copy of the folder.
  var folder: [String: [JournalLine]] = [:]
  /// What it keeps for itself.
  private(set) var records = Records()
  /// Whether contents that it has before it joins give way to those of the share.
  var adopts = false
  /// What goes wrong in the next look.
  var fate: Fate?
  /// Whether nothing reaches it, or comes from it.
  var isOff = false
  /// Whether it never comes back.
  var isDead = false
  /// The promises that it has seen broken.
  private(set) var breaches: Set<String> = []
  /// Whether it was ever killed after it had said that it had read something, and before anybody could see that.
  private(set) var wasBehind = false
  /// Whether it may have said that it has read what nobody can see yet.
  private var isBehind = false

  /// The processes that look at the share; `nil` for one that doesn't run.
  private var processes: [Process?]
  /// How many lines counted when the document was made what they come to.
  private var shown = -1
  /// The most lines that have counted.
  private var most = 0
  /// How much of the log a broken machine takes to be exported.
  private var noted = 0

  /// A process that looks at the share.
  private struct Process {
    var device: Device
    /// What it has read of the records.
    var ownFile = 0
    var ownCount = 0
    var keptCount = 0
    /// What it has read, and the device is yet to take.
    var arrived: [JournalLine] = []
  }

  init(name: String, app: SampleApp?, skew: Int, processes: Int, variant: ShareVariant?) {
    (self.name, self.app, self.skew, self.variant) = (name, app, skew, variant)
    self.processes = Array(repeating: nil, count: processes)
  }

  /// Whether it has seen what came of its joining.
  var hasJoined: Bool { shown >= 0 }

  /// How many processes take turns at the share.
  var processCount: Int { processes.count }

  /// The device as the files have it now.
  var device: Device { opened().device }

  /// Whether it has said all that it did.
  var hasExportedAll: Bool { pending(after: records.exported).isEmpty }

  /// Whether a journal of its has a line of somebody else twice.
  var carriesTwice: Bool {
    records.own.contains { journal in
      let carried = journal.compactMap(\.carriedID)
      return Set(carried).count != carried.count
    }
  }

  // MARK: The local half

  mutating func commit(
    _ after: JSONValue?, action: JSONValue? = nil, app: AppVersion? = nil, seed: JournalEntry.Seed? = nil, at time: Int
  ) {
    log.append(
      LocalCommit(
        label: "\(log.count + 1)", time: max(2, time + skew), before: document, after: after,
        actions: action.map { [$0] }, app: app, seed: variant == .newestSeed ? nil : seed))
    document = after
  }

  /// The commits that its journal doesn't have.
  private func pending(after label: String?) -> [LocalCommit] {
    let count = variant == .exportNoted ? noted : label.flatMap { Int($0) } ?? 0
    return Array(log[count...])
  }

  // MARK: A look at the share

  /// Says what was committed, and brings in what others did; unless something goes wrong.
  mutating func look(at now: Int, by turn: Int, asBytes: Bool, newName: () -> String) throws {
    let before = records
    var process = processes[turn] ?? reopened()
    processes[turn] = nil
    defer { fate = nil }
    do {
      try look(&process, at: now, asBytes, newName)
      processes[turn] = process
    } catch let end as Fate.End {
      // What the process has made of the device may not be in its files.
      wasBehind = wasBehind || isBehind
      if case .killed(true) = end { for index in processes.indices { processes[index] = nil } }
      if variant == .takenBeforeKept { records.forgetKept(since: before) }
    }
  }

  private mutating func look(
    _ process: inout Process, at now: Int, _ asBytes: Bool, _ newName: () -> String
  ) throws {
    catchUp(&process)
    try readFolder(process.device.writer.text, asBytes)
    catchUp(&process)
    if process.device.journal.count > 1 {
      take(&process)
      process.device.prepare(for: variant == .nothingSettled ? nil : app)
    }
    let wasShown = process.device.fold.lines.countedCount == shown
    try export(&process)
    let count = process.device.fold.lines.countedCount
    take(&process)
    let hasNews = !wasShown || process.device.fold.lines.countedCount != count
    isBehind = true
    let said = try respond(&process, at: now)
    try step()
    show(&process, isSame: !hasNews && !said.contains { $0.isDoing })
    try step()
    try publish(&process, newName)
    shown = process.device.fold.lines.countedCount
    if shown < most { breaches.insert("what counted counts no longer") }
    most = max(most, shown)
    if variant == .foreignRewritten { rewriteForeign(process.device.writer.text) }
  }

  private mutating func step() throws { try fate?.step() }

  // MARK: Saying something

  private mutating func export(_ process: inout Process) throws {
    let isReading = variant == .readBeforeExport
    if process.device.exported == nil {
      take(&process)
      let first = try join(&process.device)
      try keep(first, &process)
    } else {
      let commits = pending(after: process.device.exported)
      if !commits.isEmpty { try keep(process.device.export(commits, isReading: isReading), &process) }
    }
    try step()
    noted = log.count
  }

  /// What `ShareSession` says of a document that was there before its device joined.
  private func join(_ device: inout Device) throws -> [JournalLine] {
    let (label, time) = (log.last?.label ?? "0", log.last?.time ?? 0)
    let known = device.document
    guard let document, document != known, known == nil || !adopts else {
      let nothing = LocalCommit(label: label, time: time, before: document, after: document)
      return try device.export([nothing], isReading: true)
    }
    return try device.seed(document, .contents, upto: label)
  }

  private mutating func respond(_ process: inout Process, at now: Int) throws -> [JournalLine] {
    var standing: Set<LineID>?
    let lines = try process.device.respond(app: variant == .nothingSettled ? nil : app, at: now) { id in
      if standing == nil { standing = Set(folder.values.joined().flatMap(\.withCarried).map(\.id)) }
      return variant == .nothingCarried || standing?.contains(id) == true
    }
    try keep(lines, &process)
    return lines
  }

  /// Keeps what the device has just said.
  private mutating func keep(_ lines: [JournalLine], _ process: inout Process) throws {
    if lines.isEmpty { return }
    if variant == .shownBeforeKept {
      folder[process.device.writer.text] = process.device.journal
      try step()
    }
    let (count, end) = fate?.written(of: lines.count) ?? (lines.count, nil)
    records.say(lines.prefix(count))
    if let end { throw end }
    (process.ownFile, process.ownCount) = (records.own.count - 1, process.device.journal.count)
  }

  /// Makes its journal in the folder what it has said. Where somebody else has written to it, it goes on under another name.
  private mutating func publish(_ process: inout Process, _ newName: () -> String) throws {
    let (name, journal) = (process.device.writer.text, process.device.journal)
    guard !journal.isEmpty else { return }
    let there = folder[name] ?? []
    if variant != .oneNameForClones, process.device.isForeign(there) {
      guard let writer = Writer(device: self.name, incarnation: newName()) else { preconditionFailure("a bad name") }
      isBehind = true
      try keep(process.device.beginAgain(as: writer), &process)
      isBehind = false
      return try publish(&process, newName)
    }
    let start = there.isBeginning(of: journal) ? there.count : 0
    if start == journal.count { return }
    let (count, end) = fate?.written(of: journal.count - start) ?? (journal.count - start, nil)
    folder[name] = Array(journal[..<(start + count)])
    if let end { throw end }
  }

  /// Brings the document into its file.
  private mutating func show(_ process: inout Process, isSame: Bool) {
    let document = variant?.reading(of: process.device, records) ?? process.device.document
    if isSame, document != self.document { breaches.insert("what was done here is another thing, without news") }
    (self.document, isBehind) = (document, false)
  }

  // MARK: Reading

  /// The process that goes on after one was killed.
  private mutating func reopened() -> Process {
    if variant == .restartsFromFolder, let name = records.ownName, let there = folder[name], !there.isEmpty {
      records.replaceLast(with: there)
    }
    return opened()
  }

  /// Keeps what has arrived in the folder.
  private mutating func readFolder(_ ownName: String, _ asBytes: Bool) throws {
    for (name, file) in folder.sorted(by: { $0.key < $1.key }) where name != ownName {
      let lines = asBytes ? file.reread(name) : file
      let news = lines[records.unread(of: lines, name, variant: variant)...]
      if news.isEmpty { continue }
      let (count, end) = fate?.written(of: news.count) ?? (news.count, nil)
      records.keep(news.prefix(count), of: name, variant: variant)
      if let end { throw end }
    }
    try step()
  }

  /// A process that begins with what the machine has kept.
  private func opened() -> Process {
    guard let writer = Writer(device: name, incarnation: "0") else { preconditionFailure("'\(name)' is no name") }
    var process = Process(device: Device(share: "share", writer: writer))
    catchUp(&process)
    take(&process)
    return process
  }

  private func catchUp(_ process: inout Process) {
    while process.ownFile < records.own.count {
      let file = records.own[process.ownFile]
      for line in file[process.ownCount...] {
        process.device.restore(line)
        if let carried = line.carriedLine { process.arrived.append(carried) }
      }
      if process.ownFile == records.own.count - 1 {
        process.ownCount = file.count
        break
      }
      (process.ownFile, process.ownCount) = (process.ownFile + 1, 0)
    }
    process.arrived += records.kept[process.keptCount...]
    process.keptCount = records.kept.count
  }

  private func take(_ process: inout Process) {
    process.device.take(process.arrived)
    process.arrived = []
  }

  /// Writes a journal of somebody else anew.
  private mutating func rewriteForeign(_ ownName: String) {
    let files = folder.sorted { $0.key < $1.key }
    guard let (name, file) = files.first(where: { $0.key != ownName && $0.value.dropLast().contains(where: \.isAck) })
    else { return }
    var lines: [JournalLine] = []
    for line in file where !line.isAck {
      guard let copy = try? JournalLine(body: line.body, after: lines.last?.id) else { return }
      lines.append(copy)
    }
    folder[name] = lines
  }
}

extension JournalLine {
  /// Whether it says only that something was read.
  fileprivate var isAck: Bool { kind == "ack" }

  /// It, and all that it carries.
  fileprivate var withCarried: [JournalLine] { [self] + (carriedLine?.withCarried ?? []) }
}

extension [JournalLine] {
  /// Whether another journal begins with this one. The last line says all that is before it.
  fileprivate func isBeginning(of journal: [JournalLine]) -> Bool {
    isEmpty || count <= journal.count && self[count - 1].id == journal[count - 1].id
  }

  /// The same as it is read from its bytes.
  fileprivate func reread(_ name: String) -> [JournalLine] {
    var bytes: [UInt8] = []
    for line in self { line.write(to: &bytes) }
    return Journal(bytes, name: name).lines
  }
}
