import StateJSON

extension SharedFile {
  /// Writes in place from now on, if an error says that no other file can take this one's place; throws it otherwise.
  func degrade(
    because error: SystemError, writing new: NewContents, over base: Contents
  ) throws(SystemError) -> Replacement {
    guard error.forbidsReplacing else { throw error }
    degradation = Degradation(cause: error)
    return try replaceInPlace(with: new, expecting: base)
  }

  /// Writes over the file's own bytes, where no other file can take its place: the last resort.
  ///
  /// A redo record goes first, so that a half-written file can be completed. The bytes are never cut off first, so
  /// that whoever reads in between finds text, not nothing. An editor that saves in the same instant can lose here,
  /// unless a write lease keeps it out.
  func replaceInPlace(with new: NewContents, expecting base: Contents) throws(SystemError) -> Replacement {
    let (bytes, stamp) = (new.bytes, new.stamp)
    // We would keep ourselves from the lease.
    openFiles = OpenFiles()
    guard let file = try openForReading(name, System.O_RDWR) else { return .missing }
    let lease = capabilities.leases ? file.take(.write) : .unsupported
    defer { file.endLease() }
    let found = try contents(of: file, at: name, under: lease)
    guard found.bytes.hasSameBytes(as: base.bytes) else { return .changed }
    try file.reserve(bytes.count)
    let record = RedoRecord(base: base.bytes, new: bytes, stamp: stamp)
    do throws(SystemError) {
      try record.save(for: resolvedPath, in: stateFolder, flush: durability == .power)
    } catch {
      throw SystemError(
        call: "pwrite", errno: error.errno, path: path,
        detail: "it can only be written in place here, and the record that survives a crash can't be kept: "
          + "\(error); set XDG_STATE_HOME to a folder of yours")
    }
    onStep(.beforeWriteInPlace)
    do throws(SystemError) {
      try write(record, to: file)
    } catch {
      // Its place is there: the old bytes had it before.
      if (try? file.write(base.bytes)) != nil, (try? file.truncate(to: base.bytes.count)) != nil {
        removeRedoRecord(for: resolvedPath)
      }
      throw error
    }
    // The new bytes stand: nothing that fails from here on changes that.
    noteReader(of: found)
    finish(record, in: file)
    // Where that can't be set, others take it for a save, of what they are told all the same.
    if let modified = new.modified { try? file.setModified(modified) }
    let status = (try? file.status()) ?? found.status
    removeRedoRecord(for: resolvedPath)
    // Should somebody have written over it already, the next read finds a save without a stamp, based on this one.
    return .replaced(Contents(bytes: bytes, hash: stamp.content, status: status, stamp: stamp, settled: true))
  }

  /// Completes what a killed instance was writing in place, if it was.
  ///
  /// - Parameter note: Told that it stands at the path now, before the record of it is removed.
  /// - Throws: When the record, or the file, can't be read or written.
  func completeInPlace(_ note: (Evidence) -> Void) throws(SystemError) {
    // It was done, and somebody may have written since.
    if removeSurplusRedoRecord() == resolvedPath { return }
    guard let record = try RedoRecord(for: resolvedPath, in: stateFolder) else { return }
    guard let file = try openForReading(name, System.O_RDWR) else { return }
    let lease = capabilities.leases ? file.take(.write) : .unsupported
    defer { file.endLease() }
    let found = try contents(of: file, at: name, under: lease)
    switch record.progress(of: found.bytes) {
    case .notBegun, .overtaken: break
    case .torn, .done:
      try write(record, to: file)
      finish(record, in: file)
      note(.stood(SharedFileName.short(record.stamp.content)))
    }
    removeRedoRecord(for: resolvedPath)
  }

  private func write(_ record: RedoRecord, to file: borrowing FileDescriptor) throws(SystemError) {
    try file.write(record.padded)
    if record.new.count < record.base.count { try file.truncate(to: record.new.count) }
  }

  /// Stamps and flushes what stands in the file now. Like that of a swap, a failed flush is noted in `flushFailure`.
  private func finish(_ record: RedoRecord, in file: borrowing FileDescriptor) {
    // Without a stamp it is taken for somebody's save, which is merged to no effect.
    try? mark(file, record.stamp)
    guard durability == .power else { return startWriteback(file) }
    do throws(SystemError) {
      try file.flush()
      writeback.failure = nil
    } catch {
      writeback.failure = error
    }
  }

  /// Removes the redo record of what is done; one that can't be removed now is remembered for not being redone.
  private func removeRedoRecord(for path: String) {
    let isRemoved = (try? RedoRecord.remove(for: path, in: stateFolder)) != nil
    leftovers.redoRecord = isRemoved ? nil : path
  }

  /// Removes the redo record that could not be removed when it should have been.
  ///
  /// - Returns: What it was for; nil if there was none.
  @discardableResult
  func removeSurplusRedoRecord() -> String? {
    guard let path = leftovers.redoRecord else { return nil }
    removeRedoRecord(for: path)
    return path
  }
}
