import StateJSON

extension SharedFile {
  /// How long displaced files are kept where leases can't tell whether somebody still writes to them, and how many.
  private static let blindTime: UInt64 = 30_000_000_000
  private static let blindCount = 16
  /// How long bytes must have stayed the same there to count as a complete save.
  private static let blindQuiet: UInt64 = 100_000_000
  /// How long bytes must have stayed the same to count as a complete save of a writer who doesn't close the file.
  private static let writerQuiet: UInt64 = 50_000_000

  /// Looks after displaced files: those that nobody writes to any more are removed.
  ///
  /// Call it from a timer while `hasDisplaced`, and when closing. It needs no lock, since nobody else touches what
  /// this instance displaced.
  ///
  /// - Parameter includingSpare: Also looks into the spare and removes it.
  /// - Returns: Saves that arrived in a file after it was displaced. Each is kept until `ingested` was called. One that
  ///   isn't settled comes from a writer who keeps the file open, and was quiet for 50 ms: it counts if it is valid.
  /// - Throws: When a displaced file can't be read or removed; it stays and is tried again.
  package func retireDisplaced(includingSpare: Bool = false) throws(SystemError) -> [Contents] {
    if includingSpare { demoteSpare() }
    let (late, failures) = lookAfterDisplaced()
    if late.isEmpty, let failure = failures.first { throw failure.error }
    return late
  }

  /// Looks after all displaced files: one that can't be looked after must not keep the others waiting.
  func lookAfterDisplaced() -> (late: [Contents], failures: [(name: String, error: SystemError)]) {
    var late: [Contents] = []
    var failures: [(name: String, error: SystemError)] = []
    for file in displaced where !file.awaitsIngestion {
      do throws(SystemError) {
        if let contents = try lookAfter(file) { late.append(contents) }
      } catch {
        failures.append((file.name, error))
      }
    }
    return (late, failures)
  }

  /// Removes a displaced file when it is time to, or returns what was written to it late.
  private func lookAfter(_ file: Displaced) throws(SystemError) -> Contents? {
    let now = MonotonicClock.now()
    let lease = capabilities.leases ? file.descriptor.take(.read) : .unsupported
    defer { file.descriptor.endLease() }
    // While a writer stays, or may stay, most often nothing happens for long.
    if lease == .refused, try file.looksTheSame(now) { return nil }
    onStep(.beforeLook)
    let contents = try contents(of: file.descriptor, at: nil, under: lease)
    let age = now - file.note(contents, now)
    guard SharedFileName.short(contents.hash) == file.believed else {
      return whole(contents, in: file, under: lease, age: age)
    }
    let isOver = now - file.since > Self.blindTime || displaced.count > Self.blindCount
    if lease == .granted || lease == .unsupported && isOver { try remove(file) }
    return nil
  }

  /// What was written late, if it may be a whole save.
  private func whole(_ contents: Contents, in file: Displaced, under lease: LeaseAnswer, age: UInt64) -> Contents? {
    let isKnownHalf = contents.hash == file.refused
    var contents = contents
    switch lease {
    case .granted: break
    case .refused:
      if isKnownHalf || age < Self.writerQuiet { return nil }
    case .unsupported:
      // Nobody can tell when its writer goes; who has been silent for that long has gone.
      if age > Self.blindTime {
        contents.settled = true
      } else if isKnownHalf || age < Self.blindQuiet {
        return nil
      }
    }
    file.awaitsIngestion = true
    return contents
  }

  /// Removes a displaced file that has nothing in it which isn't taken care of.
  private func remove(_ file: Displaced) throws(SystemError) {
    // What this user may not remove is left to one who may.
    displaced.removeAll { $0 === file }
    try file.folder.remove(file.name)
  }

  /// Whether `retireDisplaced` still has something to look after.
  var hasDisplaced: Bool { !displaced.isEmpty }

  /// Names of displaced files that stay beside the shared one, because somebody still has them open for writing.
  var leftBehind: [String] { displaced.map(\.name) }

  /// The names of those of them whose saves are taken care of nowhere else.
  var leftSaves: [String] { displaced.filter(\.awaitsIngestion).map(\.name) }

  /// Says that what was handed over is not a whole save yet: it comes again, from `retireDisplaced`, when
  /// its bytes have changed or its writer has gone; straight out of a swap, also when it has come to rest.
  func expectMore(of contents: Contents) {
    guard let file = displaced.first(where: { $0.identity == contents.identity }) else { return }
    // Out of a swap nobody has waited yet for its writer, who need not be in the midst of it.
    if file.look != nil { file.refused = contents.hash }
    file.awaitsIngestion = false
  }

  /// Says that a displaced save is taken care of: it stands at the path, or in the history. Its file is removed as
  /// soon as nobody writes to it any more; should other bytes be written to it, they come as another save.
  ///
  /// Needs the lock.
  func ingested(_ contents: Contents) throws(SystemError) {
    precondition(isLocked, "ingesting needs the lock")
    guard let file = displaced.first(where: { $0.identity == contents.identity }) else { return }
    file.believed = SharedFileName.short(contents.hash)
    file.awaitsIngestion = false
    // So that after a crash the next instance doesn't take it for a save that nobody has seen.
    if var label = SharedFileName(file.name, prefix: prefix), file.folder === folder {
      if label.role == .back || label.role == .burst { label.role = .spare }
      label.base = file.believed
      file.name = try renameUnderLock(file.name, label)
    }
    let lease = capabilities.leases ? file.descriptor.take(.read) : .unsupported
    defer { file.descriptor.endLease() }
    if lease == .granted,
      try self.contents(of: file.descriptor, at: nil, under: lease).hash == contents.hash
    {
      try remove(file)
    }
  }

  /// Leaves nothing behind but displaced files that somebody still writes to: see `leftBehind`. The next instance
  /// takes those over.
  ///
  /// Needs the lock. Call `retireDisplaced(includingSpare: true)` first, until it returns nothing more.
  package func close() throws(SystemError) {
    precondition(isLocked, "closing needs the lock")
    defer { removeSurplusRedoRecord() }
    demoteSpare()
    let failure = lookAfterDisplaced().failures.first?.error
    try syncNow()
    if let failure { throw failure }
  }

  /// Retires what the last swap brought out as expected; nothing else tells any more that the new contents came to
  /// stand, so that is recorded before.
  func retireSwappedOut() {
    if let found = partner.swappedOut.take() { retire(found) }
  }

  /// Removes a file that came out of a swap as expected, or makes it the spare, or keeps it while it has a writer.
  ///
  /// The swap is done and counts. What fails here leaves a file whose name tells the next instance all about it.
  func retire(_ found: consuming Inspection) {
    let name = found.name
    let believed = SharedFileName.short(found.contents.hash)
    switch found.company {
    case .nobody where partner.spare == nil && capabilities.exchange:
      let spareLabel = SharedFileName(
        role: .spare, inode: found.contents.identity.inode, base: believed, new: believed)
      do throws(SystemError) {
        let spareName = try rename(name, unused: spareLabel)
        found.descriptor.endLease()
        // While an instance lives, its lock tells others that this is nobody's orphan.
        _ = try? found.descriptor.tryLock()
        partner.spare = asSpare(found, named: spareName, isFresh: false)
      } catch {}
    case .nobody:
      discard(name)
    case .readersOnly: awaitReaders(of: found)
    case .writer, .unknown:
      keep(name, believed: believed)
    }
  }

  /// Keeps what came out of a swap.
  func keep(_ found: consuming Inspection, believed: String, awaitsIngestion: Bool = false) {
    // A write lease would keep ourselves from opening it again.
    found.descriptor.endLease()
    let name = found.name
    let identity = found.contents.identity
    guard case .nobody = found.company else {
      displaced.append(
        Displaced(
          folder: folder, descriptor: found.descriptor, identity: identity, name: name, believed: believed,
          awaitsIngestion: awaitsIngestion))
      return
    }
    // Closes it first: its descriptor would count as a writer, and may be the last that there is.
    _ = consume found
    keep(name, believed: believed, awaitsIngestion: awaitsIngestion)
  }

  /// Keeps what came out of a swap and could not be looked into.
  func keep(_ name: String, believed: String, awaitsIngestion: Bool = false) {
    // What can't be opened now keeps its name, and `recover` looks after it, here or in the next instance.
    guard let reader = try? openForReading(name), let identity = try? reader.status().identity else { return }
    displaced.append(
      Displaced(
        folder: folder, descriptor: reader, identity: identity, name: name, believed: believed,
        awaitsIngestion: awaitsIngestion))
  }

  /// Takes the spare to overwrite it, with a write lease on it: nobody, reader or writer, has it open.
  func takeSpare(for bytes: [UInt8]) -> Spare? {
    reuseSwappedOut()
    guard var spare = partner.spare.take() else { return nil }
    // One that can't be looked into is no spare, and its lease must end.
    guard let found = try? look(into: spare, for: bytes) else {
      demote(spare)
      return nil
    }
    spare.look = found
    return spare
  }

  /// Makes what the last swap brought out the spare, under the name that it has, where nobody has opened it since it was
  /// compared. Otherwise retires it.
  func reuseSwappedOut() {
    guard let found = partner.swappedOut.take() else { return }
    guard case .nobody = found.company, partner.spare == nil, capabilities.exchange, found.descriptor.hasWriteLease
    else {
      return retire(found)
    }
    let name = found.name
    partner.spare = asSpare(found, named: name, isFresh: true)
  }

  private func asSpare(_ found: consuming Inspection, named name: String, isFresh: Bool) -> Spare {
    let identity = found.contents.identity
    let believed = SharedFileName.short(found.contents.hash)
    // It mostly is what this instance wrote before.
    let pin = partner.formerPin?.identity == identity ? partner.formerPin.take() : nil
    let fresh = isFresh ? Spare.Fresh(bytes: found.contents.bytes, attributes: found.attributes) : nil
    return Spare(
      descriptor: found.descriptor, identity: identity, name: name, believed: believed, pin: pin, fresh: fresh)
  }

  /// What the spare is, if it still holds what is believed, and nobody has it open. If so, a write lease is on it.
  private func look(into spare: borrowing Spare, for bytes: [UInt8]) throws(SystemError) -> Spare.Look? {
    guard spare.isFresh || spare.descriptor.take(.write) == .granted,
      // Asked by its name, since it need not have that any more.
      let status = try folder.status(of: spare.name), status.identity == spare.identity, status.links == 1,
      status.identity != writeback.refused
    else { return nil }
    guard let there = seen.ownership else { return nil }
    // What somebody has given it in the very instant of the swap it keeps, and has when it stands there again.
    let ownership =
      if let known = spare.fresh?.attributes {
        Ownership(status, attributes: known)
      } else {
        try spare.descriptor.ownership(status)
      }
    // Who may read the spare, but not the file, could be waiting in `open` for the lease to end.
    guard ownership.hasSameAccess(as: there) else { return nil }
    if let known = spare.fresh?.bytes {
      return Spare.Look(size: status.size, overwriting: Overwriting(bytes, over: known), ownership: ownership)
    }
    // Read, however new its times are: a save within one tick of the file system's clock doesn't show in them.
    let (hash, overwriting) = try compare(spare, status.size, with: bytes)
    guard SharedFileName.short(hash) == spare.believed else { return nil }
    return Spare.Look(size: status.size, overwriting: overwriting, ownership: ownership)
  }

  /// The hash of what is in the spare, and what must be written over it.
  private func compare(
    _ spare: borrowing Spare, _ size: Int, with bytes: [UInt8]
  ) throws(SystemError) -> (hash: ContentHash, overwriting: Overwriting) {
    if durability == .power { return try spare.descriptor.contentHash(expecting: size, under: bytes) }
    // What was never flushed may not have reached the disk without anybody being told. So all of it is written anew.
    return (try spare.descriptor.contentHash(expecting: size), Overwriting(bytes, over: []))
  }

  /// Makes the spare a displaced file like any other.
  func demoteSpare() {
    retireSwappedOut()
    if let spare = partner.spare.take() { demote(spare) }
  }

  private func demote(_ spare: consuming Spare) {
    let (name, believed) = (spare.name, spare.believed)
    // Closes it: its descriptor would count as a writer.
    _ = consume spare
    keep(name, believed: believed)
  }
}
