import Glibc

/// A call that the system refuses.
package struct Refusal: Error {
  package let errno: Int32

  package init(_ errno: Int32) { self.errno = errno }
}

/// A file, a directory, a symbolic link or a socket of a simulated file system, whatever it is called.
package final class Inode {
  package enum Kind: Equatable {
    case file, directory, link, socket

    var bits: mode_t {
      switch self {
      case .file: S_IFREG
      case .directory: S_IFDIR
      case .link: S_IFLNK
      case .socket: S_IFSOCK
      }
    }
  }

  package let number: UInt64
  package let kind: Kind
  package internal(set) var permissions: mode_t
  package internal(set) var owner: uid_t
  package internal(set) var group: gid_t
  /// How many names it has.
  package internal(set) var links = 0
  /// In nanoseconds since 1970.
  var (accessed, modified, changed): (Int64, Int64, Int64)
  package internal(set) var attributes: [String: [UInt8]] = [:]

  /// What a file has in it, or what a link leads to.
  package internal(set) var bytes: [UInt8] = []
  /// What a directory has in it.
  package internal(set) var entries: [String: Entry] = [:]
  /// Who listens at a socket.
  weak var listener: Socket?

  /// What of it is on the disk; nil where nothing is yet.
  var flushed: Flushed?

  /// Through what it is open, but for `O_PATH`.
  var openings: [OpenFile] = []
  /// Through what it is kept that was opened with `O_PATH`.
  var pins: [OpenFile] = []
  var leases: [Lease] = []
  /// Who has its lock.
  var lockHolder: OpenFile?
  var watches: [Inotify.Watch] = []

  /// What an observer knows of it.
  package var note: AnyObject?

  init(_ number: UInt64, _ kind: Kind, permissions: mode_t, owner: uid_t, group: gid_t, now: Int64) {
    (self.number, self.kind, self.permissions, self.owner, self.group) = (number, kind, permissions, owner, group)
    (accessed, modified, changed) = (now, now, now)
  }

  /// Whether nothing leads to it any more: then its number may be given to another.
  var isGone: Bool { links == 0 && openings.isEmpty && pins.isEmpty }
}

/// A name in a directory, and what it leads to. What is open knows it, wherever it is moved.
package final class Entry {
  package internal(set) var name: String
  /// The directory that it is in, or was; nil for the root of the file system.
  package internal(set) var parent: Entry?
  package internal(set) var inode: Inode

  init(_ name: String, in parent: Entry?, _ inode: Inode) {
    (self.name, self.parent, self.inode) = (name, parent, inode)
  }

  /// Whether it is another one, or in that.
  func isWithin(_ other: Entry) -> Bool { self === other || parent?.isWithin(other) == true }

  /// The whole path.
  package var path: String {
    guard let parent else { return "/" }
    return parent.parent == nil ? "/\(name)" : "\(parent.path)/\(name)"
  }
}

/// What a descriptor stands for.
final class OpenFile {
  enum Object {
    case inode(Inode)
    case counter(Counter)
    case inotify(Inotify)
    case socket(Socket)
  }

  /// What an event descriptor counts.
  final class Counter { var value: UInt64 = 0 }

  let object: Object
  let flags: Int32
  /// The name that it was opened by.
  let entry: Entry?
  /// How many of the names in a directory were listed.
  var listed = 0
  unowned let process: SimulatedProcess

  init(_ object: Object, _ flags: Int32 = 0, entry: Entry? = nil, by process: SimulatedProcess) {
    (self.object, self.flags, self.entry, self.process) = (object, flags, entry, process)
  }

  var inode: Inode? { if case .inode(let inode) = object { inode } else { nil } }
  var isWriter: Bool { flags & O_ACCMODE != O_RDONLY }
  var isReader: Bool { flags & O_ACCMODE != O_WRONLY }
}

/// A promise that nobody opens a file before its holder was told.
struct Lease {
  enum Kind { case read, write }

  unowned let holder: OpenFile
  let kind: Kind
  /// What it is about to become, where somebody waits for that: nil in the end for none.
  var breaking: (to: Kind?, deadline: UInt64)?

  /// What `F_GETLEASE` tells.
  var told: Kind? { if let breaking { breaking.to } else { kind } }

  func excludes(writer isWriter: Bool) -> Bool { isWriter || kind == .write }
}
