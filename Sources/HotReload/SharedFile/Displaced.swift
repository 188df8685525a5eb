import StateJSON

/// A file that once stood at the path and was swapped out: somebody may still be writing to it.
///
/// While an instance lives, it holds a lock on what it displaced, so that another one doesn't take it for an orphan.
final class Displaced {
  let folder: Folder
  let identity: FileIdentity
  /// Opened `O_RDONLY`: a read lease excludes writers, also oneself.
  let descriptor: FileDescriptor
  var name: String
  /// Whether an instance that was killed had displaced it: what others committed since is not known.
  let isInherited: Bool
  /// The shortened hash of the bytes in it that have been taken care of.
  var believed: String
  /// Whether its bytes were handed out and may not be forgotten yet.
  var awaitsIngestion = false
  /// When it was displaced.
  var since: UInt64
  /// What was found in it last.
  var look: Look?
  /// The bytes that were handed out and sent back, for not being a whole save.
  var refused: ContentHash?
  /// The bytes that were found in it first, where it is inherited: who was killed may have taken them in.
  private var inherited: ContentHash?

  /// What a displaced file looked like, and since when it has looked like that.
  struct Look {
    let status: FileStatus
    let hash: ContentHash
    var since: UInt64
  }

  /// How coarse the clock of a file system can be (FAT's is): within this time bytes may change unnoticed.
  private static let clockGrain: UInt64 = 2_000_000_000

  init(
    folder: Folder, descriptor: consuming FileDescriptor, identity: FileIdentity, name: String, believed: String,
    awaitsIngestion: Bool = false, isInherited: Bool = false
  ) {
    self.identity = identity
    self.isInherited = isInherited
    self.folder = folder
    self.descriptor = descriptor
    self.name = name
    self.believed = believed
    self.awaitsIngestion = awaitsIngestion
    since = MonotonicClock.now()
    // An editor that locks what it edits is no reason to fail; the file is then nobody's orphan either.
    _ = try? self.descriptor.tryLock()
  }

  /// Takes note of what was found.
  ///
  /// - Returns: Since when it has had these bytes, as far as this was looked at.
  func note(_ contents: Contents, _ now: UInt64) -> UInt64 {
    if isInherited, look == nil { inherited = contents.hash }
    var since = now
    if let look, look.hash == contents.hash, look.status.hasSameContent(as: contents.status) { since = look.since }
    look = Look(status: contents.status, hash: contents.hash, since: since)
    return since
  }

  /// Whether another instance may have taken these bytes in. What has come since this one looks after the file, it alone
  /// has seen.
  func mayBeTakenIn(_ contents: Contents) -> Bool { contents.hash == inherited }

  /// Whether bytes that were dealt with are still in it, as far as its size and times tell. Reading it tells more.
  func looksTheSame(_ now: UInt64) throws(SystemError) -> Bool {
    guard let look, SharedFileName.short(look.hash) == believed || look.hash == refused else { return false }
    if now - look.since <= Self.clockGrain { return false }
    return try descriptor.status().hasSameContent(as: look.status)
  }
}
