import StateJSON

/// The bytes that a file is to hold, and what is to be known of them.
struct NewContents {
  let bytes: [UInt8]
  let stamp: Stamp
  /// The time of modification that it is to have, in nanoseconds since 1970; `nil` for that of its writing.
  let modified: Int64?
}

/// New contents, complete, under a name of their own beside the file.
struct Temporary: ~Copyable {
  var name: String
  let label: SharedFileName
  let contents: Contents
  let new: NewContents
  /// Still open as it was written, in a row of commits.
  var file: OpenFile?
}

extension SharedFile {
  /// A name that nothing has yet. Only asked under the lock, so nothing gets it in between.
  func unusedName(_ label: SharedFileName) throws(SystemError) -> String {
    var label = label
    // Somebody may have made files with the next numbers as names.
    while try folder.status(of: label.text(prefix)) != nil { label.attemptAnew() }
    return label.text(prefix)
  }

  /// Renames a file to a name that nothing has, and returns that.
  func rename(_ old: String, unused label: SharedFileName) throws(SystemError) -> String {
    var label = label
    while capabilities.noReplace {
      let name = label.text(prefix)
      do throws(SystemError) {
        try folder.rename(old, toUnused: name)
        return name
      } catch {
        switch error.errno {
        case System.EEXIST: label.attemptAnew()
        case System.EINVAL, System.ENOSYS, System.ENOTSUP: capabilities.noReplace = false
        default: throw error
        }
      }
    }
    return try renameUnderLock(old, label)
  }

  /// Renames a file to a name that nothing was found to have, and returns that: nothing gets it in between.
  func renameUnderLock(_ old: String, _ label: SharedFileName) throws(SystemError) -> String {
    let name = try unusedName(label)
    try folder.rename(old, to: name)
    return name
  }

  /// Writes new contents beside the file, stamps them, and gives them what belongs to the owner of the file that
  /// stands, or stood, at the path.
  ///
  /// On failure nothing is left behind.
  func prepare(_ new: NewContents, replacing base: ContentHash?) throws(SystemError) -> Temporary {
    do throws(SystemError) {
      return try prepareBeside(new, replacing: base)
    } catch {
      // Whoever is told knows the file, not what stands beside it for a moment.
      throw SystemError(call: error.call, errno: error.errno, path: resolvedPath, detail: error.detail)
    }
  }

  private func prepareBeside(_ new: NewContents, replacing base: ContentHash?) throws(SystemError) -> Temporary {
    var label = SharedFileName(
      role: .temporary, inode: 0, base: SharedFileName.short(base), new: SharedFileName.short(new.stamp.content))
    if var spare = takeSpare(for: new.bytes) {
      label.inode = spare.identity.inode
      // Under the name that it has, other bytes mean a save of somebody else.
      let isBurst = spare.isFresh && base != nil && capabilities.attributes && seen.newest?.stamp != nil
      let name = isBurst ? try nameInBurst(spare.name) : try rename(spare.name, unused: label)
      let status = try fill(spare.descriptor, name, new, over: spare.look, isBurst: isBurst)
      var temporary = try complete(name, label, new, status, pin: spare.pin.take())
      // Otherwise it is closed here, which ends the lease as well.
      if spare.isFresh {
        spare.descriptor.endLease()
        temporary.file = OpenFile(descriptor: spare.descriptor, status: status, isWritten: true)
      }
      return temporary
    }

    // Debris of a killed instance may have this name, which `recover` removes, and so may a file of a stranger, which
    // stays.
    let provisional = try unusedName(label)
    onStep(.beforeCreation)
    // A file that is all new gets what the umask and the folder say.
    let permissions: UInt32 = seen.ownership == nil ? 0o666 : 0o600
    let file = try folder.open(provisional, System.O_RDWR | System.O_CREAT | System.O_EXCL, permissions: permissions)
    let name: String
    do throws(SystemError) {
      label.inode = try file.status().identity.inode
      name = try rename(provisional, unused: label)
    } catch {
      discard(provisional)
      throw error
    }
    let status = try fill(file, name, new)
    return try complete(name, label, new, status)
  }

  /// Gives a file the name under which the commits of a burst swap it, unless it has that.
  ///
  /// All other names say whose bytes are in the file, so each commit needs another one. Under this one the file's stamp says
  /// it, which takes a fraction of the time: while it is being written it has that of an unfinished one, and what comes out has
  /// the stamp of the version that it was.
  private func nameInBurst(_ name: String) throws(SystemError) -> String {
    SharedFileName.isOfBurst(name) ? name : try rename(name, unused: SharedFileName(burstOf: instance))
  }

  /// Gives what was swapped out under the name of a burst one that tells what it is, since it isn't written next.
  func endBurst(of temporary: borrowing Temporary) -> String {
    guard SharedFileName.isOfBurst(temporary.name) else { return temporary.name }
    do throws(SystemError) {
      return try rename(temporary.name, unused: temporary.label)
    } catch {
      // What stands at the path, and its own stamp, tell nearly as much.
      return temporary.name
    }
  }

  /// Gives a file, which is new or was the spare, its content and all else.
  private func fill(
    _ file: borrowing FileDescriptor, _ name: String, _ new: NewContents,
    over spare: Spare.Look? = nil, isBurst: Bool = false
  ) throws(SystemError) -> FileStatus {
    let bytes = new.bytes
    do throws(SystemError) {
      if isBurst { try file.setAttribute(Stamp.attribute, Stamp.unfinished) }
      let overwriting = spare?.overwriting ?? Overwriting(bytes, over: [])
      try file.write(overwriting)
      onStep(.beforeAttributes)
      // The kernel lets somebody wait for a lease to end for 45 seconds, and a process may be stopped for longer, right here.
      if !overwriting.isWhole, !file.hasWriteLease { try file.write(bytes) }
      if let spare, spare.size > bytes.count { try file.truncate(to: bytes.count) }
      if let ownership = seen.ownership { try file.take(ownership, over: spare?.ownership) }
      try mark(file, new.stamp)
      var status = try file.status()
      // The lease keeps nobody from changing the rights of a spare by its name.
      if let ownership = seen.ownership, spare != nil, ownership.rights != status.rights {
        try file.take(ownership)
        status = try file.status()
      }
      if let modified = new.modified {
        // Where that can't be set, others take it for a save, of what they are told all the same.
        try? file.setModified(modified)
        status = try file.status()
      } else {
        // Where that can't be set, every version counts as read.
        try? file.forgetReaders(ifNotedIn: status)
      }
      if durability == .power { try file.flush() } else { startWriteback(file) }
      return status
    } catch {
      // A failed flush is never tried again on the same descriptor: the next attempt writes another file.
      discard(name)
      throw error
    }
  }

  private func complete(
    _ name: String, _ label: SharedFileName, _ new: NewContents, _ status: FileStatus,
    pin known: consuming Pin? = nil
  ) throws(SystemError) -> Temporary {
    partner.formerPin = partner.pin.take()
    partner.pin = known
    do throws(SystemError) {
      if partner.pin?.identity == nil {
        partner.pin = Pin(descriptor: try folder.open(name, System.O_PATH), identity: status.identity)
      }
    } catch {
      discard(name)
      throw error
    }
    let contents = Contents(
      bytes: new.bytes, hash: new.stamp.content, status: status, stamp: new.stamp, settled: true)
    return Temporary(name: name, label: label, contents: contents, new: new)
  }

  /// Stamps a file, where the file system has room for stamps.
  func mark(_ file: borrowing FileDescriptor, _ stamp: Stamp) throws(SystemError) {
    guard capabilities.attributes else { return }
    do throws(SystemError) {
      try file.setAttribute(Stamp.attribute, stamp.encoded(mark: deviceMark))
    } catch {
      switch error.errno {
      case System.ENOTSUP, System.ENOSYS: capabilities.attributes = false
      default: throw error
      }
    }
  }

  /// Removes a file that never stood at the path, while another failure is being reported.
  func discard(_ name: String) {
    // What can't be removed now is classified by its name and removed by the next instance.
    try? folder.remove(name)
  }
}
