import StateJSON

extension SharedFile {
  /// Replaces the file where two names can't be swapped: renames the path away, looks at what that was, and links the
  /// new contents in.
  ///
  /// The file is missing for an instant. Whoever finds it so may make it again: their file stays.
  func renameAside(_ temporary: borrowing Temporary, expecting base: Contents) throws(SystemError) -> Replacement {
    var label = temporary.label
    label.role = .aside
    let aside = try unusedName(label)
    do throws(SystemError) {
      try folder.rename(name, to: aside)
    } catch {
      if try folder.status(of: aside) == nil {
        discard(temporary.name)
        if error.errno == System.ENOENT { return .missing }
        return try degrade(because: error, writing: temporary.new, over: base)
      }
    }
    onStep(.whileMissing)
    var found: Inspection
    do throws(SystemError) {
      // No patience while the path is missing.
      found = try Inspection(of: aside, in: self, patience: 0)
    } catch {
      discard(temporary.name)
      try giveBack(aside, label)
      if error.isOfAnotherKind { return .changed }
      throw error
    }
    let foreign = found.contents
    // What somebody is writing isn't put back: a link is another file to some kernels, whose leases would not show him.
    guard foreign.bytes.hasSameBytes(as: base.bytes) || found.company == .writer else {
      discard(temporary.name)
      // Its lease would keep ourselves from opening it again.
      _ = consume found
      try giveBack(aside, label)
      return .changed
    }
    do throws(SystemError) {
      try give(temporary.name, unused: name)
    } catch {
      discard(temporary.name)
      if error.errno == System.EEXIST {
        found.name = renameDisplaced(aside, label)
        keep(found, believed: label.base)
        return .changed
      }
      _ = consume found
      try giveBack(aside, label)
      throw error
    }
    flushFolder()
    if !foreign.bytes.hasSameBytes(as: base.bytes) {
      noteReader(of: base)
      found.name = renameDisplaced(aside, label)
      keep(found, believed: label.base, awaitsIngestion: true)
      return .displaced(foreign, now: temporary.contents)
    }
    if found.company == .writer || found.company == .unknown { found.name = renameDisplaced(aside, label) }
    noteReader(of: found)
    partner.swappedOut = consume found
    return .replaced(temporary.contents)
  }

  /// Finishes what a killed instance had begun, where somebody is writing to what it had renamed away: put back, that
  /// would be another file than his to some kernels.
  ///
  /// - Returns: Whether the new contents stand at the path now.
  func completeAside(_ label: SharedFileName, _ aside: borrowing FileDescriptor) throws(SystemError) -> Bool {
    guard capabilities.leases else { return false }
    let lease = aside.take(.read)
    aside.endLease()
    var prepared = label
    prepared.role = .temporary
    let name = prepared.text(prefix)
    guard lease == .refused, isTrusted(name), let new = try openForReading(name) else { return false }
    // A killed write may leave anything.
    let contents = try contents(of: new, at: nil, under: .unsupported)
    guard contents.identity.inode == label.inode, SharedFileName.short(contents.hash) == label.new else { return false }
    try give(name, unused: self.name)
    return true
  }

  /// Gives what was renamed away, and has been replaced, a name that `recover` doesn't bring it back for. Returns that.
  func renameDisplaced(_ aside: String, _ label: SharedFileName) -> String {
    var label = label
    label.role = .spare
    do throws(SystemError) {
      return try renameUnderLock(aside, label)
    } catch {
      // It is looked after under the old name as well; only if the path comes to be missing, that says too much.
      return aside
    }
  }

  /// Lets what was renamed away stand at the path again; should somebody have made the file in the meantime, there are
  /// two saves, both count, and this one comes as a late one.
  ///
  /// - Throws: When the path stays empty: `recover` tries again.
  private func giveBack(_ aside: String, _ label: SharedFileName) throws(SystemError) {
    do throws(SystemError) {
      try give(aside, unused: name)
    } catch {
      guard try folder.status(of: name) != nil else { throw error }
      keep(renameDisplaced(aside, label), believed: label.base)
    }
  }
}
