import Replication

/// The folder that something else keeps in sync, and the journals in it. What is read there may be anything.
struct ShareFolder {
  let folder: Folder
  /// Whether what is known of a file by its name may be old: others write to it elsewhere.
  private let isRemote: Bool

  /// How many files are looked at.
  private static let fileLimit = 4_096

  init(path: String) throws(SystemError) {
    folder = try Folder(path: path)
    guard try folder.descriptor.status().isDirectory else {
      throw SystemError(call: "openat", errno: System.ENOTDIR, path: path)
    }
    isRemote = try FileSystemKind(at: path).changesBehindOurBack
  }

  /// The folder of an agreement.
  ///
  /// - Throws: When it can't be used; where it is missing, with what makes it anew.
  init(of agreement: ShareAgreement) throws(SystemError) {
    do throws(SystemError) {
      try self.init(path: agreement.folder)
    } catch {
      guard agreement.form == .inside, error.errno == System.ENOENT else { throw error }
      throw SystemError(
        call: error.call, errno: error.errno, path: error.path,
        detail:
          "\(error.reason); 'replicate share \(agreement.file.quotedForShell)' makes it anew, with all that this device has said"
      )
    }
  }

  /// Whether a file may be a journal, or a copy of one that an engine made where two of a name met. What a line says
  /// decides whose it is.
  private static func isJournal(_ name: String) -> Bool {
    name.contains(".journal") && !name.hasPrefix(".") && !name.hasPrefix("~") && !name.hasSuffix(".tmp")
  }

  /// The journals that lie there, in the order of their names. Links are none, and neither are other users' files where anybody
  /// may leave some.
  func journals() throws(SystemError) -> [(name: String, status: FileStatus)] {
    let own = try folder.descriptor.status()
    var journals: [(name: String, status: FileStatus)] = []
    for name in try folder.names(startingWith: "").filter(Self.isJournal).sorted().prefix(Self.fileLimit) {
      guard let status = try status(of: name), status.isRegularFile else { continue }
      if own.isSticky, status.owner != User.effective, status.owner != own.owner { continue }
      journals.append((name, status))
    }
    return journals
  }

  /// The status of a file; `nil` if it isn't there. Where others write to it elsewhere it is opened, since what is known of its name may be
  /// half a minute old, as with sshfs.
  private func status(of name: String) throws(SystemError) -> FileStatus? {
    guard let status = try folder.status(of: name) else { return nil }
    return isRemote && status.isRegularFile ? try open(name)?.status() : status
  }

  private func open(_ name: String) throws(SystemError) -> FileDescriptor? {
    do {
      // A pipe that has come to stand there is not waited for.
      return try folder.open(name, System.O_RDONLY | System.O_NONBLOCK)
    } catch {
      if error.errno == System.ENOENT { return nil }
      throw error
    }
  }

  /// The share that the journals there belong to, as their first lines say; `nil` if there are none yet. Where devices began before
  /// they knew of each other it is one of several, which have become one.
  func share() throws(SystemError) -> String? {
    var shares: Set<String> = []
    for (name, status) in try journals() {
      guard let start = try contents(of: name, from: 0, upTo: min(status.size, 1 << 16)) else { continue }
      if let share = Journal(start, name: name).head?.share { shares.insert(share) }
    }
    return shares.min()
  }

  /// The bytes of a journal from an offset on; `nil` if none lies there. What keeps the folder in sync may take one away at any time, or
  /// put another into its place.
  func contents(of name: String, from offset: Int, upTo end: Int) throws(SystemError) -> [UInt8]? {
    guard let file = try open(name) else { return nil }
    guard try file.status().isRegularFile else { return nil }
    return try file.contents(from: offset, upTo: max(min(end, JournalLimits.fileSize + 1) - offset, 0))
  }
}
