import StateJSON

extension VersionLog {
  /// A version that is to be added.
  package struct Addition {
    package let version: Version
    package let content: JSONDocument
    /// The version before it, as far as this instance knows.
    package var predecessor: (hash: ContentHash, content: VersionContent)?
    /// What lost when it was merged.
    package var lost: [LostValue] = []
    package var kept: KeptChanges?
    package var actions: RecordedActions?
    /// Whether somebody saved it from outside.
    var isSave = false
    /// When the file was modified last, if somebody saved it from outside, and that is to be kept.
    var found: FoundTime?
    /// Whether it is a version already, or only once it is confirmed.
    package var stands = true
  }

  /// Adds versions in one write: a save that is torn off from what it was merged to counts as never merged. Only the last
  /// of them may be one that does not stand yet. Needs the shared file's lock.
  ///
  /// - Throws: When the log can't be written to; then none of the versions is in it.
  /// - Complexity: That of the differences between the values, and now and then that of the log.
  package func append(_ additions: [Addition]) throws(SystemError) {
    var last = try lastVersion()
    var confirmsLast = false
    if let first = additions.first, let announced = last, let mark = current?.end?.mark {
      let isSame = announced.hash == first.version.hash && first.version.cause != .merged
      if isSame && first.stands || announced.hash == first.predecessor?.hash {
        // A writer that goes on from it has found it in the file.
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
      // The version that the log ends with isn't added again, unless it was a save to be merged, and stands by itself now.
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
  func confirmNewest() throws(SystemError) -> Bool {
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
  /// The time is in milliseconds since 1970.
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
      try append([Addition(version: former, content: predecessor.content.document)])
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
}
