import StateJSON
import Synchronization

/// A thinned copy of a version log, made on a thread of its own while versions are added to the log.
///
/// What is added meanwhile doesn't change what the copy is made of; it is to be put behind that before the copy takes the log's place. The copy
/// is locked, so that no other instance makes one as well: that is over with this one, or with its process.
final class ThinnedCopy: Sendable {
  enum Outcome: Equatable {
    /// How many bytes it has.
    case made(Int)
    /// It could not be made, or has not all that it was to be made of.
    case failed
  }

  /// How much of the log it is made of.
  let size: Int
  private let file: FileDescriptor
  private let state = Mutex<Outcome?>(nil)

  /// What came of it; nil while it is being made.
  var outcome: Outcome? { state.withLock { $0 } }

  /// Begins to make one, unless somebody makes one. Needs the lock of the shared file.
  ///
  /// The copy has a name of its own until it takes the log's place. The time is in milliseconds since 1970; the limit is of bytes that
  /// the versions may take, the first, whole one and the newest aside.
  init?(
    of name: String, as copyName: String, in folder: Folder, source: FileIdentity, size: Int, now: Int64, limit: Int
  ) throws(SystemError) {
    self.size = size
    file = try folder.open(copyName, System.O_RDWR | System.O_CREAT, permissions: 0o600)
    guard try file.tryLock() else { return nil }
    // Where somebody was killed who made one.
    try file.truncate(to: 0)
    _ = try DriverThread(name: "thin") {
      // Who finds it failed thins the log himself, and meets with what is in the way.
      let count = try? self.make(of: name, in: folder, source: source, now: now, limit: limit)
      self.state.withLock { $0 = count.map(Outcome.made) ?? .failed }
    }
  }

  /// - Returns: How many bytes it has; nil where it can't have all of what it was to be made of.
  private func make(
    of name: String, in folder: Folder, source: FileIdentity, now: Int64, limit: Int
  ) throws(SystemError) -> Int? {
    let log = try folder.open(name, System.O_RDONLY)
    guard try log.status().identity == source else { return nil }
    let records = LogRecords(try log.contents(from: 0, upTo: size))
    guard records.end == size else { return nil }
    guard let lines = LogThinning.lines(of: records, now: now, limit: limit) else { return nil }
    try file.write(lines)
    return lines.count
  }

  /// Adds what was added to the log meanwhile.
  func append(_ bytes: [UInt8], at offset: Int) throws(SystemError) { try file.write(bytes, at: offset) }

  /// Which file it is.
  func identity() throws(SystemError) -> FileIdentity { try file.status().identity }
}
