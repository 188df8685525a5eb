import CLinux
import Glibc

/// An open directory. Everything in it is named relative to it, so that moving the directory changes nothing.
///
/// A class, because several who work in it hold on to the same one.
package final class Folder: Sendable {
  package let descriptor: FileDescriptor
  package let identity: FileIdentity
  /// Whether this user may pass through the directory but not list it: then it can't be locked or flushed.
  package let isPassedThroughOnly: Bool
  package var path: String { descriptor.path }

  /// Opens a directory; one that may be passed through but not listed can still be used, except for locking.
  package init(path: String) throws(SystemError) {
    do throws(SystemError) {
      descriptor = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
      isPassedThroughOnly = false
    } catch {
      guard error.errno == EACCES else { throw error }
      descriptor = try FileDescriptor(opening: path, Int32(LINUX_O_PATH) | O_DIRECTORY)
      isPassedThroughOnly = true
    }
    identity = try descriptor.status().identity
  }

  /// The path of something in this directory, for messages.
  package func path(of name: String) -> String { Self.path(of: name, in: path) }

  /// The path of a directory, all links on the way resolved. The corresponding C function is `realpath`.
  static func resolved(_ path: String) throws(SystemError) -> String {
    guard let resolved = System.calls.realpath(path, nil) else {
      throw SystemError(call: "openat", errno: errno, path: path)
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The path of something in a directory.
  static func path(of name: String, in folder: String) -> String { folder == "/" ? "/\(name)" : "\(folder)/\(name)" }

  /// The path of the directory that something is in, and its name there.
  package static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
  }

  /// Opens something in this directory; a symbolic link is not followed.
  package func open(_ name: String, _ flags: Int32, permissions: mode_t = 0) throws(SystemError) -> FileDescriptor {
    try FileDescriptor(opening: name, flags | O_NOFOLLOW, permissions: permissions, in: self)
  }

  /// What stands at a name, or nil if nothing does; a symbolic link is not followed.
  package func status(of name: String) throws(SystemError) -> FileStatus? {
    var status = stat()
    do throws(SystemError) {
      try SystemError.check("fstatat", path(of: name)) {
        name.withCString { System.calls.fstatat(descriptor.rawValue, $0, &status, AT_SYMLINK_NOFOLLOW) }
      }
    } catch {
      if error.errno == ENOENT { return nil }
      throw error
    }
    return FileStatus(status)
  }

  /// Whether this user may write to a file, as an error that says why not. The corresponding C function is
  /// `faccessat`.
  func checkWritable(_ name: String) throws(SystemError) {
    try SystemError.check("openat", path(of: name)) {
      System.calls.faccessat(descriptor.rawValue, name, W_OK, AT_EACCESS)
    }
  }

  /// Gives a file another name, over whatever has that name. The corresponding C function is `renameat2`.
  package func rename(_ old: String, to new: String) throws(SystemError) { try rename(old, to: new, flags: 0) }

  /// Gives a file a name that nothing has yet; `EEXIST` otherwise.
  package func rename(_ old: String, toUnused new: String) throws(SystemError) {
    try rename(old, to: new, flags: LINUX_RENAME_NOREPLACE)
  }

  /// Lets two files swap their names, at once for every onlooker.
  package func exchange(_ one: String, _ other: String) throws(SystemError) {
    try rename(one, to: other, flags: LINUX_RENAME_EXCHANGE)
  }

  private func rename(_ old: String, to new: String, flags: Int) throws(SystemError) {
    let directory = descriptor.rawValue
    try SystemError.check("renameat2", path(of: new)) {
      old.withCString { old in
        new.withCString { new in System.calls.renameat2(directory, old, directory, new, UInt32(flags)) }
      }
    }
  }

  /// Gives a file a second name; `EEXIST` when something has it. The corresponding C function is `linkat`.
  package func link(_ old: String, to new: String) throws(SystemError) {
    let directory = descriptor.rawValue
    try SystemError.check("linkat", path(of: new)) { System.calls.linkat(directory, old, directory, new, 0) }
  }

  /// Removes a file's name, if it still has it. The corresponding C function is `unlinkat`.
  package func remove(_ name: String) throws(SystemError) {
    do throws(SystemError) {
      try SystemError.check("unlinkat", path(of: name)) { System.calls.unlinkat(descriptor.rawValue, name, 0) }
    } catch {
      if error.errno != ENOENT { throw error }
    }
  }

  /// Opens a directory in this one; makes it, for this user only unless permissions are given, where it is missing. The corresponding C
  /// function is `mkdirat`.
  package func folder(making name: String, permissions: mode_t = 0o700) throws(SystemError) -> Folder {
    do throws(SystemError) {
      try SystemError.check("mkdirat", path(of: name)) { System.calls.mkdirat(descriptor.rawValue, name, permissions) }
    } catch {
      if error.errno != EEXIST { throw error }
    }
    return try Folder(path: path(of: name))
  }

  /// Removes an empty directory. The corresponding C function is `unlinkat`.
  package func removeFolder(_ name: String) throws(SystemError) {
    try SystemError.check("unlinkat", path(of: name)) { System.calls.unlinkat(descriptor.rawValue, name, AT_REMOVEDIR) }
  }

  /// All names in this directory that begin with `prefix`, in no order. The corresponding C function is `getdents64`.
  package func names(startingWith prefix: String) throws(SystemError) -> [String] {
    let listing = try FileDescriptor(opening: ".", O_RDONLY | O_DIRECTORY, permissions: 0, in: self)
    var names: [String] = []
    var records = [UInt8](repeating: 0, count: 1 << 15)
    while true {
      let count = try SystemError.check("getdents64", path) {
        records.withUnsafeMutableBytes { System.calls.getdents(listing.rawValue, $0.baseAddress!, $0.count) }
      }
      if count == 0 { return names }
      records.withUnsafeBytes { records in
        var start = 0
        while start < count {
          let record = DirectoryRecord(at: start, in: records)
          let name = String(decoding: record.name, as: UTF8.self)
          if name.hasPrefix(prefix) { names.append(name) }
          start += record.size
        }
      }
    }
  }
}

/// A name in a directory, as the kernel tells it: in `linux_dirent64`.
private struct DirectoryRecord {
  /// Where the record's own size is, behind the inode's number and the place of the next one.
  private static let sizeOffset = 16
  /// Where the name is, behind the size and what kind of file it is of.
  private static let nameOffset = 19

  let size: Int
  let name: UnsafeRawBufferPointer.SubSequence

  init(at start: Int, in records: UnsafeRawBufferPointer) {
    size = Int(records.loadUnaligned(fromByteOffset: start + Self.sizeOffset, as: UInt16.self))
    name = records[start + Self.nameOffset..<start + size].prefix { $0 != 0 }
  }
}
