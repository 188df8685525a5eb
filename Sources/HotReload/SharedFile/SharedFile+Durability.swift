/// What was written lately and may not have reached the disk.
struct Writeback {
  var lastCommit: UInt64?
  /// When the first commit was made that nobody has flushed.
  var unflushedSince: UInt64?
  var failure: SystemError?
  /// The file whose bytes the disk refused last. What it holds seems to be written, and isn't.
  var refused: FileIdentity?

  static let pause: UInt64 = 1_000_000_000
  static let quiet: UInt64 = 150_000_000

  var due: UInt64? {
    guard let latest, let lastCommit else { return nil }
    return min(lastCommit + Self.quiet, latest)
  }

  /// When it is flushed also while commits go on.
  var latest: UInt64? { unflushedSince.map { $0 + Self.pause } }
}

extension SharedFile {
  /// When ``syncIfDue(_:)`` is to be called, unless there are further commits.
  var syncDue: UInt64? { writeback.due }

  /// Flushes what the commits of a burst left unflushed, when it is time to.
  ///
  /// A single commit is on its way to the disk already. Those that follow within a second are flushed 150 ms after
  /// the last, and at least each second. Where another instance has committed since, it does the former.
  ///
  /// - Parameter now: The time of `MonotonicClock`.
  /// - Returns: When to call again, or nil if nothing is left to be flushed.
  /// - Throws: When the disk refuses. What was written is then only as durable as the next commit makes it.
  func syncIfDue(_ now: UInt64) throws(SystemError) -> UInt64? {
    guard let due = writeback.due else { return nil }
    if now < due { return due }
    if let latest = writeback.latest, now < latest, isWrittenByAnother { return latest }
    try syncNow()
    return nil
  }

  /// Whether what stands at the path bears the stamp of another instance.
  private var isWrittenByAnother: Bool {
    // What can't be examined is flushed.
    let stamp = (try? FileDescriptor.attribute(Stamp.attribute, of: resolvedPath)).flatMap(stamp(in:))
    return stamp.map { $0.instance != instance } ?? false
  }

  /// Flushes what is left to be flushed.
  func syncNow() throws(SystemError) {
    guard writeback.unflushedSince != nil else { return }
    let file = try openForReading(name)
    // A flush that fails is not tried again; one that could not begin is.
    writeback.unflushedSince = nil
    guard let file else { return }
    do throws(SystemError) {
      try file.flushContent()
    } catch {
      // Whose status can't be had either is, at worst, written to again.
      if let identity = try? file.status().identity { writeback.refused = identity }
      throw error
    }
  }

  /// Brings the bytes of a new file on their way to the disk, or notes that they are to be flushed later.
  func startWriteback(_ file: borrowing FileDescriptor) {
    let now = MonotonicClock.now()
    if let last = writeback.lastCommit, now - last < Writeback.pause {
      if writeback.unflushedSince == nil { writeback.unflushedSince = now }
    } else {
      // A hint: where the file system doesn't take it, the kernel's own writeback comes a little later.
      try? file.startWriteback()
    }
    writeback.lastCommit = now
  }

  /// Makes a swap durable, where that was asked for.
  ///
  /// The swap is done and counts, so a failure is not thrown but noted in `flushFailure`.
  func flushFolder() {
    guard durability == .power else { return }
    do throws(SystemError) {
      try folder.descriptor.flush()
      writeback.failure = nil
    } catch {
      writeback.failure = error
    }
  }

  /// Why the last swap may not survive a power cut, although that was asked for.
  var flushFailure: SystemError? { writeback.failure }
}
