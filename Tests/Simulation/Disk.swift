import Glibc
import HotReload
import StateJSON

/// The system says no.
struct Refusal: Error, CustomStringConvertible {
  enum Reason: String { case ENOENT, EEXIST, EAGAIN, EIO, ENOSPC }

  let reason: Reason
  var description: String { reason.rawValue }

  init(_ reason: Reason) { self.reason = reason }
}

/// A file on the simulated disk.
final class Inode {
  let number: Int
  var bytes: [UInt8] = []
  /// The extended attribute, whether it still matches or not.
  var stamp: Stamp? { didSet { isUnfinished = false } }
  /// The attribute says that whatever is in it is nobody's.
  var isUnfinished = false
  var modified: Int64 = 0
  var links = 0
  var descriptors: [Descriptor] = []
  /// Opened with `O_PATH`: keeps the number in use, and excludes nobody's lease.
  var pins = 0
  /// The complete save of an editor that its bytes are.
  var save: Save?
  /// The save that an editor last began to write into it.
  var draft: Save?
  /// An editor is at it; editors that write into the same file at once are nobody's concern.
  var isBeingSaved = false
  /// An editor has removed it or put another in its place; what is saved into it is lost by the editors alone.
  var isForsaken = false
  /// When its bytes last changed, exactly.
  var lastWrite: UInt64 = 0

  /// The save of an editor that its bytes come from; none if an instance wrote them.
  var author: Save? { save ?? (stamp?.content == ContentHash(bytes) ? nil : draft) }

  init(_ number: Int) { self.number = number }
}

/// An open file.
final class Descriptor {
  enum Lease { case read, write }

  let inode: Inode
  let process: Process
  let isWriter: Bool
  private let isPin: Bool
  var lease: Lease?
  var isLocked = false
  private var isOpen = true

  init(_ inode: Inode, by process: Process, writing isWriter: Bool) {
    self.inode = inode
    self.process = process
    self.isWriter = isWriter
    isPin = false
    inode.descriptors.append(self)
    process.descriptors.append(self)
  }

  init(pinning inode: Inode, by process: Process) {
    self.inode = inode
    self.process = process
    isWriter = false
    isPin = true
    inode.pins += 1
    process.descriptors.append(self)
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    (lease, isLocked) = (nil, false)
    if isPin { inode.pins -= 1 } else { inode.descriptors.removeAll { $0 === self } }
    process.descriptors.removeAll { $0 === self }
    process.world.disk.release(inode)
  }

  /// Whether others must wait: an opener for writing for any lease, a reader for a write lease.
  func isBlocked() -> Bool {
    inode.descriptors.contains { $0 !== self && ($0.lease == .write || $0.lease == .read && isWriter) }
  }

  func take(_ lease: Lease) -> Bool {
    let conflict = inode.descriptors.contains {
      switch lease {
      case .read: $0.isWriter || $0 !== self && $0.lease == .write
      case .write: $0 !== self
      }
    }
    if conflict || lease == .write && inode.links > 1 { return false }
    self.lease = lease
    return true
  }

  /// The lock of a displaced file, which tells that an instance looks after it.
  func tryLock() -> Bool {
    if inode.descriptors.contains(where: { $0 !== self && $0.isLocked }) { return false }
    isLocked = true
    return true
  }
}

/// A name in the one folder there is.
enum Name: Hashable, CustomStringConvertible {
  case path
  case foreign(String)
  case own(Label)

  var description: String {
    switch self {
    case .path: "f"
    case .foreign(let name): name
    case .own(let label): label.description
    }
  }
}

/// What the name of a file beside the shared one tells.
struct Label: Hashable, CustomStringConvertible {
  enum Role: String { case tmp, back, spare, burst }

  var role: Role
  var inode: Int
  var base: UInt64
  var new: UInt64
  var attempt = 0

  init(role: Role, inode: Int, base: UInt64, new: UInt64) {
    (self.role, self.inode, self.base, self.new) = (role, inode, base, new)
  }

  /// What an instance swaps in a row of commits.
  init(burstOf instance: String) {
    self.init(role: .burst, inode: 0, base: short(ContentHash(Array(instance.utf8))), new: 0)
  }

  /// What was swapped out is told by its inode from what was swapped in for it, stood at the path, and gave way again.
  func believed(of inode: Inode) -> UInt64 { role == .back && inode.number == self.inode ? new : base }

  var description: String {
    ".f-\(inode)-\(String(base >> 48, radix: 16))-\(String(new >> 48, radix: 16))"
      + (attempt == 0 ? "" : "-\(attempt)") + ".\(role)"
  }
}

/// One folder, whose file system gives a number away again as soon as it is free.
struct Disk {
  private(set) var names: [Name: Inode] = [:]
  private var used: [Bool] = [true]
  /// How coarse times are, in nanoseconds.
  var grain: UInt64 = 1

  subscript(_ name: Name) -> Inode? { names[name] }

  mutating func make(_ name: Name) throws -> Inode {
    guard names[name] == nil else { throw Refusal(.EEXIST) }
    let number = used.firstIndex(of: false) ?? used.count
    if number == used.count { used.append(true) } else { used[number] = true }
    let inode = Inode(number)
    link(inode, name)
    return inode
  }

  mutating func remove(_ name: Name) {
    guard let inode = names.removeValue(forKey: name) else { return }
    inode.links -= 1
    release(inode)
  }

  mutating func rename(_ old: Name, to new: Name) throws {
    guard let inode = names[old] else { throw Refusal(.ENOENT) }
    if old == new { return }
    remove(new)
    names[old] = nil
    names[new] = inode
  }

  mutating func exchange(_ first: Name, _ second: Name) throws {
    guard let one = names[first], let other = names[second] else { throw Refusal(.ENOENT) }
    names[first] = other
    names[second] = one
  }

  mutating func release(_ inode: Inode) {
    if inode.links == 0 && inode.descriptors.isEmpty && inode.pins == 0 { used[inode.number] = false }
  }

  private mutating func link(_ inode: Inode, _ name: Name) {
    names[name] = inode
    inode.links += 1
  }

  func write(_ bytes: ArraySlice<UInt8>, at offset: Int, to inode: Inode, now: UInt64) {
    if inode.bytes.count < offset { inode.bytes += Array(repeating: 0, count: offset - inode.bytes.count) }
    let end = min(inode.bytes.count, offset + bytes.count)
    inode.bytes.replaceSubrange(offset..<end, with: bytes)
    touch(inode, now)
  }

  func truncate(_ inode: Inode, to size: Int, now: UInt64) {
    guard inode.bytes.count > size else { return }
    inode.bytes.removeLast(inode.bytes.count - size)
    touch(inode, now)
  }

  private func touch(_ inode: Inode, _ now: UInt64) {
    inode.modified = Int64(now / grain * grain)
    inode.lastWrite = now
    inode.save = nil
  }
}

extension Inode {
  var status: FileStatus {
    var status = stat()
    status.st_ino = UInt(number)
    status.st_mode = S_IFREG | 0o644
    status.st_nlink = UInt(links)
    status.st_size = bytes.count
    status.st_mtim.tv_sec = Int(modified / 1_000_000_000)
    status.st_mtim.tv_nsec = Int(modified % 1_000_000_000)
    return FileStatus(status)
  }
}
