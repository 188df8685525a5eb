import Glibc

/// Which file it is, whatever it is called. Only valid while the file is kept alive: numbers are reused at once.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64
}

/// What the file system knows about a file: enough to tell that it did not change while it was read.
package struct FileStatus: Hashable, Sendable {
  package let identity: FileIdentity
  /// Type and permission bits together, as in `st_mode`.
  package let mode: UInt32
  package let owner: UInt32
  package let group: UInt32
  package let links: UInt64
  package let size: Int
  /// Nanoseconds since 1970.
  package let modified: Int64
  /// When anything about it was changed last, its name and its times included.
  let changed: PassingTime
  /// When it was last read, as far as that is noted.
  let accessed: PassingTime

  package var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
  package var isDirectory: Bool { mode & S_IFMT == S_IFDIR }
  package var isSymbolicLink: Bool { mode & S_IFMT == S_IFLNK }
  /// Whether this is a folder in which only the owner of a file, or of the folder, may rename or remove it.
  package var isSticky: Bool { mode & S_ISVTX != 0 }
  /// The permission bits alone.
  package var permissions: UInt32 { mode & 0o7777 }

  /// Who may do what with a file.
  struct Rights: Hashable {
    let permissions: UInt32
    var owner: UInt32
    var group: UInt32
  }

  var rights: Rights { Rights(permissions: permissions, owner: owner, group: group) }

  /// A time that is no difference between two files: renaming one, or reading it, moves it.
  struct PassingTime: Hashable {
    /// Since 1970.
    let nanoseconds: Int64

    static func == (one: PassingTime, other: PassingTime) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  /// Whether both describe the same bytes, as far as a file system can tell.
  func hasSameContent(as other: FileStatus) -> Bool {
    identity == other.identity && size == other.size && modified == other.modified
  }

  /// The corresponding C function is `stat`: symbolic links are followed.
  package init(of path: String) throws(SystemError) { try self.init(of: path, flags: 0) }

  /// The corresponding C function is `lstat`: symbolic links are not followed.
  init(ofLink path: String) throws(SystemError) { try self.init(of: path, flags: AT_SYMLINK_NOFOLLOW) }

  private init(of path: String, flags: Int32) throws(SystemError) {
    var status = stat()
    try SystemError.check("stat", path) { path.withCString { System.calls.fstatat(AT_FDCWD, $0, &status, flags) } }
    self.init(status)
  }

  /// As ``init(ofLink:)``, or nil if nothing has that name.
  init?(ofLinkIfThere path: String) throws(SystemError) {
    do throws(SystemError) {
      try self.init(ofLink: path)
    } catch {
      guard error.errno == ENOENT else { throw error }
      return nil
    }
  }

  private static let secondsLimit: Int64 = 9_000_000_000

  package init(_ status: stat) {
    identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    mode = status.st_mode
    owner = status.st_uid
    group = status.st_gid
    links = UInt64(status.st_nlink)
    size = Int(status.st_size)
    modified = Self.nanoseconds(status.st_mtim)
    changed = PassingTime(nanoseconds: Self.nanoseconds(status.st_ctim))
    accessed = PassingTime(nanoseconds: Self.nanoseconds(status.st_atim))
  }

  /// Nanoseconds since 1970. Anybody may set a file's times to any year; those beyond 2262 don't fit.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    min(max(Int64(time.tv_sec), -secondsLimit), secondsLimit) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
