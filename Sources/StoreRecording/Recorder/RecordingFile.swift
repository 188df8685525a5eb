import HotReload
import StateJSON

/// A file that lines are appended to, and that is cut to its newer half when it has become too large.
///
/// Each line is one write: what was written before the process dies is there, whatever kills it. Now and then a line says
/// the whole state; what stands before the last of those is cut off, and what was there so far becomes the archive.
struct RecordingFile: ~Copyable {
  private let folder: Folder
  private let name: String
  private var file: FileDescriptor
  private let limits: RecordingLimits
  private var size = 0
  /// Where the last line stands that says the whole state, and where the one before it begins.
  private var checkpoints = (last: 0..<0, before: 0)
  /// How many steps came after the last of them.
  private var steps = 0

  /// Begins a recording. One that is there already goes to the archive.
  ///
  /// - Throws: Where it can't be made, where another process is recording, or where something else than a recording is.
  static func begin(_ path: String, limits: RecordingLimits) throws(RecordingError) -> RecordingFile {
    do throws(SystemError) {
      let (directory, name) = split(path)
      if name.isEmpty { throw SystemError(call: "openat", errno: System.EISDIR, path: path) }
      let folder = try Folder(path: directory)
      if try folder.status(of: name) != nil {
        try checkRecording(try folder.open(name, System.O_RDONLY | System.O_NONBLOCK))
      }
      let file = try prepare(name, in: folder)
      try give(name, limits.archive, in: folder)
      return RecordingFile(folder: folder, name: name, file: file, limits: limits)
    } catch {
      throw RecordingError(.unwritable, "cannot record into '\(path)': \(error.detail ?? "\(error)")")
    }
  }

  private init(folder: Folder, name: String, file: consuming FileDescriptor, limits: RecordingLimits) {
    self.folder = folder
    self.name = name
    self.file = file
    self.limits = limits
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
  /// - Throws: When it can't be written; then nothing of it is there.
  mutating func append(_ line: [UInt8], _ kind: Kind) throws(SystemError) {
    do throws(SystemError) {
      try file.write(line, at: size)
    } catch {
      // What is torn at the end is left out by readers, and written over by the next line.
      try? file.truncate(to: size)
      throw error
    }
    switch kind {
    case .checkpoint: (checkpoints, steps) = ((size..<size + line.count, checkpoints.last.lowerBound), 0)
    case .step: steps += 1
    case .remark: break
    }
    size += line.count
    if size > limits.size, checkpoints.last.lowerBound > 0 {
      try cut(at: checkpoints.last.lowerBound)
    } else if kind == .checkpoint, limits.steps != nil, checkpoints.before > 0 {
      try cut(at: checkpoints.before)
    }
  }

  private mutating func cut(at start: Int) throws(SystemError) {
    let rest = try file.contents(from: start, upTo: size - start)
    let copy = try Self.prepare(name, in: folder)
    try copy.write(rest)
    if limits.steps == nil {
      try Self.give(name, limits.archive, in: folder)
    } else {
      try folder.rename(".\(name)~", to: name)
    }
    file = consume copy
    size = rest.count
    let last = checkpoints.last
    checkpoints = (last.lowerBound - start..<last.upperBound - start, 0)
  }

  /// An empty file that is about to get the name. It is locked for as long as it is open, so that no two processes record at
  /// the same place.
  private static func prepare(_ name: String, in folder: Folder) throws(SystemError) -> FileDescriptor {
    let file = try folder.open(".\(name)~", System.O_RDWR | System.O_CREAT, permissions: 0o600)
    try lock(file)
    try file.truncate(to: 0)
    return file
  }

  private static func lock(_ file: borrowing FileDescriptor) throws(SystemError) {
    if try file.tryLock() { return }
    throw SystemError(
      call: "flock", errno: System.EWOULDBLOCK, path: file.path,
      detail: "another program is recording there; give each a file of its own")
  }

  /// What is there may only be replaced if it is a recording that nobody is writing.
  private static func checkRecording(_ file: borrowing FileDescriptor) throws(SystemError) {
    let status = try file.status()
    let count = min(status.size, RecordingHeader.start.count)
    let start = status.isRegularFile ? try file.contents(from: 0, upTo: count) : [0]
    guard RecordingHeader.start.starts(with: start) else {
      throw SystemError(
        call: "openat", errno: System.EEXIST, path: file.path,
        detail: "something else than a recording is there; give it another name, or remove that")
    }
    try lock(file)
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

  private static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let directory = path[..<slash]
    return (directory.isEmpty ? "/" : String(directory), String(path[path.index(after: slash)...]))
  }

  /// The bytes of a recording.
  static func contents(of path: String) throws(SystemError) -> [UInt8] {
    let file = try FileDescriptor(opening: path, System.O_RDONLY)
    return try file.contents(expecting: try file.status().size, limit: .max)
  }
}
