import CLinux
import Glibc

/// An open file, which closes itself. Each method is one system call, run again when a signal interrupts it.
///
/// Here and in ``Folder`` what is called often is handed a name by `withCString`: handed over as a `String` it is copied to the heap.
package struct FileDescriptor: ~Copyable, Sendable {
  package let rawValue: Int32
  /// What was opened, and in which folder if its name is relative to that.
  private let name: String
  private let folder: String?

  /// What was opened, for error messages: only they put it together.
  package var path: String { folder.map { Folder.path(of: name, in: $0) } ?? name }

  package init(owning rawValue: Int32, path: String) {
    self.rawValue = rawValue
    (name, folder) = (path, nil)
  }

  deinit { _ = System.calls.close(rawValue) }

  /// Opens a file, `O_CLOEXEC` always. The corresponding C function is `openat`.
  package init(opening path: String, _ flags: Int32, permissions: mode_t = 0) throws(SystemError) {
    rawValue = try Self.open(path, flags, permissions, at: AT_FDCWD, path)
    (name, folder) = (path, nil)
  }

  /// Opens something in a folder.
  init(opening name: String, _ flags: Int32, permissions: mode_t, in folder: Folder) throws(SystemError) {
    rawValue = try Self.open(name, flags, permissions, at: folder.descriptor.rawValue, folder.path(of: name))
    (self.name, self.folder) = (name, folder.path)
  }

  private static func open(
    _ name: String, _ flags: Int32, _ permissions: mode_t, at directory: Int32, _ path: @autoclosure () -> String
  ) throws(SystemError) -> Int32 {
    try SystemError.check("openat", path()) {
      name.withCString { System.calls.openat(directory, $0, flags | O_CLOEXEC, permissions) }
    }
  }

  /// The corresponding C function is `fstat`.
  package func status() throws(SystemError) -> FileStatus {
    var status = stat()
    try SystemError.check("fstat", path) { System.calls.fstat(rawValue, &status) }
    return FileStatus(status)
  }

  /// Reads from the start to the end, wherever the end is by then.
  ///
  /// With room for one byte more than `size` the first call finds the end as well, mostly. Where a file system delivers less
  /// than there is, and just as much as was expected, only the file's status tells.
  ///
  /// - Throws: `EFBIG` when there are more than `limit` bytes.
  package func contents(expecting size: Int, limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var capacity = max(size, 0) + 1
    while true {
      if bytes.count > limit || size > limit {
        throw SystemError(call: "pread", errno: EFBIG, path: path, detail: "larger than \(limit) bytes")
      }
      let chunk = try contents(from: bytes.count, upTo: capacity, ifMoreThan: bytes.isEmpty ? size : nil)
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      if chunk.count < capacity { return bytes }
      capacity = max(bytes.count, 4096)
    }
  }

  /// Reads `count` bytes, or fewer at the end of the file. When just as many have come as were expected, nobody asks
  /// whether there are more. The corresponding C function is `pread`.
  package func contents(
    from offset: Int, upTo count: Int, ifMoreThan expected: Int? = nil
  ) throws(SystemError) -> [UInt8] {
    // With no room asked for, the array would set the count of the one that all empty arrays share: a race.
    if count == 0 { return [] }
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(SystemError) {
        filled = try read(into: UnsafeMutableRawBufferPointer(buffer), from: offset, upTo: expected.map { offset + $0 })
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Reads until there is no more room, or nothing more in the file, or just as much has come as was expected.
  ///
  /// - Returns: How many bytes have come.
  private func read(
    into buffer: UnsafeMutableRawBufferPointer, from offset: Int, upTo expected: Int?
  ) throws(SystemError) -> Int {
    var filled = 0
    while filled < buffer.count {
      let start = buffer.baseAddress! + filled
      let got = try SystemError.check("pread", path) {
        System.calls.pread(rawValue, start, buffer.count - filled, off_t(offset + filled))
      }
      filled += got
      if got == 0 || offset + filled == expected { break }
    }
    return filled
  }

  /// How many bytes are read at once where they aren't kept: fewer than what the allocator would give back to the system.
  static let pieceSize = 1 << 16
  /// A page: some processors copy a tenth as fast to a place in the first 32 bytes of one that isn't its start.
  private static let pieceAlignment = 4096

  /// Whether it has these bytes and no others, as far as it has been read when that is clear. Keeps nothing of what it reads.
  package func holds(_ bytes: [UInt8]) throws(SystemError) -> Bool {
    var offset = 0
    var isSame = true
    try readPieces(expecting: bytes.count) { piece in
      isSame =
        piece.count <= bytes.count - offset
        && bytes.withUnsafeBytes { memcmp($0.baseAddress! + offset, piece.baseAddress!, piece.count) == 0 }
      offset += piece.count
      return isSame
    }
    return isSame && offset == bytes.count
  }

  /// Reads from the start to the end, wherever that is by then, until told to stop. Each piece has ``pieceSize`` bytes, but
  /// for the last, which has fewer, and at least one. As with ``contents(expecting:limit:)``, nobody asks whether there is
  /// more when just as much has come as was expected.
  func readPieces(
    expecting size: Int, _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(SystemError) {
    var failure: SystemError?
    withUnsafeTemporaryAllocation(byteCount: Self.pieceSize, alignment: Self.pieceAlignment) { buffer in
      do throws(SystemError) {
        var offset = 0
        var filled = 0
        repeat {
          filled = try read(into: buffer, from: offset, upTo: size)
          offset += filled
          if filled > 0, !body(UnsafeRawBufferPointer(rebasing: buffer[..<filled])) { return }
        } while filled == buffer.count
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Writes all bytes over what stands at `offset`. The corresponding C function is `pwrite`.
  package func write(_ bytes: [UInt8], at offset: Int = 0) throws(SystemError) {
    try write(bytes, bytes.indices, at: offset)
  }

  /// Writes some of the bytes.
  func write(_ bytes: [UInt8], _ part: Range<Int>, at offset: Int) throws(SystemError) {
    var written = 0
    while written < part.count {
      written += try SystemError.check("pwrite", path) {
        bytes.withUnsafeBytes { buffer in
          let start = buffer.baseAddress! + part.lowerBound + written
          return System.calls.pwrite(rawValue, start, part.count - written, off_t(offset + written))
        }
      }
    }
  }

  /// Makes sure that there is room for `size` bytes, without changing the file; as far as the file system can.
  ///
  /// - Throws: `ENOSPC`, `EDQUOT`, `EFBIG`. The corresponding C function is `fallocate`.
  package func reserve(_ size: Int) throws(SystemError) {
    do throws(SystemError) {
      try SystemError.check("pwrite", path) {
        System.calls.fallocate(rawValue, Int32(LINUX_FALLOC_FL_KEEP_SIZE), 0, off_t(max(size, 1)))
      }
    } catch {
      if error.errno != ENOTSUP && error.errno != ENOSYS { throw error }
    }
  }

  /// The corresponding C function is `ftruncate`.
  package func truncate(to size: Int) throws(SystemError) {
    try SystemError.check("ftruncate", path) { System.calls.ftruncate(rawValue, off_t(size)) }
  }

  /// Waits until content and attributes are on the disk. The corresponding C function is `fsync`.
  package func flush() throws(SystemError) {
    try SystemError.check("fsync", path) { System.calls.fsync(rawValue) }
  }

  /// Waits until the content is on the disk. The corresponding C function is `fdatasync`.
  func flushContent() throws(SystemError) {
    try SystemError.check("fdatasync", path) { System.calls.fdatasync(rawValue) }
  }

  /// Starts writing the content to the disk, and doesn't wait. The corresponding C function is `sync_file_range`.
  package func startWriteback() throws(SystemError) {
    try SystemError.check("sync_file_range", path) {
      System.calls.sync_file_range(rawValue, 0, 0, UInt32(LINUX_SYNC_FILE_RANGE_WRITE))
    }
  }

  /// Takes the whole-file lock, unless somebody else has it. The corresponding C function is `flock`.
  ///
  /// - Returns: Whether the lock is held now.
  package func tryLock() throws(SystemError) -> Bool {
    do throws(SystemError) {
      try SystemError.check("flock", path) { System.calls.flock(rawValue, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      if error.errno == EWOULDBLOCK { return false }
      throw error
    }
  }

  /// Takes the whole-file lock, and waits for it in the kernel's queue. The corresponding C function is `flock`.
  package func lock() throws(SystemError) {
    try SystemError.check("flock", path) { System.calls.flock(rawValue, LOCK_EX) }
  }

  /// Gives the lock back, also on behalf of forked children that share it.
  package func unlock() {
    _ = System.calls.flock(rawValue, LOCK_UN)
  }
}
