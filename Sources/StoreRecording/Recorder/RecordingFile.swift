import HotReload
import StateJSON

/// A file that lines are appended to, and that is cut to its newer half when it has become too large.
///
/// Each line is one write: what was written before the process dies is there, whatever kills it. Now and then a line says
/// the whole state; what stands before the last of those is cut off, and what was there so far becomes the archive.
struct RecordingFile: ~Copyable {
  private let folder: Folder
  private let name: String
  // Not private: an optimised build looks up what it is from where a recorder is kept in a class.
  private var file: LockedFile
  private let limits: RecordingLimits
  private var size = 0
  /// Where the last line stands that says the whole state, and where the one before it begins.
  private var checkpoints = (last: 0..<0, before: 0)
  /// How many steps came after the last of them.
  private var steps = 0
  /// Whether what is older could not be cut off.
  private var isStuck = false

  /// Begins a recording. One that is there already goes to the archive.
  ///
  /// - Throws: Where it can't be made, where another process is recording, or where something else than a recording is, also
  ///   under a name of the archive.
  static func begin(_ path: String, limits: RecordingLimits) throws(RecorderError) -> RecordingFile {
    do throws(SystemError) {
      let (directory, name) = Folder.split(path)
      if name.isEmpty { throw SystemError(call: "openat", errno: System.EISDIR, path: path) }
      let folder = try Folder(path: directory)
      // Locked until it has its new name, so that of two who begin at once one sees the other.
      let old = try checked(name, in: folder, "there")
      try checkArchive(of: name, limits.archive, in: folder)
      let file = try prepare(name, in: folder)
      let isWorthKeeping = try old?.size() ?? 0 > 0
      try give(name, isWorthKeeping ? limits.archive : 0, in: folder)
      withExtendedLifetime(old) {}
      return RecordingFile(folder: folder, name: name, file: file, limits: limits)
    } catch {
      throw RecorderError(file: path, reason: error.detail ?? "\(error)")
    }
  }

  /// Whether the next line should say the whole state. One that is larger than all that may come between is only said again
  /// when as much was written since.
  var needsCheckpoint: Bool {
    let since = size - checkpoints.last.upperBound
    return size == 0 || since > max(limits.size / 2, checkpoints.last.count) || steps >= limits.steps ?? .max
  }

  /// What a line is about.
  enum Kind {
    /// It says the whole state.
    case checkpoint
    case step
    case remark
  }

  /// Adds a line.
  ///
  /// - Returns: Why what is older can't be cut off, the first time. The line is there all the same.
  /// - Throws: When it can't be written; then nothing of it is there.
  mutating func append(_ line: [UInt8], _ kind: Kind) throws(SystemError) -> SystemError? {
    if size + line.count > hardLimit {
      throw SystemError(
        call: "pwrite", errno: System.ENOSPC, path: file.descriptor.path,
        detail: "it is too large by now, and what is older can't be cut off")
    }
    do throws(SystemError) {
      try file.descriptor.write(line, at: size)
    } catch {
      // What is torn at the end is left out by readers, and written over by the next line.
      try? file.descriptor.truncate(to: size)
      throw error
    }
    switch kind {
    case .checkpoint: (checkpoints, steps) = ((size..<size + line.count, checkpoints.last.lowerBound), 0)
    case .step: steps += 1
    case .remark: break
    }
    size += line.count
    do throws(SystemError) {
      if size > limits.size, kind == .checkpoint || !isStuck, checkpoints.last.lowerBound > 0 {
        try cut(at: checkpoints.last.lowerBound)
      } else if kind == .checkpoint, limits.steps != nil, checkpoints.before > 0 {
        try cut(at: checkpoints.before)
      }
      return nil
    } catch {
      // Tried again with the next whole state, and said once.
      defer { isStuck = true }
      return isStuck ? nil : error
    }
  }

  /// What it may have if nothing can be cut off: twice the limit, and whole states of any size.
  private var hardLimit: Int { isStuck ? 2 * limits.size + 2 * checkpoints.last.count : .max }

  private mutating func cut(at start: Int) throws(SystemError) {
    try checkPlace()
    let rest = try file.descriptor.contents(from: start, upTo: size - start)
    if limits.steps == nil { try Self.checkArchive(of: name, limits.archive, in: folder) }
    let copy = try Self.prepare(name, in: folder)
    try copy.descriptor.write(rest)
    try Self.give(name, limits.steps == nil ? limits.archive : 0, in: folder)
    file = consume copy
    size = rest.count
    let last = checkpoints.last
    checkpoints = (last.lowerBound - start..<last.upperBound - start, 0)
    isStuck = false
  }

  /// Whether what is written can be found.
  ///
  /// - Throws: Where somebody has removed or replaced the file.
  func checkPlace() throws(SystemError) {
    if try folder.status(of: name)?.identity == file.descriptor.status().identity { return }
    throw SystemError(
      call: "fstatat", errno: System.ENOENT, path: file.descriptor.path, detail: "somebody has removed or replaced it")
  }

  /// An empty file that is about to get the name. It is locked for as long as it is open, so that no two processes record at
  /// the same place.
  private static func prepare(_ name: String, in folder: Folder) throws(SystemError) -> LockedFile {
    // Of one who was killed as he began.
    let temporary = folder.path(of: ".\(name)~")
    if try checked(".\(name)~", in: folder, "at '\(temporary)'") != nil { try folder.remove(".\(name)~") }
    let flags = System.O_RDWR | System.O_CREAT | System.O_EXCL
    let file = try folder.open(".\(name)~", flags, permissions: 0o600)
    // Another may have taken it for what was left by one who was killed.
    guard let locked = try LockedFile(file),
      try folder.status(of: ".\(name)~")?.identity == locked.descriptor.status().identity
    else { throw taken(temporary) }
    return locked
  }

  /// What may be replaced: a recording that nobody is writing, of this version or an older one, or an empty file. Locked
  /// while it is open.
  private static func checked(
    _ name: String, in folder: Folder, _ place: String
  ) throws(SystemError) -> LockedFile? {
    guard let status = try folder.status(of: name) else { return nil }
    if status.isRegularFile {
      let file = try folder.open(name, System.O_RDONLY | System.O_NONBLOCK)
      let start = try file.contents(from: 0, upTo: min(status.size, 64))
      if start.isEmpty || RecordingHeader.isKnown(start) {
        guard let locked = try LockedFile(file) else { throw taken(folder.path(of: name)) }
        return locked
      }
    }
    throw SystemError(
      call: "openat", errno: System.EEXIST, path: folder.path(of: name),
      detail: "something else than a recording is \(place); give it another name, or remove that")
  }

  private static func checkArchive(of name: String, _ archive: Int, in folder: Folder) throws(SystemError) {
    for number in 1..<archive + 1 {
      let place = "at '\(folder.path(of: "\(name).\(number)"))'"
      _ = try checked("\(name).\(number)", in: folder, place)
    }
  }

  private static func taken(_ path: String) -> SystemError {
    SystemError(
      call: "flock", errno: System.EWOULDBLOCK, path: path,
      detail: "another program is recording there; give each a file of its own")
  }

  /// Gives the prepared file its name; the one that has it now goes to the archive.
  private static func give(_ name: String, _ archive: Int, in folder: Folder) throws(SystemError) {
    if archive > 0, try folder.status(of: name) != nil {
      for number in stride(from: archive, to: 1, by: -1) where try folder.status(of: "\(name).\(number - 1)") != nil {
        try folder.rename("\(name).\(number - 1)", to: "\(name).\(number)")
      }
      try folder.remove("\(name).1")
      do throws(SystemError) {
        // By a second name, so that there is one at every instant.
        try folder.link(name, to: "\(name).1")
      } catch {
        // Not every file system has links.
        try folder.rename(name, to: "\(name).1")
      }
    }
    try folder.rename(".\(name)~", to: name)
  }

  /// The bytes of a recording.
  static func contents(of path: String) throws(SystemError) -> [UInt8] {
    let file = try FileDescriptor(opening: path, System.O_RDONLY)
    return try file.contents(expecting: try file.status().size, limit: .max)
  }
}

/// An open file that nobody else can lock as long as this lives.
///
/// The lock is given back before the file is closed: a process that the program has begun in another thread has it open as well,
/// until it becomes another program.
struct LockedFile: ~Copyable {
  let descriptor: FileDescriptor

  /// `nil` where somebody else has the lock.
  init?(_ descriptor: consuming FileDescriptor) throws(SystemError) {
    guard try descriptor.tryLock() else { return nil }
    self.descriptor = descriptor
  }

  deinit { descriptor.unlock() }

  func size() throws(SystemError) -> Int { try descriptor.status().size }
}
