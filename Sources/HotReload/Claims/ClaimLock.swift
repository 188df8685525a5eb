import StateJSON

/// A claim that this process has: a file in the user's state folder, locked for as long as the claim lasts.
///
/// The kernel gives the lock back when the process ends, however it does. Who releases it removes the file; what a killed
/// process left is removed by who claims the same next, or enters anything in the folder.
final class ClaimLock: Sendable {
  private let folder: Folder
  private let name: String
  private let descriptor: FileDescriptor

  private init(_ descriptor: consuming FileDescriptor, name: String, in folder: Folder) {
    self.descriptor = descriptor
    self.name = name
    self.folder = folder
  }

  /// Takes a lock; `nil` if somebody has it who is not to be waited for, in the kernel's queue.
  static func take(_ name: String, in folder: Folder, waits: Bool) throws(SystemError) -> ClaimLock? {
    while true {
      let file = try folder.open(name, System.O_RDWR | System.O_CREAT, permissions: 0o600)
      if waits { try file.lock() } else if try !file.tryLock() { return nil }
      // Whoever held it before may have removed this very file: a lock on a nameless file protects nothing.
      if try folder.status(of: name)?.identity == file.status().identity {
        return ClaimLock(file, name: name, in: folder)
      }
    }
  }

  func release() {
    // What can't be removed is an empty file that the next one uses and removes.
    try? folder.remove(name)
    descriptor.unlock()
  }

  private static let suffix = ".claim"

  /// The name of the file for a claim: on this machine, among those who share a file, which is given by its resolved path.
  static func name(_ claim: String, of file: String) -> String {
    InstanceEntry.prefix(of: file) + "\(ContentHash(Array(claim.utf8)))" + suffix
  }

  /// Removes what killed processes of this machine left, of any file.
  static func removeLeftovers(in folder: Folder) throws(SystemError) {
    for name in try folder.names(startingWith: "") {
      guard name.hasSuffix(suffix), name.contains("-\(Machine.identifier)-") else { continue }
      do throws(SystemError) {
        let file = try folder.open(name, System.O_RDWR)
        guard try file.tryLock(), try folder.status(of: name)?.identity == file.status().identity else { continue }
        try folder.remove(name)
      } catch {
        // Somebody else has just removed it.
        if error.errno != System.ENOENT { throw error }
      }
    }
  }
}
