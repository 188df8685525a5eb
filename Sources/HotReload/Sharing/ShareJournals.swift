import Replication
import StateJSON

/// A device's part in a share, and the files that it is read from and written to: the journals in the shared folder, and the
/// copies of them that this device keeps. Use it under a ``ShareLock``.
///
///     own-0001                 what this device has said, under its first name
///     6c1f…-0001               what it has read of one journal in the folder
///     6c1f…-0002               the same, where another one had taken its place
///
/// The copies make up the device. What is said is in them before it is in the folder, and what is read before it counts. So
/// nothing is known less than before, whatever becomes of the folder.
final class ShareJournals {
  let agreement: ShareAgreement
  private(set) var device: Device
  /// The name of its journal in the folder.
  private var ownName: String { "\(device.writer).journal" }
  /// The document that all it has taken comes to; `nil` if there is none.
  var document: JSONValue? { device.document }
  private let folder: ShareFolder
  /// Which folder the journals lie in.
  var folderIdentity: FileIdentity { folder.folder.identity }
  private let records: Folder
  /// The copies, by their names.
  private var kept: [String: KeptJournal] = [:]
  /// The copies of what this device has said; the last one is being continued.
  private var own: [String] = []
  /// What is known of the files in the folder, by their names.
  private var sources: [String: Source] = [:]
  /// What has been read, and the device is yet to take.
  private var arrived: [JournalLine] = []
  /// The devices in whose journals something of it was done.
  private var authors: Set<String> = []
  /// What people call devices, as far as that was read.
  private var names: [String: String] = [:]
  /// This device's journal in the folder, as it looked when it was the beginning of what it should be.
  private var published: (name: String, status: FileStatus)?
  /// The permissions of a new journal.
  private let permissions: UInt32

  /// What is known of a file in the folder.
  private struct Source {
    /// The name of its newest copy; none as long as it had no line.
    var copy: String?
    /// How it looked when it was read last.
    var status: FileStatus?
    /// What is wrong with it, as it was then.
    var damage: JournalError?
  }

  /// Opens the files of a share. Its journals get the permissions of the shared file.
  ///
  /// - Throws: When the folder, or the copies, can't be used.
  init(_ agreement: ShareAgreement, stateFolder: String, permissions: UInt32 = 0o600) throws(SystemError) {
    self.agreement = agreement
    self.permissions = permissions & 0o666 | 0o600
    folder = try ShareFolder(of: agreement)
    records = try StateFolder.open(stateFolder).folder(making: agreement.recordsName)
    guard let writer = Writer(device: agreement.device, incarnation: Self.newIncarnation()) else {
      preconditionFailure("an agreement names a device")
    }
    device = Device(share: agreement.share, writer: writer)
    try catchUp()
    take()
    // A line that is missed has been missed at least since the last copy was made.
    let age = heard.values.max().map { max(WallClock.now() - $0, 0) } ?? 0
    device.noteMissing(at: Self.now - Int(age))
  }

  /// A clock that goes on, in milliseconds.
  static var now: Int { Int(MonotonicClock.now() / 1_000_000) }

  private static func newIncarnation() -> String { InstanceName.random() }

  /// What is wrong with journals in the folder.
  var damages: [JournalError] { sources.sorted { $0.key < $1.key }.compactMap(\.value.damage) }

  /// When the newest lines of each device came that this one has copied, in milliseconds since 1970.
  var heard: [String: Int64] {
    var heard: [String: Int64] = [:]
    for (name, copy) in kept where !name.hasPrefix(Self.ownStem) {
      guard let device = copy.end.head?.writer.device, let status = (try? records.status(of: name)) ?? nil else {
        continue
      }
      heard[device] = max(heard[device] ?? 0, status.modified / 1_000_000)
    }
    return heard
  }

  // MARK: Whether there is anything to do

  /// What the last look came upon, so that nothing has to be read to know that nothing has changed since.
  private static let lookName = "look"

  /// Notes that all was looked at, and how the shared file was before that; `nil` if it was changed, so that another look is due.
  func noteLook(_ look: String?) throws(SystemError) {
    guard let look else { return try records.remove(Self.lookName) }
    let file = try records.open(Self.lookName, System.O_RDWR | System.O_CREAT | System.O_TRUNC, permissions: 0o600)
    try file.write(Array(look.utf8))
  }

  static func look(of agreement: ShareAgreement) -> String {
    guard let status = try? FileStatus(of: agreement.file) else { return "missing" }
    return "\(status.identity.inode) \(status.size) \(status.modified)"
  }

  /// Whether the shared file is as it was at the last look, and each journal in the folder as long as what this device keeps of it:
  /// then nothing has arrived, and there is nothing to say. Reads none of them.
  static func isQuiet(_ agreement: ShareAgreement, stateFolder: String) throws(SystemError) -> Bool {
    let look = look(of: agreement)
    guard let states = try StateFolder.existing(stateFolder), look != "missing",
      try states.status(of: agreement.recordsName)?.isDirectory == true
    else { return false }
    let records = try Folder(path: states.path(of: agreement.recordsName))
    guard try records.status(of: lookName) != nil,
      try records.open(lookName, System.O_RDONLY).contents(expecting: 64, limit: 256) == Array(look.utf8)
    else { return false }
    if agreement.form == .inside, try !ConflictCopies(of: agreement.file).names(of: .copy).isEmpty { return false }
    var sizes: [String: Int] = [:]
    for name in try records.names(startingWith: "").sorted() where isCopy(name) {
      // The newest copy of each journal comes last.
      sizes[String(name.prefix { $0 != "-" })] = try records.status(of: name)?.size
    }
    var isOwnThere = false
    for (name, status) in try ShareFolder(of: agreement).journals() {
      let isOwn = name.hasPrefix("\(agreement.device).") && status.size == sizes["own"]
      if isOwn { isOwnThere = true }
      guard isOwn || status.size == sizes[String(stem(of: name).dropLast())] else { return false }
    }
    return isOwnThere
  }

  // MARK: What is known of the engine

  /// Whether what keeps the folder in sync keeps files' times, or nobody else is there: then bytes that stood in the file before, under
  /// another time, were brought back on purpose.
  var keepsTimes: Bool {
    // One that can't be examined counts as missing: then restores are echoes, and nothing is lost.
    if (try? records.status(of: Self.timesName)) ?? nil != nil { return true }
    return device.isAlone
  }
  private static let timesName = "times"

  /// Notes that a version came as it was written, if another device wrote it.
  func noteTimes(of version: FileVersion) throws(SystemError) {
    guard device.isWrittenElsewhere(version), try records.status(of: Self.timesName) == nil else { return }
    _ = try records.open(Self.timesName, System.O_RDWR | System.O_CREAT, permissions: 0o600)
  }

  // MARK: Reading

  private static func isCopy(_ name: String) -> Bool { !name.hasPrefix(".") && name.contains("-") }

  /// The copies of a journal, oldest first.
  private func copies(of name: String) -> [String] {
    let stem = Self.stem(of: name)
    return kept.keys.filter { $0.hasPrefix(stem) }.sorted()
  }

  private static func stem(of name: String) -> String { "\(ContentHash(Array(name.utf8)).digits(of: 16))-" }
  private static let ownStem = "own-"

  private static func numbered(_ stem: String, after count: Int) -> String {
    let digits = String(count + 1)
    return stem + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
  }

  /// Finds what other processes of this device have said, or read, meanwhile.
  func catchUp() throws(SystemError) {
    for name in try records.names(startingWith: "").sorted() where Self.isCopy(name) {
      var copy = kept[name] ?? KeptJournal(name: name)
      let journal = try copy.read(in: records)
      kept[name] = copy
      let isOwn = name.hasPrefix(Self.ownStem)
      if isOwn, !own.contains(name) { own.append(name) }
      guard let journal else { continue }
      if isOwn { journal.lines.forEach { device.restore($0) } }
      found(journal, isOwn: isOwn)
    }
  }

  /// The devices that did something which this one is yet to say it has read, by what people call them.
  var unreadAuthors: [String] {
    let all = authors.union(device.unreadAuthors).subtracting([agreement.device])
    return all.map { names[$0] ?? $0 }.sorted()
  }

  private func found(_ journal: Journal, isOwn: Bool = false) {
    if !isOwn {
      arrived += journal.lines
      if let device = journal.head?.writer.device {
        if journal.lines.contains(where: \.isDoing) { authors.insert(device) }
        for case .name(let name) in journal.lines.lazy.map(\.contents) { names[device] = name }
      }
    }
    arrived += journal.carried
  }

  /// Whether anything was found that the device is yet to take.
  var hasArrivals: Bool { !arrived.isEmpty }

  /// Has the device take what was found, and read.
  func take() {
    device.take(arrived)
    (arrived, authors) = ([], [])
  }

  /// See ``Device/isExplained(_:as:)``.
  func isExplained(_ contents: JSONValue, as version: FileVersion) -> Bool {
    device.isExplained(contents, as: version)
  }

  /// Has the device take what was found, and find out what that comes to.
  func prepare(for app: (any ActionReducer)?) {
    take()
    device.prepare(for: app)
  }

  /// The labels up to which this device's journal in the folder says commits that the device doesn't know, in order; `nil` if it knows
  /// all that lies there. Otherwise what it keeps was set back, or another one writes under its name.
  func unknownLabels() throws(SystemError) -> [String]? {
    guard let copy = own.last, let end = kept[copy]?.end else { return nil }
    guard let status = try folder.folder.status(of: ownName) else { return nil }
    if published?.name == ownName, published?.status.size == status.size { return nil }
    if status.size == end.offset, try ends(ownName, as: copy, at: status.size) { return nil }
    guard let bytes = try folder.contents(of: ownName, from: 0, upTo: status.size) else { return nil }
    let there = Journal(bytes, name: ownName).lines
    guard device.isForeign(there) else { return nil }
    return there.filter { device.fold.lines.number(of: $0.id) == nil }.compactMap { $0.entry?.upto }
  }

  /// Reads what has arrived in the folder.
  func readFolder() throws(SystemError) {
    for (name, status) in try folder.journals() where name != ownName {
      var source = sources[name] ?? Source(copy: copies(of: name).last)
      if source.status?.hasSameContent(as: status) == true { continue }
      // One that has gone meanwhile is read when another look finds it there.
      guard try read(name, status, &source) else { continue }
      source.status = status
      sources[name] = source
    }
  }

  /// Removes the copies of this device's journal that say nothing more than it. Call it once the journal is in the folder: an engine
  /// that makes copies may have taken the journal itself away.
  func removeNeedlessCopies() throws(SystemError) {
    for (name, source) in sources {
      guard let status = source.status, try isNeedless(name, status) else { continue }
      try folder.folder.remove(name)
      sources[name] = nil
    }
  }

  /// Whether a file is a copy of this device's journal, as an engine makes them, in which there is nothing that the journal hasn't.
  private func isNeedless(_ name: String, _ status: FileStatus) throws(SystemError) -> Bool {
    guard name.hasPrefix("\(device.writer)."), let own = try folder.folder.status(of: ownName), own.size >= status.size,
      let copy = try folder.contents(of: name, from: 0, upTo: status.size)
    else { return false }
    return try folder.contents(of: ownName, from: 0, upTo: copy.count) == copy
  }

  /// Reads what a journal has that isn't known yet; returns whether it is there.
  private func read(_ name: String, _ status: FileStatus, _ source: inout Source) throws(SystemError) -> Bool {
    source.damage = nil
    if let copy = source.copy, let known = kept[copy], status.size >= known.end.offset {
      guard let bytes = try folder.contents(of: name, from: known.end.offset, upTo: status.size) else { return false }
      let journal = Journal(bytes, from: known.end, name: name)
      // Another file may have taken the name: it doesn't go on from there, or has the same length.
      let goesOn = try bytes.isEmpty ? ends(name, as: copy, at: status.size) : journal.damage == nil
      if goesOn || journal.end.offset > known.end.offset {
        source.damage = journal.damage ?? journal.carriedDamage.first
        try keep(journal, bytes, in: copy)
        return true
      }
    }
    // A file that doesn't begin as a journal isn't read any further, however long it is.
    guard let first = try folder.contents(of: name, from: 0, upTo: min(status.size, Self.endLength)) else {
      return false
    }
    let start = Journal(first, name: name)
    guard start.head != nil || status.size <= Self.endLength else {
      source.damage = start.damage
      return true
    }
    guard let bytes = try folder.contents(of: name, from: 0, upTo: status.size) else { return false }
    let journal = Journal(bytes, name: name)
    source.damage = journal.damage ?? journal.carriedDamage.first
    let known = Set(arrived.lazy.map(\.id))
    guard
      (journal.lines + journal.carried).contains(where: {
        device.fold.lines.number(of: $0.id) == nil && !known.contains($0.id)
      })
    else { return true }
    let copy = Self.numbered(Self.stem(of: name), after: copies(of: name).count)
    source.copy = copy
    kept[copy] = KeptJournal(name: copy)
    try keep(journal, bytes, in: copy)
    return true
  }

  /// Whether a journal in the folder ends as a copy of it does. A line's name is that of all before it, too. No journal at all doesn't.
  private func ends(_ name: String, as copy: String, at size: Int) throws(SystemError) -> Bool {
    let start = max(size - Self.endLength, 0)
    let end = try records.open(copy, System.O_RDONLY).contents(from: start, upTo: size - start)
    return try folder.contents(of: name, from: start, upTo: size) == end
  }

  /// How much is read of a file's beginning, or end, to know whether the rest is worth reading.
  private static let endLength = 1 << 16

  /// Keeps lines that are new.
  private func keep(_ journal: Journal, _ bytes: [UInt8], in copy: String) throws(SystemError) {
    guard let start = kept[copy]?.end.offset, journal.end.offset > start else { return }
    try kept[copy]?.append(Array(bytes[..<(journal.end.offset - start)]), upTo: journal.end, in: records)
    found(journal)
  }

  /// The names of all lines that lie in the folder now.
  func linesThere() throws(SystemError) -> Set<LineID> {
    var found: Set<LineID> = []
    for (name, status) in try folder.journals() {
      guard let bytes = try folder.contents(of: name, from: 0, upTo: status.size) else { continue }
      let journal = Journal(bytes, name: name)
      found.formUnion((journal.lines + journal.carried).lazy.map(\.id))
    }
    return found
  }

  // MARK: Writing

  /// Has the device say something, and keeps that; ``publish()`` shows it to others.
  ///
  /// - Throws: When it can't be kept, or no line can say it. Begin anew with the files then: the device is ahead of them.
  func say(_ body: (inout Device) throws -> [JournalLine]) throws {
    let lines = try body(&device)
    guard !lines.isEmpty else { return }
    if case .head = lines[0].contents { own.append(Self.numbered(Self.ownStem, after: own.count)) }
    guard let name = own.last else { preconditionFailure("a journal begins with its head") }
    var copy = kept[name] ?? KeptJournal(name: name)
    var bytes: [UInt8] = []
    for line in lines { line.write(to: &bytes) }
    let end = copy.end.after(lines)
    try copy.append(bytes, upTo: end, in: records)
    kept[name] = copy
  }

  /// Makes this device's journal in the folder what it has said. Where somebody else has written to it, under its name, the
  /// device goes on under another one, and that file stays as it is.
  func publish() throws {
    guard let copy = own.last, let end = kept[copy]?.end else { return }
    // Nobody reads more of one journal than there may be.
    if end.lineCount > JournalLimits.lineCount / 2 || end.offset > JournalLimits.fileSize / 2 {
      try publish(copy, upTo: end.offset)
      try beginAgain()
      return try publish()
    }
    try publish(copy, upTo: end.offset)
  }

  private func publish(_ copy: String, upTo size: Int) throws {
    let status = try folder.folder.status(of: ownName)
    if let status, let published, published.name == ownName, published.status.hasSameContent(as: status),
      published.status.size <= size
    {
      return try write(copy, from: published.status.size, to: size)
    }
    let there = try status.flatMap { try folder.contents(of: ownName, from: 0, upTo: $0.size) }
    if let there, device.isForeign(Journal(there, name: ownName).lines) {
      try beginAgain()
      return try publish()
    }
    let said = try records.open(copy, System.O_RDONLY).contents(from: 0, upTo: size)
    let start = there.map { $0.count <= size && said.starts(with: $0) ? $0.count : 0 } ?? 0
    try write(copy, from: start, to: size)
  }

  /// Waits until what this device has said is on the disk, here and in the folder.
  func flush() throws(SystemError) {
    if let copy = own.last { try records.open(copy, System.O_RDONLY).flush() }
    if try folder.folder.status(of: ownName) != nil { try folder.folder.open(ownName, System.O_RDONLY).flush() }
    try folder.folder.descriptor.flush()
  }

  /// Goes on under another name, and says commits, if any, at once. What lies in the folder under the former one is another's then.
  func beginAgain(saying commits: [LocalCommit] = []) throws {
    guard let writer = Writer(device: agreement.device, incarnation: Self.newIncarnation()) else { return }
    try say { try $0.beginAgain(as: writer) + $0.export(commits) }
  }

  /// Writes a part of what was said to this device's journal in the folder, and cuts off what is behind that.
  private func write(_ copy: String, from start: Int, to end: Int) throws(SystemError) {
    if start == end, published?.name == ownName { return }
    let bytes = try records.open(copy, System.O_RDONLY).contents(from: start, upTo: end - start)
    let file = try folder.folder.open(ownName, System.O_RDWR | System.O_CREAT, permissions: permissions)
    try file.write(bytes, at: start)
    if try file.status().size > end { try file.truncate(to: end) }
    published = (ownName, try file.status())
  }
}
