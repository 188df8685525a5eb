import StateJSON

extension SharedFile {
  /// Replaces the file's contents, if they are still those of `base`, or finds out what else they were.
  ///
  /// The new contents are written beside the file and swapped with it in one step; then what came out is compared
  /// with `base`. Where no swap is possible, the path is renamed away first, or, as the last resort, the file is
  /// written in place, and `degradation` says why.
  ///
  /// Needs the lock.
  ///
  /// - Parameters:
  ///   - bytes: The new contents.
  ///   - base: What is taken to stand there.
  ///   - stamp: The mark that the new contents get.
  ///   - modified: The time of modification that they get, in nanoseconds since 1970; if `nil`, the one when they are written.
  /// - Returns: Also that it was not replaced, as something else stands there than what this instance brought there before in this
  ///   hold of the lock, which ``read()`` takes for granted: read it again.
  /// - Throws: When the new contents don't stand at the path; what stands there was not written by this call.
  package func replace(
    with bytes: [UInt8], expecting base: Contents, stamp: Stamp, modified: Int64? = nil
  ) throws(SystemError) -> Replacement {
    let new = NewContents(bytes: bytes, stamp: stamp, modified: modified)
    precondition(isLocked, "replacing needs the lock")
    // Whoever has it open keeps others, and us, from a write lease on it.
    defer { openFiles.read = nil }
    if openFiles.read?.isWritten == true {
      guard let status = try folder.status(of: name) else { return .missing }
      if openFiles.read?.status.hasSameContent(as: status) != true { return .changed }
      openFiles.read?.status = status
    }
    try checkWritable()
    if degradation != nil {
      retireSwappedOut()
      return try replaceInPlace(with: new, expecting: base)
    }
    seen.newest = base
    onStep(.beforePreparation)
    var temporary: Temporary
    do throws(SystemError) {
      guard let prepared = try prepare(new, over: base) else { return .missing }
      temporary = prepared
    } catch {
      if error.isOfAnotherKind { return .changed }
      return try degrade(because: error, writing: new, over: base)
    }

    onStep(.beforeExchange)
    guard capabilities.exchange else { return try renameAside(temporary, expecting: base) }
    do throws(SystemError) {
      if let errno = capabilities.replacementError {
        throw SystemError(call: "renameat2", errno: errno, path: resolvedPath)
      }
      try folder.exchange(temporary.name, name)
    } catch {
      // The inodes tell whether it happened, not the error: a network may lose an answer.
      guard try folder.status(of: temporary.name)?.identity == temporary.contents.identity else {
        return try inspect(temporary, expecting: base)
      }
      if [System.EINVAL, System.ENOSYS, System.ENOTSUP].contains(error.errno) {
        capabilities.exchange = false
        temporary.name = endBurst(of: temporary)
        return try renameAside(temporary, expecting: base)
      }
      discard(temporary.name)
      if error.errno == System.ENOENT { return .missing }
      return try degrade(because: error, writing: new, over: base)
    }
    return try inspect(temporary, expecting: base)
  }

  /// Makes a file that is missing.
  ///
  /// Needs the lock.
  ///
  /// - Returns: What stands there now, or nil when somebody else made the file first: read it.
  package func create(
    with bytes: [UInt8], stamp: Stamp, modified: Int64? = nil
  ) throws(SystemError) -> Contents? {
    let new = NewContents(bytes: bytes, stamp: stamp, modified: modified)
    precondition(isLocked, "creating needs the lock")
    let temporary: Temporary
    do throws(SystemError) {
      temporary = try prepare(new, replacing: nil)
    } catch {
      guard error.call == "fchown" else { throw error }
      // Whoever makes a file owns it, unless the system lets him give it away.
      seen.ownership?.disown()
      temporary = try prepare(new, replacing: nil)
    }
    onStep(.beforeExchange)
    do throws(SystemError) {
      try give(temporary.name, unused: name)
    } catch {
      discard(temporary.name)
      if error.errno == System.EEXIST { return nil }
      throw error
    }
    flushFolder()
    return temporary.contents
  }

  /// Renames a file to a name that nothing has, by a link where the file system can't do it at once.
  ///
  /// Once the file has the new name this counts as done: a former name that can't be removed is left to `recover`.
  func give(_ old: String, unused new: String) throws(SystemError) {
    let given = try folder.status(of: old)
    do throws(SystemError) {
      try move(old, unused: new, isFolder: given?.isDirectory ?? false)
    } catch {
      // The inodes tell whether it happened, not the error.
      guard let given, (try? folder.status(of: new))?.identity == given.identity else { throw error }
    }
  }

  private func move(_ old: String, unused new: String, isFolder: Bool) throws(SystemError) {
    if capabilities.noReplace {
      do throws(SystemError) {
        return try folder.rename(old, toUnused: new)
      } catch {
        guard [System.EINVAL, System.ENOSYS, System.ENOTSUP].contains(error.errno) else { throw error }
        capabilities.noReplace = false
      }
    }
    // A folder can't have two names, and doesn't replace a file.
    if isFolder { return try folder.rename(old, to: new) }
    try folder.link(old, to: new)
    onStep(.linked)
    try folder.remove(old)
  }

  private func checkWritable() throws(SystemError) {
    let rights = openFiles.read?.status.rights
    // What this instance has brought there since it took the lock needs no second look.
    if let rights, let known = seen.writableRights, known == (rights, lockCount) { return }
    do throws(SystemError) {
      try folder.checkWritable(name)
      seen.writableRights = rights.map { ($0, lockCount) }
    } catch {
      // A missing file is found out, and told apart, by what follows.
      if error.errno != System.ENOENT { throw error }
    }
  }

  private func prepare(_ new: NewContents, over base: Contents) throws(SystemError) -> Temporary? {
    guard let ownership = try standingOwnership() else { return nil }
    seen.ownership = ownership
    return try prepare(new, replacing: base.hash)
  }

  /// What the file at the path has that its replacement gets; nil if it is missing.
  private func standingOwnership() throws(SystemError) -> Ownership? {
    // Mostly it is what was read under the lock. While that is open nothing else has its inode.
    if var open = openFiles.read.take(),
      let status = open.isWritten ? open.status : try folder.status(of: name), status.identity == open.status.identity
    {
      let ownership = try open.descriptor.ownership(status)
      open.attributes = ownership.attributes
      if open.isWritten { openFiles.written = consume open }
      return ownership
    }
    guard let file = try openFile(name) else { return nil }
    return try file.descriptor.ownership(file.status)
  }

  /// Looks at what a swap brought out, which stands at the temporary's name now.
  func inspect(_ temporary: consuming Temporary, expecting base: Contents) throws(SystemError) -> Replacement {
    onStep(.afterExchange)
    flushFolder()
    // Nothing is known of what stands there until this is found to be what should: it may be put back.
    seen.newest = nil
    var temporary = temporary
    var found: Inspection
    do throws(SystemError) {
      found = try Inspection(
        of: temporary.name, in: self, patience: Inspection.patience, expecting: base, openAs: openFiles.written.take())
    } catch {
      temporary.name = endBurst(of: temporary)
      guard error.isMomentary else { return try takeBack(temporary, because: error) }
      // The swap stands, and others may build on it already: what can't be looked at now is looked at later.
      keep(temporary.name, believed: temporary.label.base)
      noteReader(of: base)
      return .replaced(temporary.contents)
    }
    let now = temporary.contents
    // The swap counts, whether the newest permissions could be copied or not.
    try? keepPermissions(of: found.contents.status, in: now.status)
    let isExpected = found.contents.bytes.hasSameBytes(as: base.bytes)
    // Only what nobody else has open is written next.
    if case .nobody = found.company, isExpected {} else { found.name = endBurst(of: temporary) }
    guard isExpected else {
      let foreign = found.contents
      noteReader(of: base)
      keep(found, believed: temporary.label.base, awaitsIngestion: true)
      return .displaced(foreign, now: now)
    }
    noteReader(of: found)
    partner.swappedOut = consume found
    noteWritten(now)
    openFiles.written = temporary.file
    return .replaced(now)
  }

  /// Takes back a swap that brought out what nobody can read, or a link or a folder that somebody put there.
  ///
  /// - Returns: That the file was replaced if the swap stands, since it could not be taken back, or if it stood until
  ///   somebody saved over it, whose save then stands.
  /// - Throws: The reason, if the swap was taken back.
  private func takeBack(_ temporary: borrowing Temporary, because reason: SystemError) throws(SystemError)
    -> Replacement
  {
    let new = temporary.contents.identity
    guard stands(new), let foreign = (try? folder.status(of: temporary.name))?.identity,
      let (beside, label) = try? renameToPutBack(temporary.name, temporary.label)
    else {
      // What can't be examined, or be given the name, is left as it is. Somebody may have saved into it, or may be about to.
      keep(temporary.name, believed: temporary.label.base)
      return .replaced(temporary.contents)
    }
    onStep(.duringSwapBack)
    guard putBack(beside, label, Hand(identity: foreign), in: (new, hash: nil)).isBack else {
      return .replaced(temporary.contents)
    }
    if reason.isOfAnotherKind { return .changed }
    throw reason
  }

  /// Whether a file that was swapped in is still at the path. What can't be examined is taken to be as it was left.
  private func stands(_ identity: FileIdentity) -> Bool {
    do throws(SystemError) {
      return try folder.status(of: name)?.identity == identity
    } catch {
      return true
    }
  }

  /// Applies a change of permissions that was made after they were copied.
  private func keepPermissions(of displaced: FileStatus, in new: FileStatus) throws(SystemError) {
    if displaced.permissions == new.permissions { return }
    guard let file = try openForReading(name), try file.status().identity == new.identity else { return }
    try file.setPermissions(displaced.permissions)
  }
}

extension SystemError {
  /// Whether a link, a folder or the like has taken the file's place since it was locked.
  var isOfAnotherKind: Bool {
    call == "openat" && [System.ELOOP, System.EISDIR, System.EINVAL].contains(errno)
  }

  /// Whether the system failed, for what may be a moment; otherwise it is the file that can't be read.
  var isMomentary: Bool {
    [System.EIO, System.EMFILE, System.ENFILE, System.ENOMEM, System.EAGAIN].contains(errno)
  }

  /// Whether the folder, or the owner's rights, forbid to replace the file, while it may still be written in place.
  var forbidsReplacing: Bool {
    ["openat", "renameat2", "fchown"].contains(call)
      && [System.EBUSY, System.EACCES, System.EPERM, System.EROFS, System.EXDEV].contains(errno)
  }
}
