import Replication
import StateJSON

/// What a session says about a file that lies beside its journals, where what keeps the folder in sync brings others' files over it, and
/// people save where no instance runs.
extension ShareSession {
  /// How many versions of one look are named, whether anybody has read them or not. Of more, as in a burst, most stood for an instant.
  private static let namedCount = 64
  /// How many of those that nobody had read are remembered, in case that somebody does yet.
  private static let unnamedCount = 8_192

  /// Says what was committed and saved, in order, and which versions instances wrote.
  func tellFile(_ news: ShareLog.News, _ commits: [LocalCommit], to journals: ShareJournals) throws {
    var (plain, rest, finds): ([LocalCommit], ArraySlice<ShareLog.Written>, [FileVersion]) = ([], news.written[...], [])
    func sayPlain() throws {
      defer { plain = [] }
      if !plain.isEmpty { try journals.say { try $0.export(plain) } }
    }
    for (index, commit) in commits.enumerated() {
      guard let save = commit.save else {
        plain.append(commit)
        continue
      }
      // What was there before may be what it was made from.
      try sayPlain()
      let former = rest.prefix { $0.commitCount <= index }
      rest = rest.dropFirst(former.count)
      try declare(former, finds, in: journals)
      try tell(save, of: commit, before: rest.map(\.version), in: journals)
      finds.append(save.version)
    }
    try sayPlain()
    try declare(rest, finds, in: journals)
    try declareRead(news.read, in: journals)
    try declareStanding(news, in: journals)
  }

  /// Names versions that instances wrote.
  private func declare(
    _ written: ArraySlice<ShareLog.Written>, _ finds: [FileVersion], in journals: ShareJournals
  ) throws {
    guard !written.isEmpty else { return }
    var named = Array(written)
    if named.count > Self.namedCount {
      if declared.unnamed.count > Self.unnamedCount { declared.unnamed = [:] }
      for version in named.dropLast() { declared.unnamed[version.version.hash] = version.version }
      named.removeFirst(named.count - 1)
    }
    try journals.say { device in
      let unknown = named.map(\.version).filter { !device.isDeclared($0) }
      if unknown.isEmpty { return [] }
      // Where something had been found, and not been told yet, nobody else can know what that came to.
      return try device.declare(unknown, holding: finds.isEmpty ? nil : named.last?.value, finds: finds)
    }
  }

  /// Names what stands in the file, if that is the newest version under another time: what keeps the folder in sync may set it a moment
  /// after it has put another file there, and somebody may have saved without a change.
  private func declareStanding(_ news: ShareLog.News, in journals: ShareJournals) throws {
    guard let hash = news.hash, let version = standingVersion(hash), journals.device.isWrittenHere(hash: version.hash)
    else { return }
    try journals.say { $0.isDeclared(version) ? [] : try $0.declare([version]) }
  }

  /// Names those that somebody has turned out to have read.
  private func declareRead(_ hashes: Set<ContentHash>, in journals: ShareJournals) throws {
    guard !declared.unnamed.isEmpty else { return }
    let read = hashes.compactMap { declared.unnamed.removeValue(forKey: "\($0)") }.sorted {
      $0.time ?? 0 < $1.time ?? 0
    }
    if !read.isEmpty { try journals.say { try $0.declare(read) } }
  }

  private func tell(
    _ save: FoundSave, of commit: LocalCommit, before written: [FileVersion], in journals: ShareJournals
  ) throws {
    // Where times don't come through, or that isn't known yet, the bytes alone say what it is.
    let isTimed = journals.keepsTimes && save.version.time != nil
    let version = isTimed ? save.version : FileVersion(hash: save.version.hash, time: nil)
    let meaning = journals.device.meaning(of: version)
    if meaning == .known { return try journals.noteTimes(of: save.version) }
    let origin = origin(of: save.contents, save.version, at: save.label)
    let found = FoundSave(
      version, modified: save.modified, contents: save.contents,
      isRepeatedOnPurpose: isTimed && (meaning == .repeated || origin?.isRestore == true), nearest: origin?.version,
      written: written)
    try journals.say { try $0.tell(found, upto: commit.label, at: commit.time) }
    if let label = save.label, let notice = declared.origins?.notice(ofSaveAt: label, in: options.replica.file) {
      declared.held.append(HeldNotice(version: version, notice: notice, due: MonotonicClock.now() + Self.grace))
    }
  }

  // MARK: What is told of saves

  /// A notice about what stood in the file, and may yet turn out to be what an instance of another device wrote.
  struct HeldNotice {
    let version: FileVersion
    let notice: Notice
    let due: UInt64
  }

  /// How long the journal of who wrote it may take after the file, in nanoseconds.
  private static let grace: UInt64 = 5_000_000_000

  /// When something is to be told next; `nil` if nothing is.
  var noticeDue: UInt64? { declared.held.map(\.due).min() }

  /// Tells what became of those that are still saves.
  func tellHeld(knowing device: Device) {
    let now = MonotonicClock.now()
    for held in declared.held where held.due <= now && device.isSaved(held.version) { onNotice(held.notice) }
    declared.held.removeAll { $0.due <= now }
  }

  /// Says what explains saves of others better than what they said.
  func explainSaves(in journals: ShareJournals) throws {
    try journals.say { device in
      try device.explainSaves { [self] in origin(of: $0, $1, besides: $2)?.version }
    }
  }

  /// What a save comes from, by this device's own log; `nil` where that isn't told, or can't be read.
  func origin(
    of contents: JSONValue, _ version: FileVersion, at label: String? = nil, until time: Int64 = .max,
    besides isLater: (FileVersion) -> Bool = { _ in false }
  ) -> SaveOrigins.Origin? {
    guard agreement.form == .inside else { return nil }
    // By a log that can't be read, others explain it, by what they know.
    if declared.origins == nil, let history = (try? versions.history()) ?? nil {
      declared.origins = SaveOrigins(history, finds: log.finds)
    }
    return declared.origins?.origin(of: contents, version, at: label, until: time, besides: isLater)
  }

  /// The version that stands in the file, which has certain bytes; `nil` where others are told of none.
  func standingVersion(_ hash: ContentHash) -> FileVersion? {
    // One that is gone, or can't be examined, isn't named; the next look names it.
    guard agreement.form == .inside, let status = try? FileStatus(of: agreement.file) else { return nil }
    return FileVersion(hash, modified: status.modified)
  }

  /// Says what the file held when it came to be shared, if others have said it, or what it was most likely made from.
  ///
  /// - Returns: Whether that is so: otherwise it is said as what a file holds that lies somewhere else.
  func joinFile(
    with contents: LocalCommit, _ version: FileVersion, _ policy: JoinPolicy, in journals: ShareJournals
  ) throws -> Bool {
    guard let value = contents.after, journals.document != nil else { return false }
    let nothing = LocalCommit(label: contents.label, time: contents.time, before: value, after: value)
    let isKnown = journals.device.meaning(of: version) != .unknown
    guard isKnown || policy == .merge && journals.isExplained(value, as: version) else { return false }
    try journals.say { device in
      let save = FoundSave(version, contents: value)
      let told = isKnown ? [] : try device.tell(save, upto: contents.label, at: contents.time)
      return try told.isEmpty ? device.export([nothing], isReading: true) : told
    }
    return true
  }

  // MARK: Copies that an engine made

  /// Reads the copies that lie beside the file.
  func readCopies() throws {
    copies = Copies()
    guard agreement.form == .inside else { return }
    copies.found = try ConflictCopies(of: agreement.file).read(within: options.replica.limits) { name, reason in
      copies.faults.append("the copy '\(name)' beside the file can't be taken in: \(reason)")
    }
  }

  /// The names of files beside the shared one that an engine may have made of it, or somebody for himself. Nothing is done with them.
  package var unclearCopies: [String] { copies(.unclear) }

  /// The names of the copies that an engine made of the shared file, as long as they aren't taken in.
  package var waitingCopies: [String] { copies(.copy) }

  private func copies(_ verdict: ConflictCopyNames.Verdict) -> [String] {
    guard agreement.form == .inside else { return [] }
    // A folder that can't be read is told by the look.
    return (try? ConflictCopies(of: agreement.file).names(of: verdict)) ?? []
  }

  /// Says what they hold that nobody has said.
  func tellCopies(in journals: ShareJournals) throws {
    copies.told = copies.found
    for copy in copies.found {
      let version = journals.keepsTimes ? copy.version : FileVersion(hash: copy.version.hash, time: nil)
      // Of bytes that stood in the file before nothing is lost.
      guard journals.device.meaning(of: version) == .unknown else { continue }
      let save = FoundSave(
        version, modified: Int(copy.status.modified / 1_000), contents: copy.contents,
        nearest: nearest(to: copy, version))
      try journals.say { try $0.tell(save, upto: nil, at: Int(WallClock.now())) }
    }
  }

  /// The version in this device's own log that a copy was most likely made from: none that came later than it, unless that costs less.
  /// Then clocks are off.
  private func nearest(to copy: ConflictCopy, _ version: FileVersion) -> Device.OwnVersion? {
    let time = copy.status.modified / 1_000_000
    let origins = [time, .max].compactMap { origin(of: copy.contents, version, until: $0)?.version }
    func cost(_ origin: Device.OwnVersion) -> Int { SparseChange(from: origin.value, to: copy.contents)?.cost ?? 0 }
    return origins.min { cost($0) < cost($1) }
  }

  /// Removes those that were taken in, once that is on the disk.
  func removeCopies(in journals: ShareJournals) throws {
    guard !copies.told.isEmpty else { return }
    try journals.flush()
    let folder = try ConflictCopies(of: agreement.file)
    for copy in copies.told { try folder.remove(copy) }
  }
}
