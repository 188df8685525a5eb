/// A proof that a version came to stand at the path, left by an instance that was killed before it could note that.
enum Evidence: Hashable, Sendable {
  /// A version came to stand at the path, be it for a moment: the beginning of the digits of its hash.
  case stood(String)
  /// A version gave way to the one that was recorded after it, which came to stand: the beginning of the digits of its hash.
  case gaveWay(String)
  /// Somebody can have read a version that was swapped out: the beginning of the digits of its hash. Whoever has swapped it out was killed
  /// before it had noted that.
  case wasRead(String)
}

extension SharedFile {
  /// Looks after what killed instances of this machine left beside the file. Read the file afterwards.
  ///
  /// The names tell all: contents that were never swapped in are removed, since a killed write may leave anything in
  /// them; what was swapped out is compared with what it should be, and handed over if it differs. What living
  /// instances keep is locked by them and stays, and so does what comes from other machines. What somebody still
  /// writes to comes later, from `retireDisplaced`.
  ///
  /// One that can't be looked after keeps no other waiting: see `unrecovered`.
  ///
  /// Needs the lock.
  ///
  /// - Parameter note: Told what is known, before anything is done with what proves it: should this instance be killed as well,
  ///   the next one finds it noted, or finds the proof.
  /// - Returns: Saves that were swapped out, and that nobody had looked at. Each is kept until `ingested` was called; one that is
  ///   invalid can be put back with `swapBack`, if what replaced it still stands there.
  /// - Throws: When the folder can't be listed.
  func recover(noting note: (Evidence) -> Void) throws(SystemError) -> [Contents] {
    precondition(isLocked, "recovering needs the lock")
    // What is written in place needs a write lease.
    openFiles = OpenFiles()
    leftovers.unrecovered = []
    do throws(SystemError) {
      try completeInPlace(note)
    } catch {
      leftovers.unrecovered.append((name, error))
    }

    let orphans = try orphans()
    for (name, label) in inOrder(orphans) {
      do throws(SystemError) {
        try adopt(name, label, note)
      } catch {
        leftovers.unrecovered.append((name, error))
      }
    }
    let (late, failures) = lookAfterDisplaced()
    leftovers.unrecovered += failures
    return late
  }

  /// Whether something stands beside the file that this instance knows nothing of and may remove, be it a lock, or a write in place
  /// may have been cut short: then take the lock and `recover`. It may also belong to an instance that lives.
  ///
  /// Lists the folder once; needs no lock.
  var needsRecovery: Bool {
    if leftovers.redoRecord != nil || RedoRecord.exists(for: resolvedPath, in: stateFolder) { return true }
    // Who may not change the folder leaves it to one who may. What can't be listed now is asked for again.
    guard (try? folder.checkWritable(".")) != nil else { return false }
    return hasLockFile || (try? orphans())?.isEmpty == false
  }

  /// While the path is missing nothing may be removed: what was renamed away comes back first, and of several the one
  /// whose successor never came to stand.
  private func inOrder(_ orphans: [(name: String, label: SharedFileName)]) -> [(name: String, label: SharedFileName)] {
    let prepared = Set(orphans.map(\.label).filter { $0.role == .temporary })
    func rank(_ label: SharedFileName) -> Int {
      guard label.role == .aside else { return 2 }
      return prepared.contains { ($0.inode, $0.base, $0.new) == (label.inode, label.base, label.new) } ? 0 : 1
    }
    return orphans.sorted { rank($0.label) < rank($1.label) }
  }

  /// Whether another instance has moved the file aside: it is about to put one in its place, or was killed before that.
  ///
  /// Also true for an instant afterwards. Lists the folder once; needs no lock.
  var isAside: Bool {
    // A folder that can't be listed is none that files are moved aside in.
    (try? orphans())?.contains { $0.label.role == .aside } == true
  }

  /// The files of this machine's instances beside the shared one, without those that this instance keeps, and those of
  /// strangers.
  func orphans() throws(SystemError) -> [(name: String, label: SharedFileName)] {
    var own = Set(displaced.filter { $0.folder.identity == folder.identity }.map(\.name))
    if let name = partner.spare?.name { own.insert(name) }
    if let name = partner.swappedOut?.name { own.insert(name) }
    return try folder.names(startingWith: prefix).filter { !own.contains($0) }
      .compactMap { name in SharedFileName(name, prefix: prefix).map { (name, $0) } }
      .filter { isTrusted($0.name) }
  }

  /// Whether a file beside the shared one can be what it is called. In a folder where anybody may make files, but not
  /// replace those of others, it must belong to somebody who may replace the shared file, and have no other name: else
  /// its maker could bring in what he may not write, or what others can't read.
  func isTrusted(_ name: String) -> Bool {
    // What can't be examined is gone, or met with an error when it is opened.
    guard let place = try? folder.descriptor.status(), place.isSticky else { return true }
    guard let status = try? folder.status(of: name) else { return false }
    let there = try? folder.status(of: self.name)
    if let there, there.identity == status.identity { return true }
    let owners = [User.effective, 0, place.owner] + (there.map { [$0.owner] } ?? [])
    return owners.contains(status.owner) && status.links == 1
  }

  private func adopt(_ name: String, _ label: SharedFileName, _ note: (Evidence) -> Void) throws(SystemError) {
    let file: FileDescriptor
    do throws(SystemError) {
      guard let opened = try openForReading(name) else { return }
      file = opened
    } catch {
      // Something of another kind that only looks like ours: it isn't touched.
      if error.isOfAnotherKind { return }
      throw error
    }
    guard try file.tryLock() else { return }
    let identity = try file.status().identity
    var (name, believed) = (name, label.believed(of: identity.inode))
    switch label.role {
    case .aside:
      let there = try folder.status(of: self.name)
      // A second name of what is back at the path.
      if there?.identity == identity {
        return try folder.remove(name)
      }
      if there == nil, try !completeAside(label, file) {
        file.unlock()
        return try give(name, unused: self.name)
      }
      if there == nil || there?.identity.inode == label.inode { note(.stood(label.new)) }
      name = renameDisplaced(name, label)
    case .temporary where label.inode == 0 || label.inode == identity.inode: return try folder.remove(name)
    case .temporary: note(.stood(label.new))
    case .burst:
      guard let hash = try displacedInBurst(file, label) else { return try folder.remove(name) }
      believed = hash
      note(.gaveWay(hash))
      let label = SharedFileName(role: .spare, inode: identity.inode, base: believed, new: believed)
      name = renameDisplaced(name, label)
    case .back, .spare: break
    }
    note(.wasRead(believed))
    displaced.append(
      Displaced(
        folder: folder, descriptor: file, identity: identity, name: name, believed: believed, isInherited: true))
  }

  /// What a burst that was cut short believed to be in the file that it swapped.
  ///
  /// - Returns: The shortened hash; that of no bytes where it can't be told, and nil if the file never stood at the path.
  private func displacedInBurst(
    _ file: borrowing FileDescriptor, _ label: SharedFileName
  ) throws(SystemError) -> String? {
    let encoded = try file.attribute(Stamp.attribute)
    if encoded == Stamp.unfinished { return nil }
    let there = try stampThere()
    if let own = encoded.flatMap(stamp(in:)) {
      // What was about to be swapped in for what stands there.
      if own.predecessor == there?.content,
        try own.content == file.contentHash(expecting: file.status().size)
      {
        return nil
      }
      // Whatever its instance, if it lived on, and others have committed since.
      return SharedFileName.short(own.content)
    }
    // An editor's file has come out for what stands there, if nobody has committed since.
    let isNewest = there.map { SharedFileName(burstOf: $0.instance).base == label.base } ?? false
    return SharedFileName.short(isNewest ? there?.predecessor : nil)
  }

  /// The stamp on what stands at the path.
  private func stampThere() throws(SystemError) -> Stamp? {
    // It may be missing, or of another kind: then it has none, and reading it tells why.
    guard let file = try? openForReading(name) else { return nil }
    return try stamp(on: file)
  }
}
