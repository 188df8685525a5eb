import Glibc
import HotReload

/// A process of a simulated machine.
package final class SimulatedProcess {
  package let name: String
  let identifier: pid_t
  package let user: uid_t
  let group: gid_t
  let mask: mode_t = 0o022
  package unowned let machine: SimulatedMachine
  var threads: [SimulatedThread] = []
  package private(set) var isAlive = true
  /// Until when none of its threads goes on.
  package var stoppedUntil: UInt64 = 0
  /// When its threads go on at the latest, whatever others there are: nobody may take what it leaves for finished.
  package var hurry: UInt64?
  /// What the library has once in a process.
  private(set) lazy var state = ProcessState()
  private var files: [OpenFile?] = []

  /// The first descriptor: far from those of the process that all of this runs in.
  private static let firstDescriptor: Int32 = 1 << 20

  init(_ name: String, identifier: pid_t, user: uid_t, on machine: SimulatedMachine) {
    (self.name, self.identifier, self.user, group, self.machine) = (name, identifier, user, user, machine)
  }

  func isStopped(at now: UInt64) -> Bool { stoppedUntil > now }

  // MARK: Descriptors

  func opened(_ descriptor: Int32) -> OpenFile? {
    let index = Int(descriptor - Self.firstDescriptor)
    return files.indices.contains(index) ? files[index] : nil
  }

  func file(_ descriptor: Int32) throws(Refusal) -> OpenFile {
    guard let file = opened(descriptor) else { throw Refusal(EBADF) }
    return file
  }

  func inode(_ descriptor: Int32) throws(Refusal) -> Inode {
    guard let inode = try file(descriptor).inode else { throw Refusal(EINVAL) }
    return inode
  }

  /// The file that a descriptor of this process stands for.
  package func inode(behind descriptor: Int32) -> Inode? { opened(descriptor)?.inode }

  /// Gives a file the lowest descriptor that is free.
  func add(_ file: OpenFile) -> Int32 {
    if let free = files.firstIndex(where: { $0 == nil }) {
      files[free] = file
      return Self.firstDescriptor + Int32(free)
    }
    files.append(file)
    return Self.firstDescriptor + Int32(files.count - 1)
  }

  func close(_ descriptor: Int32) throws(Refusal) {
    let file = try file(descriptor)
    files[Int(descriptor - Self.firstDescriptor)] = nil
    switch file.object {
    case .inode(let inode): close(file, inode)
    case .counter: break
    case .inotify(let inotify): inotify.close()
    case .socket(let socket): socket.close()
    }
  }

  private func close(_ file: OpenFile, _ inode: Inode) {
    if file.flags & SystemFlags.path != 0 {
      inode.pins.removeAll { $0 === file }
    } else {
      inode.openings.removeAll { $0 === file }
      inode.leases.removeAll { $0.holder === file }
      if inode.lockHolder === file { inode.lockHolder = nil }
      if inode.kind == .file { machine.files.notify(file.isWriter ? IN_CLOSE_WRITE : IN_CLOSE_NOWRITE, of: file) }
    }
    machine.files.release(inode, by: file.entry)
  }

  // MARK: Rights

  /// Refuses what the rights of a file don't allow.
  func check(_ inode: Inode, _ wanted: Int32) throws(Refusal) {
    if user == 0 { return }
    let shift: mode_t = user == inode.owner ? 6 : group == inode.group ? 3 : 0
    if Int32(inode.permissions >> shift) & wanted != wanted { throw Refusal(EACCES) }
  }

  // MARK: Its end

  /// Ends it here and now, whatever it is doing. Does not return on one of its own threads.
  package func kill() {
    let own = threads
    end()
    machine.scheduler.abandon(own)
  }

  /// Closes what it has open, and is no more; its threads go on until they end, or until ``kill()``.
  package func end() {
    guard isAlive else { return }
    isAlive = false
    for index in files.indices where files[index] != nil {
      // What is open can be closed.
      try? close(Self.firstDescriptor + Int32(index))
    }
  }
}

/// Flags of `open` that Swift's C library doesn't name.
enum SystemFlags {
  static let path: Int32 = 0o10000000
  static let noAccessTime: Int32 = 0o1000000
  /// That of a file without a name; opening a directory is part of it.
  static let nameless: Int32 = 0o20000000
}
