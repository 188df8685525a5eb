import StateJSON

/// One file that several instances, and any editor, read and replace without losing each other's saves.
///
/// Use it from one thread. Reading needs no lock, but what is read without it may only be shown; everything that
/// changes something needs `tryLock()` first. Only what the file protocol bounds by milliseconds is waited for.
package final class SharedFile {
  /// The absolute path that was asked for; a symbolic link stays one.
  package let path: String
  package let instance: String
  let durability: Durability
  let sizeLimit: Int
  /// Where redo records go.
  let stateFolder: String
  /// The mark of this device, where stamps may come from others: only those with it count.
  var deviceMark: String?
  var capabilities = Capabilities()
  /// Set when the file can't be swapped, and what is written instead could lose a race with an editor.
  package internal(set) var degradation: Degradation?
  /// Called before the steps that others may race with; for tests.
  var onStep: (Step) -> Void = { _ in }

  // What is known, each a value of its own.
  private var place: Place
  /// Whether the path is known to lead there still, as whoever watches the way to it has been told of no change: then reading
  /// need not find out.
  package var isWayKnown = false
  private var lock = Lock()
  /// What stands at the path.
  var seen = Seen()
  var openFiles = OpenFiles()
  var partner = SwapPartner()
  /// What was displaced from the path and may still be written to, or was not ingested yet.
  var displaced: [Displaced] = []
  var readers = Readers()
  var leftovers = Leftovers()
  var writeback = Writeback()

  /// Where the file is.
  private struct Place {
    /// The directory that it stands in, its links resolved.
    let folder: Folder
    /// The file's own name in the folder.
    let name: String
    /// Where it really is.
    let path: String
    /// What the names of all files begin with that this machine's instances put beside it.
    let prefix: String
    /// Whether the path that was asked for leads there by no symbolic link, and each of its names is on the way.
    let isDirect: Bool

    init(_ folder: Folder, _ name: String, isDirect: Bool) {
      (self.folder, self.name, self.isDirect) = (folder, name, isDirect)
      path = folder.path(of: name)
      prefix = SharedFileName.family(of: name) + Machine.identifier + "-"
    }
  }

  var folder: Folder { place.folder }
  var name: String { place.name }
  /// Where the file really is.
  package var resolvedPath: String { place.path }
  var prefix: String { place.prefix }

  /// The lock that all instances share.
  private struct Lock: ~Copyable {
    enum Hold { case none, taken, resting }

    var hold = Hold.none
    /// Since when others have been kept from it, by `MonotonicClock`.
    var since: UInt64 = 0
    /// How often it was taken.
    var count = 0
    var file: LockFile?
  }

  package var isLocked: Bool { lock.hold == .taken }
  /// Whether the lock is kept from others between two commits: see ``rest()``.
  var isResting: Bool { lock.hold == .resting }
  /// Since when others have been kept from the lock, by `MonotonicClock`.
  package var lockedSince: UInt64 { lock.since }
  /// How often the lock was taken: tells what was found out under this hold of it from what may have changed since.
  var lockCount: Int { lock.count }
  /// How long others may be kept from the lock by commits that follow each other, in nanoseconds.
  package static let longestHold: UInt64 = 15_000_000

  /// What stands at the path, as far as this instance has looked.
  struct Seen {
    /// The contents; `nil` after a swap that brought out something else than expected, or what couldn't be looked at.
    var newest: Contents?
    /// What was read or written last; `nil` where nothing was.
    var status: FileStatus?
    /// What the file had that stood here last: its replacement gets it, and one that is made again.
    var ownership: Ownership?
    /// The rights of a file that this user was found to be allowed to write to, and under which hold of the lock.
    var writableRights: (rights: FileStatus.Rights, hold: Int)?
  }

  /// What the next contents are written to, and swapped with those at the path.
  struct SwapPartner: ~Copyable {
    /// What the last swap brought out, as expected. Until the lock is given back its name proves that the new contents
    /// came to stand, whatever becomes of this instance.
    var swappedOut: Inspection?
    /// A file displaced earlier, free to be overwritten.
    var spare: Spare?
    /// The newest contents: they may have to be taken back, or be told from what comes to stand there later.
    var pin: Pin?
    /// Those before them, which may be the spare next, until the lock is given back.
    var formerPin: Pin?
  }

  /// What could not be looked after.
  struct Leftovers {
    /// Files, and why they could not be: see ``SharedFile/unrecovered``.
    var unrecovered: [(name: String, error: SystemError)] = []
    /// Where a write in place is done whose redo record could not be removed.
    var redoRecord: String?
  }

  /// What the last `recover` could not look after, and why; it tries again the next time.
  var unrecovered: [(name: String, error: SystemError)] { leftovers.unrecovered }

  /// Finds the file. It need not exist, but its folder must.
  ///
  /// - Throws: Where the path means a directory, a FIFO, a socket or a device, or leads through a missing folder or
  ///   more than 40 links.
  package init(
    path: String, instance: String, durability: Durability = .process, sizeLimit: Int = JSONLimits.default.size,
    stateFolder: String = StateFolder.path
  ) throws(SystemError) {
    self.path = try PathWalk.absolute(path)
    self.instance = instance
    self.durability = durability
    self.sizeLimit = sizeLimit
    self.stateFolder = stateFolder
    try Machine.identify()
    let target = try Self.locate(self.path)
    place = Place(
      try Folder(path: target.directory), target.name, isDirect: Self.leads(self.path, straightTo: target))
    if let status = try folder.status(of: name), let refusal = status.refusal, !status.isSymbolicLink {
      throw SystemError(call: "openat", errno: refusal.errno, path: self.path, detail: refusal.reason)
    }
  }

  // MARK: Lock

  /// Takes the lock that all instances share, unless another has it; and never waits.
  ///
  /// The lock is on the folder, since the file itself is replaced all the time. What was resolved before may be stale
  /// by the time the lock is held, so the path is resolved again under it. After a ``rest()`` nothing has to be taken, nor
  /// resolved, since the lock was held all the time.
  ///
  /// - Returns: Whether the lock is held now.
  /// - Throws: When this user may not lock. Who can't lock may not write.
  package func tryLock() throws(SystemError) -> Bool {
    precondition(!isLocked, "the lock is already held")
    if isResting {
      lock.hold = .taken
      return true
    }
    for _ in 0..<PathWalk.linkLimit {
      // A lock file must not be made in a folder that is gone; the lock of such a folder does no harm.
      if !capabilities.directoryLocks { try relocate() }
      guard try acquire() else { return false }
      do throws(SystemError) {
        if try !relocate() {
          lock.hold = .taken
          lock.count += 1
          lock.since = MonotonicClock.now()
          return true
        }
      } catch {
        release()
        throw error
      }
      // `relocate` opened another folder, and closing the former one gave its lock back.
    }
    throw SystemError(call: "flock", errno: System.EAGAIN, path: path, detail: "the path keeps changing")
  }

  /// Ends a commit, and keeps others from the lock, as another one will follow at once.
  ///
  /// What the last swap brought out stays as it is, to be overwritten by the next. That, and all that has to be found out anew
  /// whenever the lock is taken, is more than half of a commit. Until `tryLock()` or `unlock()`, one of which must come within
  /// milliseconds, nothing may be done with the file but to read it.
  package func rest() {
    precondition(isLocked, "the lock isn't held")
    openFiles.read = nil
    lock.hold = .resting
  }

  /// Whether what stands beside the file would tell whoever recovers it that the newest contents have come to stand, also once somebody
  /// has put another file in their place: what was only renamed away wouldn't.
  var provesReplacement: Bool { partner.swappedOut != nil && capabilities.exchange }

  /// Gives the lock back.
  package func unlock() {
    precondition(lock.hold != .none, "the lock isn't held")
    settleReaders()
    discardSettled()
    openFiles = OpenFiles()
    release()
    lock.hold = .none
    partner.formerPin = nil
  }

  /// The folder whose lock stands for the file's; nil where a lock file does.
  var lockedFolder: Folder? { capabilities.directoryLocks ? folder : nil }

  private func acquire() throws(SystemError) -> Bool {
    if capabilities.directoryLocks {
      do throws(SystemError) {
        return try folder.descriptor.tryLock()
      } catch {
        switch error.errno {
        case System.EBADF where folder.isPassedThroughOnly:
          throw SystemError(call: "flock", errno: System.EACCES, path: folder.path)
        case System.EBADF, System.EINVAL, System.EISDIR, System.ENOTSUP, System.ENOSYS, System.ENOLCK:
          capabilities.directoryLocks = false
        default: throw error
        }
      }
    }
    lock.file = try LockFile(name: lockName, in: folder)
    return lock.file != nil
  }

  /// The name of the file whose lock stands for the shared one's, where the folder can't be locked.
  private var lockName: String { SharedFileName.family(of: name) + "lock" }

  /// Whether that stands there, and may be of use: who has the lock removes it when giving it back, unless it is killed before.
  var hasLockFile: Bool {
    // Who has never locked the folder doesn't know yet whether it can.
    guard !capabilities.directoryLocks || lockCount == 0 else { return false }
    // What can't be examined now is asked for again.
    return ((try? folder.status(of: lockName)) ?? nil) != nil
  }

  private func release() {
    lock.file?.release()
    lock.file = nil
    folder.descriptor.unlock()
  }

  /// Resolves the path again, and tells whether it means another place now.
  @discardableResult
  private func relocate() throws(SystemError) -> Bool {
    if leadsHere(), (try? folder.status(of: name))??.isSymbolicLink == false { return false }
    return try walk()
  }

  /// Whether the path still leads to the folder, as far as that can be told without walking it.
  ///
  /// Where it went by no link, a walk now would end in whatever folder the system finds at the same path, or be refused on
  /// the way. That folder is open, so nothing else can have its identity. Should somebody have put a link on the way since,
  /// it leads to this very folder, and is looked at again each time.
  private func leadsHere() -> Bool {
    // What can't be examined is walked to, which tells why.
    place.isDirect && (try? FileStatus(of: folder.path).identity) == folder.identity
  }

  /// Resolves the path again, step by step.
  @discardableResult
  private func walk() throws(SystemError) -> Bool {
    let target = try Self.locate(path)
    if try FileStatus(of: target.directory).identity == folder.identity && target.name == name { return false }
    let newFolder = try Folder(path: target.directory)
    // Of a lock that is kept for the next commit nothing holds there.
    if isResting { unlock() } else { release() }
    demoteSpare()
    readers = Readers()
    seen.ownership = nil
    degradation = nil
    place = Place(newFolder, target.name, isDirect: Self.leads(path, straightTo: target))
    return true
  }

  /// Whether a path consists of the names that its resolved form consists of.
  private static func leads(_ path: String, straightTo target: (directory: String, name: String)) -> Bool {
    let names = path.split(separator: "/").filter { $0 != "." }
    return names.last == target.name[...] && names.dropLast() == target.directory.split(separator: "/")[...]
  }

  private static func locate(_ path: String) throws(SystemError) -> (directory: String, name: String) {
    let walk = try PathWalk(path)
    if let target = walk.target { return (target.directory, target.name) }
    let missing = walk.steps.last?.path ?? path
    throw SystemError(call: "openat", errno: System.ENOENT, path: path, detail: "no such folder: '\(missing)'")
  }

  // MARK: Read

  /// Reads the file, once.
  ///
  /// Without the lock the path is resolved again first, unless ``isWayKnown``. Under the lock what looks as it did isn't read, where it
  /// will be swapped out: what is found then counts.
  ///
  /// - Throws: Also when the path has come to mean something that isn't a regular file.
  package func read() throws(SystemError) -> Snapshot {
    openFiles.read = nil
    if isLocked { return try readHere() }
    do throws(SystemError) {
      if !isWayKnown, !leadsHere() { try walk() }
      do throws(SystemError) {
        return try readHere()
      } catch {
        guard error.errno == System.ELOOP, error.call == "openat" else { throw error }
        // A link has come to stand at the name: the path leads elsewhere.
        try walk()
      }
    } catch {
      guard error.errno == System.ENOENT else { throw error }
      seen.status = nil
      return .missing
    }
    return try readHere()
  }

  private func readHere() throws(SystemError) -> Snapshot {
    if isLocked, let file = openFiles.written.take(), partner.swappedOut != nil, let newest = seen.newest,
      newest.stamp != nil, newest.identity == file.status.identity
    {
      // Most likely it stands there still; `replace` looks before it does anything.
      return note(newest, readFrom: file)
    }
    guard let file = try openFile(name) else {
      seen.status = nil
      if !isLocked { partner.pin = nil }
      return .missing
    }
    let contents =
      if let known = undisturbedContents(of: file) {
        known
      } else if let stamped = try stampedContents(of: file) {
        stamped
      } else {
        try leasedContents(of: file)
      }
    return note(contents, readFrom: file)
  }

  private func note(_ contents: Contents, readFrom file: consuming OpenFile) -> Snapshot {
    seen.status = contents.status
    if isLocked {
      openFiles.read = consume file
    } else if partner.pin?.identity != contents.identity {
      partner.pin = nil
    }
    if isLocked || seen.ownership == nil { seen.ownership = Ownership(contents.status, attributes: [:]) }
    seen.newest = contents
    return .contents(contents)
  }

  /// What is known to stand there, unless that looks as if somebody had been at it: what this instance has brought there since it
  /// took the lock, or what bears the stamp that it had before.
  ///
  /// Bytes that were changed within one tick of the file system's clock are found when they are swapped out.
  private func undisturbedContents(of file: borrowing OpenFile, bearing stamp: Stamp? = nil) -> Contents? {
    guard isLocked, var newest = seen.newest, newest.stamp != nil, file.status.hasSameContent(as: newest.status),
      partner.swappedOut != nil || stamp == newest.stamp && capabilities.exchange && degradation == nil
    else { return nil }
    newest.status = file.status
    return newest
  }

  /// What an instance has written, if the file has just that. Whoever writes to it now hasn't changed what was read, so nobody need
  /// be kept from it.
  private func stampedContents(of file: borrowing OpenFile) throws(SystemError) -> Contents? {
    guard capabilities.attributes, let stamp = try stamp(on: file.descriptor) else { return nil }
    if let known = undisturbedContents(of: file, bearing: stamp) { return known }
    let bytes = try bytes(of: file.descriptor, expecting: file.status.size, likely: isLocked ? seen.newest : nil)
    let (shared, hash) = identified(bytes)
    guard stamp.content == hash else { return nil }
    return Contents(bytes: shared, hash: hash, status: file.status, stamp: stamp, settled: true)
  }

  private func leasedContents(of file: borrowing OpenFile) throws(SystemError) -> Contents {
    let lease = capabilities.leases ? file.descriptor.take(.read) : .unsupported
    defer { file.descriptor.endLease() }
    var found = try contents(of: file.descriptor, at: name, under: lease, since: file.status)
    guard deviceMark != nil, found.settled, found.stamp == nil else { return found }
    // An engine puts a file there first, and sets its time then.
    let age = try WallClock.nanoseconds() - file.descriptor.status().changed.nanoseconds
    found.settled = age >= Self.timeSettles
    return found
  }

  /// After how many nanoseconds without a change a file's time is believed, where others bring files.
  private static let timeSettles: Int64 = 40_000_000

  /// Whether what stood at the path had other names, hard links, as well.
  ///
  /// Where a file gets a new name by a second one, as there is no `RENAME_NOREPLACE`, FUSE counts both for a second. So of what an
  /// instance wrote itself that isn't believed there, nor of anything where it can't be told.
  func hadOtherNames(_ contents: Contents) -> Bool {
    contents.status.links > 1 && (capabilities.noReplace || capabilities.attributes && contents.stamp == nil)
  }

  /// Notes that these contents have come to stand at the path.
  func noteWritten(_ contents: Contents) {
    seen.newest = contents
    seen.status = contents.status
  }

  /// Whether what this instance brought there last stands at the path, for who has been told that nobody wrote to it.
  ///
  /// No other file has its inode. It could have come back with other bytes, as somebody's spare, within one tick of the
  /// file system's clock, which its times don't tell; but not with the same stamp. By another name, which nobody may have
  /// watched yet, it can't have been written to while it has none.
  var standsAsWritten: Bool {
    guard !isLocked, let newest = seen.newest, let stamp = newest.stamp, stamp.instance == instance,
      newest.status == seen.status, partner.pin?.identity == newest.identity, leadsHere(),
      // What can't be examined is read, which tells why.
      (try? FileDescriptor.attribute(Stamp.attribute, of: resolvedPath)) == stamp.encoded(mark: deviceMark),
      let status = (try? folder.status(of: name)) ?? nil
    else { return false }
    return status.links == 1 && status.hasSameContent(as: newest.status)
  }

  /// Whether what stands at the path seems to be an instance's own change: it bears the stamp of one that brought nothing back.
  /// Only its bytes can tell whether the stamp is still theirs.
  var seemsChangedByInstance: Bool {
    // What can't be examined is read, which tells why.
    guard capabilities.attributes, let encoded = try? FileDescriptor.attribute(Stamp.attribute, of: resolvedPath),
      let stamp = stamp(in: encoded)
    else { return false }
    return !stamp.isRestore
  }

  /// Opens a file in the folder, or returns nil if it is missing.
  ///
  /// `O_NONBLOCK`, since opening a FIFO would block. It also makes `open` fail with `EAGAIN` while another process holds a
  /// write lease, which instances do for microseconds.
  func openForReading(_ name: String, _ flags: Int32 = System.O_RDONLY) throws(SystemError) -> FileDescriptor? {
    guard let file = try openFile(name, flags) else { return nil }
    return file.descriptor
  }

  /// As ``openForReading(_:_:)``, and tells what it was when it was opened.
  ///
  /// - Throws: `EAGAIN` if another process keeps a write lease for a second. A busy machine may stop an instance while it has one.
  func openFile(_ name: String, _ flags: Int32 = System.O_RDONLY) throws(SystemError) -> OpenFile? {
    let deadline = MonotonicClock.now() + 1_000_000_000
    while true {
      do throws(SystemError) {
        let file = try folder.open(name, flags | System.O_NONBLOCK | unnoticed)
        let status = try file.status()
        if let refusal = status.refusal {
          throw SystemError(call: "openat", errno: refusal.errno, path: file.path, detail: refusal.reason)
        }
        return OpenFile(descriptor: file, status: status)
      } catch {
        if error.errno == System.ENOENT { return nil }
        if error.errno == System.EPERM, capabilities.unnoticedReading {
          capabilities.unnoticedReading = false
          continue
        }
        if error.errno != System.EWOULDBLOCK || MonotonicClock.now() > deadline { throw error }
        MonotonicClock.sleep(nanoseconds: 50_000)
      }
    }
  }

  /// What lets this instance's readings leave no trace, where that is possible.
  var unnoticed: Int32 { capabilities.unnoticedReading ? System.O_NOATIME : 0 }

  /// Reads an open file in one piece, where the caller holds a lease or could not get one. The name, if there is one,
  /// is where it has to stand to count as settled, unless it bears the stamp of these bytes.
  ///
  /// What it was before may be known: the longer ago that was, the more changes are noticed. Where it has the bytes that are
  /// expected, nothing else is asked of it, since nobody needs to believe them anew.
  func contents(
    of file: borrowing FileDescriptor, at name: String?, under lease: LeaseAnswer, since known: FileStatus? = nil,
    expecting expected: Contents? = nil
  ) throws(SystemError) -> Contents {
    let before = if let known { known } else { try file.status() }
    let bytes = try bytes(of: file, expecting: before.size, likely: expected ?? (isLocked ? seen.newest : nil))
    if var expected, expected.bytes.hasSameBytes(as: bytes) {
      expected.status = before
      return expected
    }
    let stamp = capabilities.attributes ? try stamp(on: file) : nil
    let (shared, hash) = identified(bytes)
    if let stamp, stamp.content == hash {
      // An instance wrote just this, whatever has become of the file meanwhile: that is seen in another status than this one.
      return Contents(bytes: shared, hash: hash, status: before, stamp: stamp, settled: true)
    }
    let after = try file.status()
    var there: FileIdentity? = after.identity
    if let name { there = try folder.status(of: name)?.identity }
    let stable = before.hasSameContent(as: after) && bytes.count == after.size && there == after.identity
    return Contents(bytes: shared, hash: hash, status: after, stamp: nil, settled: lease == .granted && stable)
  }

  /// All bytes of an open file. A large text that is known most likely isn't read into memory once more.
  private func bytes(
    of file: borrowing FileDescriptor, expecting size: Int, likely: Contents?
  ) throws(SystemError) -> [UInt8] {
    if let likely, likely.bytes.count == size, size > FileDescriptor.pieceSize, try file.holds(likely.bytes) {
      return likely.bytes
    }
    return try file.contents(expecting: size, limit: sizeLimit)
  }

  /// Bytes and their hash. Most often they are what is known already: comparing is cheaper than hashing, and they can be shared.
  private func identified(_ bytes: [UInt8]) -> (bytes: [UInt8], hash: ContentHash) {
    if let newest = seen.newest, newest.bytes.hasSameBytes(as: bytes) { return (newest.bytes, newest.hash) }
    return (bytes, ContentHash(bytes))
  }

  /// The stamp on a file, whether it is that of its bytes or not; `nil` where there is none that can be read.
  func stamp(on file: borrowing FileDescriptor) throws(SystemError) -> Stamp? {
    try file.attribute(Stamp.attribute).flatMap(stamp(in:))
  }

  /// The stamp that an attribute says, if it counts here.
  func stamp(in attribute: [UInt8]) -> Stamp? { Stamp(encoded: attribute, mark: deviceMark) }
}
