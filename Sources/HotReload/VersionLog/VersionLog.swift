import StateJSON

/// The recent versions of one shared file, kept by this user's instances on this machine.
///
/// A file of records in the state folder, named after the shared file's path. Its first record holds a whole value, the
/// others mostly a patch each, so that it needs nothing else to be read. It is changed only under the shared file's
/// lock, and always by appending: a torn last record, left by an instance that was killed, is overwritten by the next.
/// When it has grown too large, a thinned copy takes its place.
///
/// Nothing in it is needed to read or write the shared file. Where it can't be kept, stale saves are taken as they are.
package final class VersionLog {
  /// How large a log may become before it is thinned, unless the values themselves are larger: at a thousand commits a
  /// second, each of them read by somebody, the last seconds must be in what stays. A save may come that late.
  static let defaultSizeLimit = 4 << 20
  /// How many times a whole value fits into a log before it is thinned.
  static let valueLimit = 8

  private let place: Place
  private let sizeLimit: Int
  /// The log that stands at its place, as far as it is known.
  private var current: Current?
  /// Which hold of the shared file's lock is on, if that is known: nobody else changes the log as long as it is the same.
  package var hold: Int?
  /// In which hold the end was last looked for.
  private var endHold: Int?
  /// The version that the log ended with, if this instance knows it.
  private var cache: (hash: ContentHash, content: JSONDocument)?
  /// The versions that were read, and the places that they changed: the next who needs either reads only what is added.
  private var reader: HistoryReader?
  private var places: ChangedPlacesReader?
  /// Whether something was added that may not survive a power cut.
  private(set) var isUnflushed = false
  /// The file whose name in the folder does.
  private var flushedIdentity: FileIdentity?
  /// Whether this instance stays, so that a log that has grown too large can be thinned while versions are added to it.
  var thinsAside = false
  /// How large the largest whole value is that this instance has written.
  private var largest = 0

  /// - Parameters:
  ///   - file: The resolved path of the shared file.
  ///   - stateFolder: Where this user's instances keep what must outlive them.
  package convenience init(of file: String, in stateFolder: String = StateFolder.path) {
    self.init(of: file, in: stateFolder, sizeLimit: Self.defaultSizeLimit)
  }

  init(of file: String, in stateFolder: String, sizeLimit: Int) {
    self.sizeLimit = sizeLimit
    place = Place(folderPath: stateFolder, name: "\(ContentHash(Array(file.utf8))).versions")
  }

  private struct Place {
    let folderPath: String
    let name: String
    var path: String { "\(folderPath)/\(name)" }
    /// The name of a thinned copy before it takes the log's place.
    var copyName: String { "\(name)~" }

    func folder() throws(SystemError) -> Folder { try StateFolder.open(folderPath) }

    /// The folder, if the log is there.
    func existing() throws(SystemError) -> Folder? {
      guard let folder = try StateFolder.existing(folderPath), try folder.status(of: name) != nil else { return nil }
      return folder
    }
  }

  /// One file that is the log until another takes its place.
  private struct Current: ~Copyable {
    let file: FileDescriptor
    let identity: FileIdentity
    /// How it ended when it was last read or written by this instance.
    var end: End?
    /// What it says of its format, as far as it has been read.
    var format: LogFormat?
    /// The thinned copy of it that this instance makes.
    var copy: ThinnedCopy?
    /// How large it must be before thinning it, which failed, is tried again.
    var nextThinning = 0

    init(_ file: consuming FileDescriptor, _ identity: FileIdentity, end: End? = nil, format: LogFormat? = nil) {
      self.file = file
      (self.identity, self.end, self.format) = (identity, end, format)
    }

    /// Forgets what was read: it isn't what it was.
    mutating func forget() { (end, copy, format) = (nil, nil, nil) }
  }

  private struct End {
    /// How long the log was.
    var size = 0
    /// The version that it ended with.
    var version: Version?
    /// Where the mark is of one that has not come to stand.
    var mark: Int?
    /// What this instance has written from there on, without it; of what is long only the beginning.
    var unmarked: [UInt8]?
  }

  /// How much is read of the end of a log that others have added to, mostly.
  private static let tailSize = 4096
  /// How much of what stands in the log is written once more at most to save a write of one byte.
  private static let rewriteLimit = 1024

  // MARK: Write

  /// Adds a version. Needs the shared file's lock.
  ///
  /// - Parameters:
  ///   - version: What is known about it.
  ///   - content: What it says.
  ///   - predecessor: The version before it, as far as this instance knows.
  ///   - lost: What lost when the version was merged.
  ///   - stands: Whether it is a version already, or only once it is confirmed.
  /// - Throws: When the log can't be written to; then the version isn't in it.
  /// - Complexity: That of the difference between the values, and now and then that of the log.
  package func append(
    _ version: Version, content: JSONDocument, over predecessor: (hash: ContentHash, content: VersionContent)?,
    lost: [LostValue] = [], stands: Bool = true
  ) throws(SystemError) {
    try append([
      Addition(version: version, content: content, predecessor: predecessor, lost: lost, stands: stands)
    ])
  }

  /// Holds are counted anew from here on, by another instance.
  func forgetHold() { (hold, endHold) = (nil, nil) }

  /// A version that is to be added, as in ``append(_:content:over:lost:stands:)``.
  package struct Addition {
    package let version: Version
    package let content: JSONDocument
    package let predecessor: (hash: ContentHash, content: VersionContent)?
    package let lost: [LostValue]
    package var kept: KeptChanges?
    package var actions: RecordedActions?
    /// Whether somebody saved it from outside.
    var isSave = false
    /// When the file was modified last, if somebody saved it from outside, and that is to be kept.
    var found: FoundTime?
    package let stands: Bool
  }

  /// Adds versions in one write: a save that is torn off from what it was merged to counts as never merged. Only the last
  /// of them may be one that does not stand yet. Needs the shared file's lock.
  ///
  /// - Throws: When the log can't be written to; then none of the versions is in it.
  package func append(_ additions: [Addition]) throws(SystemError) {
    var last = try lastVersion()
    var confirmsLast = false
    if let first = additions.first, let announced = last, let mark = current?.end?.mark {
      let isSame = announced.hash == first.version.hash && first.version.cause != .merged
      if isSame && first.stands || announced.hash == first.predecessor?.hash {
        // Who goes on from it has found it in the file.
        confirmsLast = true
      } else if !isSame, try text(from: mark, to: mark + 1) == [LogRecord.mark] {
        // Its writer failed, or was killed. But another may have written the same.
        try abort([announced])
        last = nil
      }
    }
    var (bytes, known, announced): ([UInt8], (hash: ContentHash, content: JSONDocument)?, Int?) = ([], cache, nil)
    for addition in additions {
      let version = addition.version
      // What was to be merged stands by itself now.
      if let last, last.hash == version.hash, last.cause != .merged || version.cause == .merged { continue }
      let (record, isContinued) = record(of: addition, after: last, known: known)
      // Nobody has looked who had read what a save displaced, or what is missing here.
      if let last, addition.isSave || !isContinued { bytes += Self.reader(of: last.hash, at: version.time).line }
      if !addition.stands { announced = bytes.count }
      bytes += lines(of: addition, record)
      (last, known) = (version, (version.hash, addition.content))
    }
    guard let last, !bytes.isEmpty else {
      if confirmsLast { _ = try confirmNewest() }
      return
    }
    try append(bytes, endingWith: last, confirmsLast: confirmsLast)
    if let announced, let size = current?.end?.size {
      current?.end?.mark = size - bytes.count + announced
      current?.end?.unmarked = [LogRecord.space] + bytes[(announced + 1)...].prefix(Self.rewriteLimit)
    }
    cache = known
    if announced == nil { thinIfTooLarge(endingWith: last) }
  }

  /// The record of a version, and whether it is one of a change of the last one.
  private func record(
    of addition: Addition, after last: Version?, known: (hash: ContentHash, content: JSONDocument)?
  ) -> (record: LogRecord, isContinued: Bool) {
    let own = known.map { (hash: $0.hash, content: VersionContent.text($0.content)) }
    let old = [addition.predecessor, own].lazy.compactMap(\.self).first { $0.hash == last?.hash }
    let record = LogRecord(
      kind: old == nil ? .whole : .patch, version: addition.version, before: last?.hash,
      body: old.map { $0.content.patch(to: addition.content).text }
        ?? addition.content.compactBytes)
    return (record, old != nil)
  }

  private func lines(of addition: Addition, _ record: LogRecord) -> [UInt8] {
    let version = addition.version
    var bytes = (addition.stands ? [] : [LogRecord.mark]) + record.line
    if record.kind == .whole { largest = max(largest, bytes.count) }
    let outcome = addition.lost.elements + (addition.kept.map { [$0.element] } ?? [])
    if !outcome.isEmpty {
      bytes += LogRecord(kind: .lost, version: version, before: version.hash, body: .array(outcome)).line
    }
    // The first version of a log that was begun anew was made of another one all the same.
    if let actions = addition.actions {
      bytes += actions.line(of: version, before: record.before ?? addition.predecessor?.hash)
    }
    // An editor that saved it has it in a buffer.
    if addition.isSave { bytes += Self.reader(of: version.hash, at: version.time).line }
    if let found = addition.found { bytes += found.line(of: version) }
    return bytes
  }

  /// Notes that a version has come to stand in the shared file. Needs the shared file's lock.
  ///
  /// - Parameter addition: What was added; where that failed, it is added now.
  /// - Throws: When that can't be noted. Where only the mark can't be taken off, the log is given up, since later saves
  ///   would be merged without the version.
  func confirm(_ addition: Addition) throws(SystemError) {
    guard let last = try lastVersion(), last.hash == addition.version.hash, last.cause != .merged else {
      return try append([addition])
    }
    if try confirmNewest() { thinIfTooLarge(endingWith: addition.version) }
  }

  /// Notes that the newest version has come to stand in the shared file, if its hash begins with some digits, and nobody has
  /// noted it. Needs the shared file's lock.
  ///
  /// - Throws: As ``confirm(_:)``.
  func confirmNewest(ifBeginningWith digits: String) throws(SystemError) {
    if try lastVersion()?.hash.description.hasPrefix(digits) == true { _ = try confirmNewest() }
  }

  /// Notes that the newest version has come to stand in the shared file, if the hash of the one before it begins with some digits,
  /// and nobody has noted it. Needs the shared file's lock.
  ///
  /// - Throws: As ``confirm(_:)``.
  func confirmNewest(ifAfter digits: String) throws(SystemError) {
    guard try lastVersion() != nil else { return }
    if try announced()?.before?.description.hasPrefix(digits) == true { _ = try confirmNewest() }
  }

  /// The newest version's record, if nobody has noted that it stands.
  private func announced() throws(SystemError) -> LogRecord.Head? {
    guard let size = current?.end?.size, let mark = current?.end?.mark else { return nil }
    return LogRecords(try text(from: mark, to: size)).heads.first
  }

  /// - Returns: Whether it wasn't noted before.
  private func confirmNewest() throws(SystemError) -> Bool {
    guard let mark = current?.end?.mark else { return false }
    do throws(SystemError) {
      // In place, so that it takes no room, and can't be torn.
      try current?.file.write([LogRecord.space], at: mark)
    } catch {
      giveUp()
      throw error
    }
    current?.end?.mark = nil
    return true
  }

  /// Whether the newest version, as far as this instance knows, is a certain one, and has yet to come to stand.
  func announces(_ hash: ContentHash) -> Bool { current?.end?.mark != nil && current?.end?.version?.hash == hash }

  /// The newest version, as far as this instance knows, if it has these bytes: as it stands in the log, which may have had it before.
  func newest(with hash: ContentHash) -> Version? { current?.end?.version.flatMap { $0.hash == hash ? $0 : nil } }

  /// Notes that somebody from outside can have read versions that stood in the shared file. Needs the shared file's lock.
  ///
  /// - Parameters:
  ///   - versions: What they are, by their hashes.
  ///   - time: The time, in milliseconds since 1970.
  /// - Throws: When the log can't be written to.
  func noteReaders(of versions: [ContentHash], at time: Int64) throws(SystemError) {
    try remark(versions.flatMap { Self.reader(of: $0, at: time).line })
  }

  private static func reader(of version: ContentHash, at time: Int64) -> LogRecord {
    let version = Version(hash: version, time: time, cause: .action, instance: "-")
    return LogRecord(kind: .read, version: version, before: nil, body: .null)
  }

  /// Notes that a version stood in the shared file for a moment before it was taken back: a save may be made from it. Needs
  /// the shared file's lock.
  ///
  /// - Parameters:
  ///   - version: What is known about it.
  ///   - content: What it says.
  ///   - predecessor: What the log ends with, without it; a log that was given up begins with that.
  /// - Throws: When the log can't be written to.
  package func withdraw(
    _ version: Version, content: JSONDocument, over predecessor: (hash: ContentHash, content: VersionContent)
  ) throws(SystemError) {
    _ = try lastVersion()
    if current?.end?.size == 0 {
      // Its own cause isn't known any more: that of the version that was made of it stands in.
      let former = Version(
        hash: predecessor.hash, time: version.time, cause: version.cause, instance: version.instance)
      try append(former, content: predecessor.content.document, over: nil)
    }
    let patch = predecessor.content.patch(to: content)
    try remark(LogRecord(kind: .withdrawn, version: version, before: predecessor.hash, body: patch.text).line)
  }

  /// Adds what is no version.
  private func remark(_ lines: [UInt8]) throws(SystemError) {
    let last = try lastVersion()
    let (isUnflushed, mark) = (isUnflushed, current?.end?.mark)
    try append(lines, endingWith: last)
    current?.end?.mark = mark
    // Not worth waiting for the disk: a power cut takes the buffers away as well.
    self.isUnflushed = isUnflushed
  }

  /// The version that the log ends with, if it stands by itself, and is known to have come to stand. Needs the shared file's
  /// lock.
  package func newest() throws(SystemError) -> ContentHash? {
    try lastVersion().flatMap { $0.cause == .merged || current?.end?.mark != nil ? nil : $0.hash }
  }

  /// Notes that the newest versions do not stand in the shared file after all. Needs the shared file's lock.
  ///
  /// - Parameter versions: Those that were added last, in that order. What isn't there need not be taken back; an older
  ///   version with the same bytes stays.
  /// - Throws: When that can't be noted; then the log is given up, since later saves would be merged with what never was.
  func abort(_ versions: [Version]) throws(SystemError) {
    guard let last = try lastVersion(), versions.contains(where: { $0.hash == last.hash }) else { return }
    var lines = versions.reversed().flatMap {
      LogRecord(kind: .aborted, version: $0, before: $0.hash, body: .null).line
    }
    do throws(SystemError) {
      // Whatever was found in its place displaced what stood, and nobody has looked who had read that.
      if let former = try announced()?.before { lines += Self.reader(of: former, at: last.time).line }
      try append(lines, endingWith: nil)
    } catch {
      giveUp()
      throw error
    }
  }

  /// Begins anew. Not by emptying the file: others remember where it ended, and would go on reading from there.
  func giveUp() {
    do throws(SystemError) {
      try place.folder().remove(place.name)
    } catch {
      // Should that fail as well, nothing here can be changed any more.
      try? current?.file.truncate(to: 0)
    }
    current = nil
    cache = nil
  }

  /// The versions, as ``history()``, for who holds the shared file's lock. Where none can be made of the records, the next
  /// one that is added stands by itself. What was read before isn't read again.
  func historyUnderLock() throws(SystemError) -> VersionHistory? {
    let last = try lastVersion()
    try readOn(&reader)
    let history = reader?.history
    if history == nil, last != nil {
      current?.end?.version = nil
      cache = nil
    }
    return history
  }

  /// Whether a patch of the newest version touches no place that any version has changed, or gives it a value that none had there.
  /// Needs the shared file's lock.
  func isApart(_ patch: JSONPatch, of newest: JSONDocument) throws(SystemError) -> Bool {
    _ = try lastVersion()
    try readOn(&places)
    guard let known = places?.places else { return false }
    // A place that no version has changed held the same in all of them.
    for place in known.untouched(by: patch) { insertOldest(place, of: newest) }
    let unfinished = known.unfinished(by: patch)
    if !unfinished.isEmpty, let oldest = try oldestDocument() {
      for place in unfinished { insertOldest(place, of: oldest) }
    }
    return places?.places.areApart(from: patch) ?? false
  }

  /// Notes what a place holds in a version, which is what it held in the oldest one.
  private func insertOldest(_ place: JSONPointer, of document: JSONDocument) {
    if let value = document.value(at: place) { places?.places.insert(oldest: value, at: place) }
  }

  /// The document of the oldest version; `nil` where there is none.
  private func oldestDocument() throws(SystemError) -> JSONDocument? {
    let records = LogRecords(try text(from: 0, to: current?.end?.size ?? 0))
    guard let head = records.heads.first(where: { $0.kind == .whole }) else { return nil }
    // The check says that it is what was written; of what can't be read nothing is known.
    return try? JSONDocument(parsing: Array(records.text[head.body]))
  }

  /// Reads what has been added since it was read last, or all if another log stands there now.
  private func readOn<Reader: LogReader>(_ reader: inout Reader?) throws(SystemError) {
    guard let identity = current?.identity, let size = current?.end?.size, size > 0 else { return reader = nil }
    if let known = reader, known.file != identity || known.size > size { reader = nil }
    for mark in reader?.marks ?? [] where try text(from: mark.place, to: mark.place + 1) != [LogRecord.mark] {
      reader?.confirm(mark.version)
    }
    let known = reader?.size ?? 0
    if known == size { return }
    if known > 0 { reader?.read(try text(from: known, to: size)) }
    // A program of format 1 may have cut off records that it didn't know, and gone on from there.
    if reader?.size != size {
      reader = Reader(of: identity)
      reader?.read(try text(from: 0, to: size))
    }
  }

  /// Adds lines, whose last version is the one given; and takes off the mark before them, where the version before has come to stand:
  /// in the same write, mostly. Where the log says nothing of its format, what it should say goes before.
  private func append(
    _ bytes: [UInt8], endingWith version: Version?, confirmsLast: Bool = false
  ) throws(SystemError) {
    guard let end = current?.end else { preconditionFailure("the end is looked for first") }
    var (bytes, start) = (bytes, end.size)
    if current?.format == nil { bytes = LogFormat.own.line + bytes }
    if confirmsLast, let mark = end.mark {
      if let unmarked = end.unmarked, mark + unmarked.count == end.size {
        // The rest of it is written over with the same, so that nobody can see it torn.
        (bytes, start) = (unmarked + bytes, mark)
      } else {
        _ = try confirmNewest()
      }
    }
    // Until it is known to be written: whoever comes next looks again.
    current?.end = nil
    do throws(SystemError) {
      try current?.file.write(bytes, at: start)
    } catch {
      // Of several versions some may be there whole. What can't be cut off is, at worst, a save without its merge.
      try? current?.file.truncate(to: end.size)
      throw error
    }
    current?.end = End(size: start + bytes.count, version: version)
    if current?.format == nil { current?.format = .own }
    isUnflushed = true
  }

  /// Waits until everything added so far is on the disk.
  package func flush() throws(SystemError) {
    guard isUnflushed else { return }
    try current?.file.flushContent()
    if current?.identity != flushedIdentity {
      try place.folder().descriptor.flush()
      flushedIdentity = current?.identity
    }
    isUnflushed = false
  }

  /// Finds the end of the log, and cuts off what was torn there. Reads only what others have added.
  ///
  /// - Returns: The version it ends with; nil where it is empty, or its last version was aborted.
  /// - Throws: Also where the log needs a program that knows more: then it stays as it is.
  private func lastVersion() throws(SystemError) -> Version? {
    let size = try open()
    try current?.format?.check(place.path)
    if let end = current?.end, end.size > size { current?.forget() }
    var known = current?.end ?? End()
    if let end = current?.end, end.size == size {
      endHold = hold
      return end.version
    }
    var (start, tail) = try tail(after: known.size, to: size)
    if known.size > 0, start + tail.end < size {
      // Torn. Or a program of format 1 has cut off what it didn't know before that, and gone on from there.
      current?.forget()
      known = End()
      (start, tail) = try self.tail(after: 0, to: size)
    }
    let format = LogFormat.newer(current?.format, tail.format)
    current?.format = format
    try format?.check(place.path)
    if start + tail.end < size { try current?.file.truncate(to: start + tail.end) }
    largest = max(largest, tail.largest)
    known = End(
      size: start + tail.end, version: tail.version(after: known.version),
      mark: tail.newest == nil ? known.mark : tail.mark.map { start + $0 })
    current?.end = known
    endHold = hold
    return known.version
  }

  /// What others have added, from where it was read. Mostly the last of it is enough: all that came before was added under the lock, by
  /// instances that went on from it. Where so much was added that it may hold a value of a size that matters for thinning, all is read.
  private func tail(after known: Int, to size: Int) throws(SystemError) -> (start: Int, LogTail) {
    let start = size - Self.tailSize
    if known > 0, start > known, size - known < sizeLimit / Self.valueLimit,
      let tail = LogTail(endOf: try text(from: start, to: size))
    {
      return (start, tail)
    }
    return (known, LogTail(try text(from: known, to: size)))
  }

  /// Opens the log that stands in the folder now: another instance may have put a thinned one in the place of the last.
  ///
  /// - Returns: How long it is.
  private func open() throws(SystemError) -> Int {
    if let hold, hold == endHold, let end = current?.end { return end.size }
    endHold = nil
    // Where it can't be examined, opening it tells why.
    if let status = try? FileStatus(of: place.path), status.identity == current?.identity { return status.size }
    let folder = try place.folder()
    if try folder.status(of: place.name) == nil { try removeOutdated(in: folder) }
    let opened = try folder.open(place.name, System.O_RDWR | System.O_CREAT, permissions: 0o600)
    let status = try opened.status()
    current = Current(opened, status.identity)
    return status.size
  }

  /// Removes the logs of files that nothing has happened to for so long that all versions have expired.
  private func removeOutdated(in folder: Folder) throws(SystemError) {
    let now = WallClock.now()
    for name in try folder.names(startingWith: "") where name.hasSuffix(".versions") || name.hasSuffix(".versions~") {
      guard let status = try folder.status(of: name), status.isRegularFile,
        now - status.modified / 1_000_000 > LogThinning.lifetime,
        // The log of a shared file may hold versions that other devices are yet to be told.
        try folder.status(of: ShareAgreement.fileName(ofLog: name)) == nil
      else { continue }
      try folder.remove(name)
    }
  }

  /// Puts a thinned log in the place of this one, which ends with a version. Where that can't be done, it grows on, and
  /// that is tried again when it has.
  private func thinIfTooLarge(endingWith newest: Version) {
    let limit = max(sizeLimit, largest * Self.valueLimit)
    guard let size = current?.end?.size, size > max(limit, current?.nextThinning ?? 0) else { return }
    do throws(SystemError) {
      // Not for ever, should whoever makes a copy be stopped.
      if thinsAside, size < 2 * limit { try thinAside(endingWith: newest) } else { try thin(endingWith: newest) }
    } catch {
      current?.copy = nil
      current?.nextThinning = size + sizeLimit / 8
      // It may be a lack of room.
      try? place.folder().remove(place.copyName)
    }
  }

  /// Begins to make a thinned copy, or puts it in the place of the log once it is made.
  private func thinAside(endingWith newest: Version) throws(SystemError) {
    guard let end = current?.end, let source = current?.identity else { return }
    let folder = try place.folder()
    guard let copy = current?.copy else {
      current?.copy = try ThinnedCopy(
        of: place.name, as: place.copyName, in: folder, source: source, size: end.size, now: newest.time,
        limit: thinnedSize)
      return
    }
    switch copy.outcome {
    case nil: return
    case .failed:
      current?.copy = nil
      try thin(endingWith: newest)
    case .made(let size):
      let opened = try folder.open(place.copyName, System.O_RDWR)
      let identity = try opened.status().identity
      // Somebody may have put another one there.
      guard try copy.identity() == identity else {
        current?.copy = nil
        return
      }
      let added = try text(from: copy.size, to: end.size)
      try copy.append(added, at: size)
      try folder.rename(place.copyName, to: place.name)
      current = Current(
        opened, identity, end: End(size: size + added.count, version: newest), format: current?.format ?? .own)
    }
  }

  /// How much of a log is to stay, about.
  private var thinnedSize: Int { max(sizeLimit, largest) / 2 }

  private func thin(endingWith newest: Version) throws(SystemError) {
    guard let end = current?.end else { return }
    let records = LogRecords(try text(from: 0, to: end.size))
    guard let lines = LogThinning.lines(of: records, now: newest.time, limit: thinnedSize) else {
      // Of what makes no sense nothing can be gone on with: the next version stands by itself.
      current?.end?.version = nil
      cache = nil
      return
    }
    let folder = try place.folder()
    // Whoever makes a copy aside writes to the one that he has.
    try folder.remove(place.copyName)
    let copy = try folder.open(
      place.copyName, System.O_RDWR | System.O_CREAT | System.O_TRUNC, permissions: 0o600)
    try copy.write(lines)
    try folder.rename(place.copyName, to: place.name)
    let identity = try copy.status().identity
    // What another release has added can't be read, and was left out with all that follows: then the next version stands by itself.
    let isWhole = records.end == end.size
    current = Current(
      copy, identity, end: End(size: lines.count, version: isWhole ? newest : nil), format: records.format ?? .own)
    if !isWhole { cache = nil }
  }

  private func text(from start: Int, to end: Int) throws(SystemError) -> [UInt8] {
    try current?.file.contents(from: start, upTo: end - start) ?? []
  }

  // MARK: Read

  /// The versions in the log, also those that may never have stood, or nil where there are none. Without the shared file's
  /// lock, those that were there a moment ago.
  ///
  /// - Throws: When the log can't be read, or needs a program that knows more.
  package func history() throws(SystemError) -> VersionHistory? {
    guard let folder = try place.existing() else { return nil }
    let file = try folder.open(place.name, System.O_RDONLY)
    let records = LogRecords(try file.contents(expecting: try file.status().size, limit: .max))
    try records.format?.check(place.path)
    return records.history
  }

  /// The actions that versions consist of, where they were recorded and can be read by anybody: of an app's own the encoded form.
  ///
  /// - Returns: By the hash of a version; of those with the same bytes the newest.
  /// - Throws: When the log can't be read.
  package func actions() throws(SystemError) -> [ContentHash: [JSONValue]] {
    guard let folder = try place.existing() else { return [:] }
    let file = try folder.open(place.name, System.O_RDONLY)
    let records = LogRecords(try file.contents(expecting: try file.status().size, limit: .max))
    var actions: [ContentHash: [JSONValue]] = [:]
    records.text.withUnsafeBytes { text in
      for head in records.heads {
        for line in head.unknown {
          let reading = RecordedActions.reading(line, of: head.version.hash, after: nil, in: text)
          if let said = reading?.actions, !said.isEmpty { actions[head.version.hash] = said }
        }
      }
    }
    return actions
  }
}

extension LogFormat {
  /// Makes sure that this program knows enough to go on with the log.
  ///
  /// - Parameter path: Where the log is.
  /// - Throws: `ENOTSUP` when it doesn't.
  fileprivate func check(_ path: String) throws(SystemError) {
    guard needs > Self.known else { return }
    throw SystemError(
      call: "openat", errno: System.ENOTSUP, path: path,
      detail: "only programs that know format \(needs) of such logs may, this one knows format \(Self.known)")
  }
}
