import CLinux
import Glibc

/// What the place of a shared file allows, as found by trying.
package struct PlaceReport: Hashable, Sendable {
  package let fileSystem: FileSystemKind
  /// Whether two files can swap their names: without it the file is missing for an instant at each change.
  package let canExchange: Bool
  /// Whether the kernel tells if somebody has a file open.
  package let hasLeases: Bool
  /// Whether the file system notes that somebody has read the file.
  package let notesReaders: Bool
  /// Whether what was written can be stamped.
  package let hasAttributes: Bool
  /// Whether the folder can be locked; otherwise a file beside the shared one is.
  package let canLockFolder: Bool
  /// Why the file can only be written in place; nil if it can be replaced.
  package let inPlaceBecause: SystemError?
  /// Why the file can't be written at all.
  package let unusableBecause: SystemError?
  /// How many hard links lead to the file beside its path: they keep the old contents when it is replaced.
  package let otherNames: Int
  /// Why the file must be polled; nil if its changes are announced.
  package let blindness: Blindness?

  /// Whether a racing editor's save can't be lost here.
  package var isLossProof: Bool { inPlaceBecause == nil && unusableBecause == nil }

  /// Tries it all, beside the file, and leaves nothing behind.
  ///
  /// - Throws: When the path leads to no folder, or to something that can't be a shared file.
  package init(probing path: String) throws(SystemError) {
    let file = try SharedFile(path: path, instance: "probe")
    let folder = file.folder
    fileSystem = try FileSystemKind(at: folder.path)
    otherNames = Int(try folder.status(of: file.name)?.links ?? 1) - 1
    blindness = try FileWatcher(path: file.path, waker: Waker()).blindness

    var isLocked = false
    var obstacle: SystemError?
    do throws(SystemError) {
      isLocked = try file.tryLock()
      try folder.checkWritable(file.name)
    } catch {
      if error.errno != ENOENT { obstacle = error }
    }
    defer { if isLocked { file.unlock() } }
    unusableBecause = obstacle
    canLockFolder = file.capabilities.directoryLocks && !folder.isPassedThroughOnly

    // Should this process be killed here, the names say that these were never swapped.
    let names = (1...2).map { number in
      SharedFileName(role: .temporary, inode: 0, base: "probe", new: "probe\(number)").text(file.prefix)
    }
    defer { names.forEach(file.discard) }
    var refusal: SystemError?
    var (exchange, leases, attributes) = (false, false, false)
    do throws(SystemError) {
      for name in names {
        let probe = try folder.open(name, O_RDWR | O_CREAT, permissions: 0o600)
        leases = probe.take(.write) == .granted
        probe.endLease()
        attributes = (try? probe.setAttribute(Stamp.attribute, [0x31])) != nil
        if let status = try folder.status(of: file.name) {
          try probe.take(Ownership(status, attributes: [:]))
        }
      }
      exchange = (try? folder.exchange(names[0], names[1])) != nil
      if linux_is_mount_point(folder.descriptor.rawValue, file.name) == 1 {
        throw SystemError(call: "renameat2", errno: EBUSY, path: file.resolvedPath, detail: "is a mount point")
      }
    } catch {
      refusal = error
    }
    inPlaceBecause = refusal
    (canExchange, hasLeases, hasAttributes) = (exchange, leases, attributes)
    // Whether the file can be read without a trace is found out by reading it, if it can be read at all.
    _ = try? file.read()
    notesReaders = leases && file.notesReaders
  }
}
