/// A lock for file systems that can't lock a directory: a file beside the shared one, removed by who releases it.
struct LockFile: ~Copyable {
  private let descriptor: FileDescriptor
  private let name: String
  private let folder: Folder

  /// Takes the lock, or returns nil if somebody else has it.
  init?(name: String, in folder: Folder) throws(SystemError) {
    while true {
      guard let file = try Self.opened(name, in: folder) else { continue }
      guard try file.tryLock() else { return nil }
      // Whoever held it before may have removed this very file: a lock on a nameless file protects nothing.
      if try folder.status(of: name)?.identity == file.status().identity {
        descriptor = file
        self.name = name
        self.folder = folder
        return
      }
    }
  }

  /// - Returns: nil where somebody removes it at the same time.
  private static func opened(_ name: String, in folder: Folder) throws(SystemError) -> FileDescriptor? {
    do throws(SystemError) {
      return try folder.open(name, System.O_RDWR | System.O_CREAT | System.O_NONBLOCK, permissions: 0o666)
    } catch {
      guard error.errno == System.EACCES else { throw error }
    }
    do throws(SystemError) {
      // It is another user's, and need not be written to.
      return try folder.open(name, System.O_RDONLY | System.O_NONBLOCK)
    } catch {
      guard error.errno == System.ENOENT else { throw error }
      return nil
    }
  }

  func release() {
    // Should somebody have removed it, another instance may have made and locked its own.
    if let own = try? descriptor.status().identity, (try? folder.status(of: name)?.identity) == own {
      // Failing to remove it leaves an empty file that the next holder uses and removes: nothing is lost.
      try? folder.remove(name)
    }
    descriptor.unlock()
  }
}
