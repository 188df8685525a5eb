import StateJSON

/// A version that was displaced while somebody had it open for reading, and had not read it yet.
///
/// Whoever it is has to read it some time: an editor, microseconds after it opened the file. Or it is another instance,
/// whose reading is never noted.
final class OpenedVersion {
  let hash: ContentHash
  /// The displaced file, which need not have a name any more.
  let descriptor: FileDescriptor
  let since = MonotonicClock.now()

  init(hash: ContentHash, descriptor: consuming FileDescriptor) {
    self.hash = hash
    self.descriptor = descriptor
  }

  /// Whether nobody else has it open.
  var isAbandoned: Bool {
    defer { descriptor.endLease() }
    return descriptor.take(.write) == .granted
  }
}

/// What somebody from outside has read: an editor may come back with a save of it, however much later.
extension SharedFile {
  /// How many displaced versions are kept in sight until they are read, and for how long, in nanoseconds.
  private static let openedCount = 16
  private static let openedTime: UInt64 = 30_000_000_000

  /// Notes that a version which was displaced had been read.
  func noteReader(of found: borrowing Inspection) {
    if found.wasRead { readVersions.append(found.contents.hash) }
  }

  /// Keeps a displaced version in sight until those who have it open have read it.
  func awaitReaders(of found: consuming Inspection) {
    guard !found.wasRead else { return }
    found.descriptor.endLease()
    if opened.count == Self.openedCount { opened.removeFirst() }
    opened.append(OpenedVersion(hash: found.contents.hash, descriptor: found.descriptor))
  }

  /// Looks whether somebody has read by now what he had open when it was displaced.
  package func lookAfterReaders() {
    guard !opened.isEmpty else { return }
    let now = MonotonicClock.now()
    opened.removeAll { version in
      // Asked first: who has closed it has read it before.
      let isOver = version.isAbandoned || now - version.since > Self.openedTime
      // What can't be looked at now is looked at again, until it is over.
      guard (try? version.descriptor.wasRead()) == true else { return isOver }
      readVersions.append(version.hash)
      return true
    }
  }

  /// Whether somebody may yet read a version that was displaced.
  package var hasReaders: Bool { !opened.isEmpty }

  /// Whether versions were found to have been read since this was asked for with ``takeReadVersions()``.
  package var hasReadVersions: Bool { !readVersions.isEmpty }

  /// The versions that were displaced, and that somebody had read or has read since; each is told once.
  package func takeReadVersions() -> [ContentHash] {
    lookAfterReaders()
    defer { readVersions.removeAll() }
    return readVersions
  }
}
