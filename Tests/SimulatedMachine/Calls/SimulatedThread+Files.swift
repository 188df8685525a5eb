import CLinux
import Glibc

/// The calls that are about names.
extension SimulatedThread {
  private var files: FileSystem { process.machine.files }

  private func place(_ directory: Int32, _ path: String, follows: Bool) throws(Refusal) -> FileSystem.Place {
    var start = files.root
    if directory != AT_FDCWD, !path.hasPrefix("/") {
      guard let entry = try process.file(directory).entry else { throw Refusal(ENOTDIR) }
      start = entry
    }
    return try files.place(of: path, from: start, for: process, follows: follows)
  }

  func open(_ directory: Int32, _ path: String, _ flags: Int32, _ mode: mode_t) throws(Refusal) -> Int32 {
    let isPin = flags & SystemFlags.path != 0
    let follows = flags & (O_NOFOLLOW | O_EXCL) == 0
    let place = try place(directory, path, follows: follows)
    let entry: Entry
    if flags & SystemFlags.nameless != 0 { return try openNameless(in: place.found.inode, flags, mode) }
    if let found = place.entry {
      if flags & O_CREAT != 0, flags & O_EXCL != 0 { throw Refusal(EEXIST) }
      if found.inode.kind == .link { throw Refusal(ELOOP) }
      if flags & O_DIRECTORY != 0, found.inode.kind != .directory { throw Refusal(ENOTDIR) }
      if found.inode.kind == .socket, !isPin { throw Refusal(ENXIO) }
      if isPin { return pin(found) }
      let isWriting = flags & O_ACCMODE != O_RDONLY || flags & O_TRUNC != 0
      if isWriting, found.inode.kind == .directory { throw Refusal(EISDIR) }
      let wanted = (flags & O_ACCMODE != O_WRONLY ? R_OK : 0) | (isWriting ? W_OK : 0)
      try process.check(found.inode, wanted)
      if flags & SystemFlags.noAccessTime != 0, process.user != 0, process.user != found.inode.owner {
        throw Refusal(EPERM)
      }
      entry = found
    } else {
      guard flags & O_CREAT != 0 else { throw Refusal(ENOENT) }
      entry = try files.make(.file, at: place, permissions: mode, for: process)
    }
    let inode = entry.inode
    let file = OpenFile(.inode(inode), flags, entry: entry, by: process)
    // Who waits for a lease to end counts as somebody who has the file open.
    inode.openings.append(file)
    do throws(Refusal) {
      try breakLeases(of: inode, for: file)
    } catch {
      inode.openings.removeAll { $0 === file }
      files.release(inode, by: entry)
      throw error
    }
    let descriptor = process.add(file)
    if flags & O_TRUNC != 0, place.entry != nil { files.truncate(inode, to: 0, through: file) }
    return descriptor
  }

  private func openNameless(in directory: Inode, _ flags: Int32, _ mode: mode_t) throws(Refusal) -> Int32 {
    guard directory.kind == .directory else { throw Refusal(ENOTDIR) }
    try process.check(directory, W_OK | X_OK)
    let inode = files.makeNameless(permissions: mode, for: process)
    let file = OpenFile(.inode(inode), flags, by: process)
    inode.openings.append(file)
    return process.add(file)
  }

  private func pin(_ entry: Entry) -> Int32 {
    let file = OpenFile(.inode(entry.inode), SystemFlags.path, entry: entry, by: process)
    entry.inode.pins.append(file)
    return process.add(file)
  }

  func status(_ directory: Int32, _ path: String, _ status: UnsafeMutablePointer<stat>, _ flags: Int32) throws(Refusal)
    -> Int32
  {
    let entry = try place(directory, path, follows: flags & AT_SYMLINK_NOFOLLOW == 0).found
    status.pointee = entry.inode.status
    return 0
  }

  func access(_ directory: Int32, _ path: String, _ wanted: Int32) throws(Refusal) -> Int32 {
    try process.check(place(directory, path, follows: true).found.inode, wanted)
    return 0
  }

  func link(_ old: (Int32, String), _ new: (Int32, String)) throws(Refusal) -> Int32 {
    let entry = try place(old.0, old.1, follows: false).found
    try files.link(entry, at: place(new.0, new.1, follows: false), for: process)
    return 0
  }

  func rename(_ old: (Int32, String), _ new: (Int32, String), _ flags: UInt32) throws(Refusal) -> Int32 {
    let source = try place(old.0, old.1, follows: false)
    try files.rename(source, to: place(new.0, new.1, follows: false), flags: flags, for: process)
    return 0
  }

  func unlink(_ directory: Int32, _ path: String, _ flags: Int32) throws(Refusal) -> Int32 {
    let place = try place(directory, path, follows: false)
    try files.remove(place, isDirectory: flags & AT_REMOVEDIR != 0, for: process)
    return 0
  }

  func makeDirectory(_ directory: Int32, _ path: String, _ mode: mode_t) throws(Refusal) -> Int32 {
    _ = try files.make(.directory, at: place(directory, path, follows: false), permissions: mode, for: process)
    return 0
  }

  func readLink(_ path: String, _ buffer: UnsafeMutableRawBufferPointer) throws(Refusal) -> Int {
    let entry = try place(AT_FDCWD, path, follows: false).found
    guard entry.inode.kind == .link else { throw Refusal(EINVAL) }
    let count = min(buffer.count, entry.inode.bytes.count)
    buffer.copyBytes(from: entry.inode.bytes.prefix(count))
    return count
  }

  func realPath(_ path: String) throws(Refusal) -> UnsafeMutablePointer<CChar>? {
    strdup(try place(AT_FDCWD, path, follows: true).found.path)
  }

  func kindOfFileSystem(_ path: String, _ status: UnsafeMutablePointer<statfs>) throws(Refusal) -> Int32 {
    _ = try place(AT_FDCWD, path, follows: true).found
    status.pointee = statfs()
    // That of ext4.
    status.pointee.f_type = 0xEF53
    return 0
  }

  func attribute(
    _ path: String, _ name: String, _ buffer: UnsafeMutableRawBufferPointer
  ) throws(Refusal) -> Int {
    try attribute(of: place(AT_FDCWD, path, follows: false).found.inode, name, buffer)
  }
}

extension Inode {
  var status: stat {
    var status = stat()
    status.st_dev = 0x801
    status.st_ino = ino_t(number)
    status.st_mode = kind.bits | permissions
    status.st_uid = owner
    status.st_gid = group
    status.st_nlink = nlink_t(links)
    status.st_size = bytes.count
    (status.st_atim, status.st_mtim, status.st_ctim) = (Self.time(accessed), Self.time(modified), Self.time(changed))
    return status
  }

  private static func time(_ nanoseconds: Int64) -> timespec {
    timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
