import StateJSON

/// A version that was displaced while somebody had it open for reading, and had not read it yet.
///
/// Whoever it is has to read it some time: an editor, microseconds after it opened the file. Or it is another instance,
/// whose reading is never noted.
final class OpenedVersion {
  let hash: ContentHash
  /// The name of the displaced file. It stays until the readers are noted, and tells the next instance of them if this one is killed.
  let name: String
  let descriptor: FileDescriptor

  init(hash: ContentHash, name: String, descriptor: consuming FileDescriptor) {
    self.hash = hash
    self.name = name
    self.descriptor = descriptor
  }

  /// Whether nobody from outside can have read it.
  var isUnread: Bool {
    // Asked first: who has closed it has read it before.
    let isAbandoned = descriptor.take(.write) == .granted
    defer { descriptor.endLease() }
    // A version that can't be looked at counts as read.
    return isAbandoned && (try? descriptor.wasRead()) == false
  }
}

/// What somebody from outside can have read: an editor may come back with a save of it, however much later. Of no other version can it
/// have a buffer.
///
/// Who has read a version is looked for when it is displaced, and noted before anybody else can have the lock. What can't be found out
/// counts as read.
extension SharedFile {
  /// What is known of them, and not told yet.
  struct Readers {
    /// What was displaced while somebody had it open who had not read it yet, oldest first.
    var opened: [OpenedVersion] = []
    /// What was displaced after somebody had read it, or before, and that nobody has asked for yet.
    var versions: [ContentHash] = []
    /// What files are called whose readers were found out, and are yet to be noted.
    var settledNames: [String] = []
    /// Whether it is noted here when somebody reads a file; `nil` before that was tried.
    var areNoted: Bool?
  }

  /// How many displaced versions are kept in sight at once.
  private static let openedCount = 16

  /// Notes that a version which was displaced had been read, or that somebody may yet read it who has it open for writing as well.
  func noteReader(of found: borrowing Inspection) {
    let isInSight = found.company == .nobody || found.company == .readersOnly
    if found.wasRead || !isInSight { readers.versions.append(found.contents.hash) }
  }

  /// Notes that somebody may have read a version that was displaced, but couldn't be looked at as it was.
  func noteReader(of version: Contents) { readers.versions.append(version.hash) }

  /// Keeps a displaced version in sight until those who have it open have read it, or the lock is given back.
  func awaitReaders(of found: consuming Inspection) {
    guard !found.wasRead else { return discard(found.name) }
    found.descriptor.endLease()
    if readers.opened.count == Self.openedCount { settle(readers.opened.removeFirst()) }
    readers.opened.append(OpenedVersion(hash: found.contents.hash, name: found.name, descriptor: found.descriptor))
  }

  private func settle(_ version: OpenedVersion) {
    if !version.isUnread { readers.versions.append(version.hash) }
    readers.settledNames.append(version.name)
  }

  /// Finds out who can have read what was displaced in this hold of the lock. Call it before the lock is given back, or a save is judged:
  /// nothing may be replaced after that.
  func settleReaders() {
    retireSwappedOut()
    let opened = readers.opened
    readers.opened = []
    opened.forEach(settle)
  }

  /// Removes the files of which is noted who can have read them.
  func discardSettled() {
    readers.settledNames.forEach(discard)
    readers.settledNames = []
  }

  /// The versions that were displaced, and that somebody has read, or can yet read; each is told once.
  func takeReadVersions() -> [ContentHash] {
    defer { readers.versions = [] }
    return readers.versions
  }

  /// Has ``takeReadVersions()`` tell versions again that could not be noted.
  func keepReadVersions(_ versions: [ContentHash]) { readers.versions = versions + readers.versions }

  /// Whether versions were found to have been read since ``takeReadVersions()``.
  var hasReadVersions: Bool { !readers.versions.isEmpty }

  /// Whether it is noted here when somebody reads a file, so that a version of which that isn't noted was read by nobody. Tried once.
  var notesReaders: Bool {
    if let known = readers.areNoted { return known }
    // What can't be tried is not known.
    let isNoted = (try? tryReading()) ?? false
    readers.areNoted = isNoted
    return isNoted
  }

  /// Reads a file without a name, and looks whether that is noted.
  private func tryReading() throws(SystemError) -> Bool {
    // Elsewhere others may read it whose kernels don't tell this one, and who has a file open can't be found out.
    guard capabilities.leases, capabilities.unnoticedReading,
      try !FileSystemKind(at: folder.path).changesBehindOurBack
    else { return false }
    let file = try folder.open(".", System.O_TMPFILE | System.O_RDWR, permissions: 0o600)
    try file.write([0])
    try file.forgetReaders()
    _ = try file.contents(from: 0, upTo: 1)
    return try file.wasRead()
  }
}
