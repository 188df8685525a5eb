import StateJSON

/// The recent versions of one shared file, kept by this user's instances on this machine.
///
/// A file of records in the state folder, named after the shared file's path. Its first record holds a whole value, the
/// others mostly a patch each, so that it needs nothing else to be read. It is changed only under the shared file's
/// lock, and always by appending: a torn last record, left by an instance that was killed, is overwritten by the next.
/// When it has grown too large, a thinned copy takes its place.
///
/// Nothing in it is needed to read or write the shared file. Where it can't be kept, stale saves are taken as they are.
package final class VersionLog {
  /// How large a log may become before it is thinned, unless the values themselves are larger: at a thousand commits a
  /// second, each of them read by somebody, the last seconds must be in what stays. A save may come that late.
  static let defaultSizeLimit = 4 << 20
  /// How many times a whole value fits into a log before it is thinned.
  static let valueLimit = 8

  let place: Place
  let sizeLimit: Int
  /// The log that stands at its place, as far as it is known.
  var current: Current?
  /// Which hold of the shared file's lock is on, if that is known: nobody else changes the log as long as it is the same.
  package var hold: Int?
  /// In which hold the end was last looked for.
  private var endHold: Int?
  /// The version that the log ended with, if this instance knows it.
  var cache: (hash: ContentHash, content: JSONDocument)?
  /// The versions that were read, and the places that they changed: the next who needs either reads only what is added.
  var reader: HistoryReader?
  var places: ChangedPlacesReader?
  /// Whether something was added that may not survive a power cut.
  var isUnflushed = false
  /// The file whose name in the folder does.
  private var flushedIdentity: FileIdentity?
  /// Whether this instance stays, so that a log that has grown too large can be thinned while versions are added to it.
  var thinsAside = false
  /// How large the largest whole value is that this instance has written.
  var largest = 0

  /// - Parameters:
  ///   - file: The resolved path of the shared file.
  ///   - stateFolder: Where this user's instances keep what must outlive them.
  ///   - sizeLimit: How many bytes it may have before it is thinned.
  package init(
    of file: String, in stateFolder: String = StateFolder.path, sizeLimit: Int = VersionLog.defaultSizeLimit
  ) {
    self.sizeLimit = sizeLimit
    place = Place(of: file, in: stateFolder)
  }

  /// Where the log of a shared file is.
  struct Place {
    let folderPath: String
    let name: String

    init(of file: String, in stateFolder: String) {
      folderPath = stateFolder
      name = "\(ContentHash(Array(file.utf8))).versions"
    }

    var path: String { "\(folderPath)/\(name)" }
    /// The name of a thinned copy before it takes the log's place.
    var copyName: String { "\(name)~" }

    func folder() throws(SystemError) -> Folder { try StateFolder.open(folderPath) }

    /// The folder, if the log is there.
    func existing() throws(SystemError) -> Folder? {
      guard let folder = try StateFolder.existing(folderPath), try folder.status(of: name) != nil else { return nil }
      return folder
    }
  }

  /// One file that is the log until another takes its place.
  struct Current: ~Copyable {
    let file: FileDescriptor
    let identity: FileIdentity
    /// How it ended when it was last read or written by this instance.
    var end: End?
    /// What it says of its format, as far as it has been read.
    var format: LogFormat?
    /// The thinned copy of it that this instance makes.
    var copy: ThinnedCopy?
    /// How large it must be before thinning it, which failed, is tried again.
    var nextThinning = 0

    /// Forgets what was read: it isn't what it was.
    mutating func forget() { (end, copy, format) = (nil, nil, nil) }
  }

  struct End {
    /// How long the log was.
    var size = 0
    /// The version that it ended with.
    var version: Version?
    /// Where the mark is of one that has not come to stand.
    var mark: Int?
    /// What this instance has written from the mark on, as it stands once that is off; of what is long only the beginning.
    var unmarked: [UInt8]?
  }

  /// How much is read of the end of a log that others have added to, mostly.
  private static let tailSize = 4096
  /// How much of what stands in the log is written once more at most to save a write of one byte.
  static let rewriteLimit = 1024

  /// Holds are counted anew from here on, by another instance.
  func forgetHold() { (hold, endHold) = (nil, nil) }

  /// Adds lines, whose last version is the one given; and takes off the mark before them, where the version before has come to stand:
  /// in the same write, mostly. Where the log says nothing of its format, what it should say goes before.
  func append(
    _ bytes: [UInt8], endingWith version: Version?, confirmsLast: Bool = false
  ) throws(SystemError) {
    guard let end = current?.end else { preconditionFailure("the end is looked for first") }
    var (bytes, start) = (bytes, end.size)
    if current?.format == nil { bytes = LogFormat.own.line + bytes }
    if confirmsLast, let mark = end.mark {
      if let unmarked = end.unmarked, mark + unmarked.count == end.size {
        // The rest of it is written over with the same, so that nobody can see it torn.
        (bytes, start) = (unmarked + bytes, mark)
      } else {
        _ = try confirmNewest()
      }
    }
    // Until it is known to be written: whoever comes next looks again.
    current?.end = nil
    do throws(SystemError) {
      try current?.file.write(bytes, at: start)
    } catch {
      // Of several versions some may be there whole. What can't be cut off is, at worst, a save without its merge.
      try? current?.file.truncate(to: end.size)
      throw error
    }
    current?.end = End(size: start + bytes.count, version: version)
    if current?.format == nil { current?.format = .own }
    isUnflushed = true
  }

  /// Waits until everything added so far is on the disk.
  package func flush() throws(SystemError) {
    guard isUnflushed else { return }
    try current?.file.flushContent()
    if current?.identity != flushedIdentity {
      try place.folder().descriptor.flush()
      flushedIdentity = current?.identity
    }
    isUnflushed = false
  }

  /// Finds the end of the log, and cuts off what was torn there. Reads only what others have added.
  ///
  /// - Returns: The version it ends with; nil where it is empty, or its last version was aborted.
  /// - Throws: Also where the log needs a program that knows more: then it stays as it is.
  func lastVersion() throws(SystemError) -> Version? {
    let size = try open()
    try current?.format?.check(place.path)
    if let end = current?.end, end.size > size { current?.forget() }
    var known = current?.end ?? End()
    if let end = current?.end, end.size == size {
      endHold = hold
      return end.version
    }
    var (start, tail) = try tail(after: known.size, to: size)
    if known.size > 0, start + tail.end < size {
      // Torn. Or a program of format 1 has cut off what it didn't know before that, and gone on from there.
      current?.forget()
      known = End()
      (start, tail) = try self.tail(after: 0, to: size)
    }
    let format = LogFormat.newer(current?.format, tail.format)
    current?.format = format
    try format?.check(place.path)
    if start + tail.end < size { try current?.file.truncate(to: start + tail.end) }
    largest = max(largest, tail.largest)
    known = End(
      size: start + tail.end, version: tail.version(after: known.version),
      mark: tail.newest == nil ? known.mark : tail.mark.map { start + $0 })
    current?.end = known
    endHold = hold
    return known.version
  }

  /// What others have added, from where it was read. Mostly the last of it is enough: all that came before was added under the lock, by
  /// instances that went on from it. Where so much was added that it may hold a value of a size that matters for thinning, all is read.
  private func tail(after known: Int, to size: Int) throws(SystemError) -> (start: Int, LogTail) {
    let start = size - Self.tailSize
    if known > 0, start > known, size - known < sizeLimit / Self.valueLimit,
      let tail = LogTail(endOf: try text(from: start, to: size))
    {
      return (start, tail)
    }
    return (known, LogTail(try text(from: known, to: size)))
  }

  /// Opens the log that stands in the folder now: another instance may have put a thinned one in the place of the last. Tells how
  /// long it is.
  private func open() throws(SystemError) -> Int {
    if let hold, hold == endHold, let end = current?.end { return end.size }
    endHold = nil
    // Where it can't be examined, opening it tells why.
    if let known = current?.identity, let status = try? FileStatus(of: place.path), status.identity == known {
      return status.size
    }
    let folder = try place.folder()
    if try folder.status(of: place.name) == nil { try removeOutdated(in: folder) }
    let opened = try folder.open(place.name, System.O_RDWR | System.O_CREAT, permissions: 0o600)
    let status = try opened.status()
    current = Current(file: opened, identity: status.identity)
    return status.size
  }

  /// Removes the logs of files that nothing has happened to for so long that all versions have expired.
  private func removeOutdated(in folder: Folder) throws(SystemError) {
    let now = WallClock.now()
    for name in try folder.names(startingWith: "") where name.hasSuffix(".versions") || name.hasSuffix(".versions~") {
      guard let status = try folder.status(of: name), status.isRegularFile,
        now - status.modified / 1_000_000 > LogThinning.lifetime,
        // The log of a shared file may hold versions that other devices are yet to be told.
        try folder.status(of: ShareAgreement.fileName(ofLog: name)) == nil
      else { continue }
      try folder.remove(name)
    }
  }

  func text(from start: Int, to end: Int) throws(SystemError) -> [UInt8] {
    try current?.file.contents(from: start, upTo: end - start) ?? []
  }
}

extension LogFormat {
  /// Makes sure that this program knows enough to go on with the log.
  ///
  /// - Throws: `ENOTSUP` when it doesn't.
  func check(_ path: String) throws(SystemError) {
    guard needs > Self.known else { return }
    throw SystemError(
      call: "openat", errno: System.ENOTSUP, path: path,
      detail: "only programs that know format \(needs) of such logs may, this one knows format \(Self.known)")
  }
}
