/// A look into a displaced file: its contents, and who else has it open. Keeps its lease until it is dropped.
struct Inspection: ~Copyable {
  enum Company {
    /// Nobody else has it open; the descriptor is open for writing and holds a write lease.
    case nobody
    /// Nobody has it open for writing; the descriptor holds a read lease.
    case readersOnly
    case writer
    /// Leases aren't allowed here.
    case unknown
  }

  var name: String
  let descriptor: FileDescriptor
  let contents: Contents
  let company: Company
  /// Whether somebody had read it before.
  let wasRead: Bool
  /// The attributes that it had right before it was swapped out, where they were looked at then.
  let attributes: [String: [UInt8]]?

  /// How long a writer may take to finish before it is left alone and watched.
  static let patience: UInt64 = 30_000_000

  /// Looks into a file that most likely holds what is expected; while somebody writes to it, again until `patience`
  /// nanoseconds are over. It may be open already, as it was written.
  ///
  /// - Throws: `ENOENT` as well when the file is gone.
  init(
    of name: String, in file: SharedFile, patience: UInt64, expecting expected: Contents? = nil,
    openAs open: consuming OpenFile? = nil
  ) throws(SystemError) {
    self.name = name
    if let own = try Self.openForWriting(name, in: file, as: open) {
      contents = try file.contents(
        of: own.descriptor, at: name, under: .granted, since: own.status, expecting: expected)
      wasRead = own.status.wasRead
      attributes = own.attributes
      descriptor = own.descriptor
      company = .nobody
      return
    }
    // By now it is closed, if it was open for writing, which would keep us from a read lease.
    let deadline = MonotonicClock.now() + patience
    while true {
      guard let reader = try file.openForReading(name) else {
        throw SystemError(call: "openat", errno: System.ENOENT, path: file.folder.path(of: name))
      }
      let lease = file.capabilities.leases ? reader.take(.read) : .unsupported
      if lease == .refused, MonotonicClock.now() < deadline {
        MonotonicClock.sleep(nanoseconds: 500_000)
        continue
      }
      let status = try reader.status()
      contents = try file.contents(of: reader, at: name, under: lease, since: status, expecting: expected)
      wasRead = status.wasRead
      attributes = nil
      descriptor = reader
      company =
        switch lease {
        case .granted: .readersOnly
        case .refused: .writer
        case .unsupported: .unknown
        }
      return
    }
  }

  /// Takes a write lease on a file that is open for writing already, or, if it is another one, opened now.
  ///
  /// - Returns: What it is under the lease; `nil` where none is granted, or the file can't be opened for writing, or has other names
  ///   as well: it is looked at as a reader then.
  private static func openForWriting(
    _ name: String, in file: SharedFile, as open: consuming OpenFile?
  ) throws(SystemError) -> OpenFile? {
    if file.capabilities.leases, var open, open.descriptor.take(.write) == .granted,
      let status = try file.folder.status(of: name), status.identity == open.status.identity, status.links == 1
    {
      open.status = status
      return open
    }
    guard let status = try file.folder.status(of: name) else {
      throw SystemError(call: "openat", errno: System.ENOENT, path: file.folder.path(of: name))
    }
    if let refusal = status.refusal {
      throw SystemError(call: "openat", errno: refusal.errno, path: file.folder.path(of: name), detail: refusal.reason)
    }
    guard file.capabilities.leases, status.links == 1,
      let opened = try? file.folder.open(name, System.O_RDWR | System.O_NONBLOCK | file.unnoticed),
      opened.take(.write) == .granted
    else { return nil }
    let now = try opened.status()
    return OpenFile(descriptor: opened, status: now)
  }
}
