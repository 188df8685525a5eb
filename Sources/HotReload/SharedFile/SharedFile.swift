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

  /// The directory that the file stands in, its links resolved.
  private(set) var folder: Folder
  /// The file's own name in the folder.
  private(set) var name: String
  package private(set) var isLocked = false
  private var lockFile: LockFile?

  /// Set when the file can't be swapped, and what is written instead could lose a race with an editor.
  package internal(set) var degradation: Degradation?

  var capabilities: Capabilities
  /// Called before the steps that others may race with; for tests.
  var onStep: (Step) -> Void = { _ in }

  /// What was displaced from the path and may still be written to, or was not ingested yet.
  var displaced: [Displaced] = []
  /// What the last swap brought out, as expected. Until the lock is given back its name proves that the new contents
  /// came to stand, whatever becomes of this instance.
  var swappedOut: Inspection?
  /// A file displaced earlier, free to be overwritten.
  var spare: Displaced?
  /// The newest contents, opened neither for reading nor for writing: keeps their inode number from being given to
  /// another file while a swap may have to be taken back.
  var pin: FileDescriptor?
  var writeback = Writeback()
  /// What stood at the path when it was last looked at.
  var newest: Contents?
  /// What the file had that stood here last: its replacement gets it, and one that is made again.
  var lastOwnership: Ownership?

  /// What the last `recover` could not look after, and why; it tries again the next time.
  package internal(set) var unrecovered: [(name: String, error: SystemError)] = []
  /// Where a write in place is done whose redo record could not be removed.
  var surplusRedoRecord: String?

  /// What was displaced while somebody had it open who had not read it yet, oldest first.
  var opened: [OpenedVersion] = []
  /// What was displaced after somebody had read it, or before, and that nobody has asked for yet.
  var readVersions: [ContentHash] = []

  /// What was read last; nil where nothing was.
  private(set) var lastSeen: FileStatus?

  /// Finds the file. It need not exist, but its folder must.
  ///
  /// - Throws: Where the path means a directory, a FIFO, a socket or a device, or leads through a missing folder or
  ///   more than 40 links.
  package convenience init(
    path: String, instance: String, durability: Durability = .process, sizeLimit: Int = JSONLimits.default.size,
    stateFolder: String = StateFolder.path
  ) throws(SystemError) {
    try self.init(
      path: path, instance: instance, durability: durability, sizeLimit: sizeLimit, stateFolder: stateFolder,
      capabilities: Capabilities())
  }

  init(
    path: String, instance: String, durability: Durability = .process, sizeLimit: Int = JSONLimits.default.size,
    stateFolder: String = StateFolder.path, capabilities: Capabilities
  ) throws(SystemError) {
    self.path = try PathWalk.absolute(path)
    self.instance = instance
    self.durability = durability
    self.sizeLimit = sizeLimit
    self.stateFolder = stateFolder
    self.capabilities = capabilities
    let target = try Self.locate(self.path)
    folder = try Folder(path: target.directory)
    name = target.name
    if let status = try folder.status(of: name), let refusal = status.refusal, !status.isSymbolicLink {
      throw SystemError(call: "openat", errno: refusal.errno, path: self.path, detail: refusal.reason)
    }
  }

  /// Where the file really is.
  package var resolvedPath: String { folder.path(of: name) }

  // MARK: Lock

  /// Takes the lock that all instances share, unless another has it; and never waits.
  ///
  /// The lock is on the folder, since the file itself is replaced all the time. What was resolved before may be stale
  /// by the time the lock is held, so the path is resolved again under it.
  ///
  /// - Returns: Whether the lock is held now.
  /// - Throws: When this user may not lock. Who can't lock may not write.
  package func tryLock() throws(SystemError) -> Bool {
    precondition(!isLocked, "the lock is already held")
    for _ in 0..<PathWalk.linkLimit {
      // A lock file must not be made in a folder that is gone; the lock of such a folder does no harm.
      if !capabilities.directoryLocks { try relocate() }
      guard try acquire() else { return false }
      do throws(SystemError) {
        if try !relocate() {
          isLocked = true
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

  /// Gives the lock back.
  package func unlock() {
    precondition(isLocked, "the lock isn't held")
    retireSwappedOut()
    release()
    isLocked = false
    pin = nil
  }

  /// The folder whose lock stands for the file's; nil where a lock file does.
  package var lockedFolder: Folder? { capabilities.directoryLocks ? folder : nil }

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
    lockFile = try LockFile(name: SharedFileName.family(of: name) + "lock", in: folder)
    return lockFile != nil
  }

  private func release() {
    lockFile?.release()
    lockFile = nil
    folder.descriptor.unlock()
  }

  /// Resolves the path again.
  ///
  /// - Returns: Whether it means another place now.
  @discardableResult
  private func relocate() throws(SystemError) -> Bool {
    let target = try Self.locate(path)
    if try FileStatus(of: target.directory).identity == folder.identity && target.name == name { return false }
    let newFolder = try Folder(path: target.directory)
    release()
    demoteSpare()
    opened = []
    readVersions = []
    lastOwnership = nil
    degradation = nil
    folder = newFolder
    name = target.name
    return true
  }

  private static func locate(_ path: String) throws(SystemError) -> (directory: String, name: String) {
    let walk = try PathWalk(path)
    if let target = walk.target { return target }
    let missing = walk.steps.last.map { $0.directory == "/" ? "/\($0.name)" : "\($0.directory)/\($0.name)" }
    throw SystemError(call: "openat", errno: System.ENOENT, path: path, detail: "no such folder: '\(missing ?? path)'")
  }

  // MARK: Read

  /// Reads the file, once.
  ///
  /// Without the lock the path is resolved again first.
  ///
  /// - Throws: Also when the path has come to mean something that isn't a regular file.
  package func read() throws(SystemError) -> Snapshot {
    if !isLocked {
      do throws(SystemError) {
        try relocate()
      } catch {
        guard error.errno == System.ENOENT else { throw error }
        lastSeen = nil
        return .missing
      }
    }
    guard let file = try openForReading(name) else {
      lastSeen = nil
      return .missing
    }
    let contents = try contents(of: file, at: name)
    lastSeen = contents.status
    if isLocked || lastOwnership == nil { lastOwnership = Ownership(contents.status, attributes: [:]) }
    newest = contents
    return .contents(contents)
  }

  /// Opens a file in the folder, or returns nil if it is missing.
  ///
  /// `O_NONBLOCK`, since opening a FIFO would block. It also makes `open` fail with `EAGAIN` while somebody holds a
  /// write lease, which instances do for microseconds.
  func openForReading(_ name: String, _ flags: Int32 = System.O_RDONLY) throws(SystemError) -> FileDescriptor? {
    let deadline = MonotonicClock.now() + 100_000_000
    while true {
      do throws(SystemError) {
        let unnoticed = capabilities.unnoticedReading ? System.O_NOATIME : 0
        let file = try folder.open(name, flags | System.O_NONBLOCK | unnoticed)
        if let refusal = try file.status().refusal {
          throw SystemError(call: "openat", errno: refusal.errno, path: file.path, detail: refusal.reason)
        }
        return file
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

  /// Reads an open file in one piece, under a read lease where there is one.
  func contents(of file: borrowing FileDescriptor, at name: String) throws(SystemError) -> Contents {
    let lease = capabilities.leases ? file.take(.read) : .unsupported
    defer { file.endLease() }
    return try contents(of: file, at: name, under: lease)
  }

  /// Reads an open file in one piece, where the caller holds a lease or could not get one. The name, if there is one,
  /// is where it has to stand to count as settled.
  func contents(
    of file: borrowing FileDescriptor, at name: String?, under lease: LeaseAnswer
  ) throws(SystemError) -> Contents {
    let before = try file.status()
    let bytes = try file.contents(expecting: before.size, limit: sizeLimit)
    let encodedStamp = capabilities.attributes ? try file.attribute(Stamp.attribute) : nil
    let after = try file.status()
    var standing: FileIdentity? = after.identity
    if let name { standing = try folder.status(of: name)?.identity }

    // Most often it is what is known already: comparing is cheaper than hashing, and the bytes can be shared.
    let known = newest.flatMap { $0.bytes == bytes ? $0 : nil }
    let hash = known?.hash ?? ContentHash(bytes)
    let stamp = encodedStamp.flatMap(Stamp.init(encoded:)).flatMap { $0.content == hash ? $0 : nil }
    let stable = before.hasSameContent(as: after) && bytes.count == after.size && standing == after.identity
    return Contents(
      bytes: known?.bytes ?? bytes, hash: hash, status: after, stamp: stamp,
      settled: stamp != nil || lease == .granted && stable)
  }
}
