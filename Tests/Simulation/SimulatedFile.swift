import HotReload
import StateJSON

/// `SharedFile` on the simulated disk: the same steps in the same order, with others acting in between.
final class SimulatedFile {
  /// What stands beside the file and is looked after.
  final class Displaced {
    let descriptor: Descriptor
    var label: Label
    var believed: UInt64
    var awaitsIngestion: Bool
    var look: (status: FileStatus, hash: ContentHash, since: UInt64)?
    var refused: ContentHash?
    let isInherited: Bool
    /// What was found in it first, where it is inherited.
    var inherited: ContentHash?

    init(
      _ descriptor: Descriptor, _ label: Label, believed: UInt64, awaitsIngestion: Bool = false,
      isInherited: Bool = false
    ) {
      self.isInherited = isInherited
      self.descriptor = descriptor
      self.label = label
      self.believed = believed
      self.awaitsIngestion = awaitsIngestion
      _ = descriptor.tryLock()
    }

    var inode: Inode { descriptor.inode }
  }

  /// What came out of a swap, and who else has it open.
  struct Inspection {
    enum Company { case nobody, readersOnly, writer }

    let descriptor: Descriptor
    let contents: Contents
    let company: Company
  }

  static let patience: UInt64 = 30_000_000
  static let writerQuiet: UInt64 = 50_000_000
  static let clockGrain: UInt64 = 2_000_000_000

  let world: World
  let process: Process
  let instance: String
  var displaced: [Displaced] = []
  /// What the last swap brought out as expected, until the lock is given back; what it is called, and what is believed to be
  /// in it.
  var swappedOut: (found: Inspection, label: Label, base: UInt64)?
  /// The newest contents, open as they were written, between commits that follow each other.
  var written: Descriptor?
  /// Whether they were found to stand at the path no more.
  private var hasChanged = false
  var spare: Displaced?
  var pin: Descriptor?
  var lastSeen: FileStatus?
  private(set) var isLocked = false
  /// Whether the lock is kept from others between two commits, and since when it is.
  private(set) var isResting = false
  private(set) var lockedSince: UInt64 = 0
  var newest: Contents?

  init(world: World, process: Process, instance: String) {
    self.world = world
    self.process = process
    self.instance = instance
  }

  var hasDisplaced: Bool { !displaced.isEmpty }

  // MARK: Lock

  func tryLock() async throws -> Bool {
    if isResting {
      (isResting, isLocked) = (false, true)
      return true
    }
    try await process.step("flock")
    guard world.lockOwner == nil || world.variant == .noLock else { return false }
    if world.lockOwner == nil { world.lockOwner = process }
    isLocked = true
    lockedSince = world.now
    return true
  }

  func rest() {
    world.note(process, "rests")
    (isResting, isLocked) = (true, false)
  }

  func unlock() async throws {
    try await retireSwappedOut()
    written?.close()
    written = nil
    isResting = false
    world.note(process, "unlocks")
    if world.lockOwner === process { world.lockOwner = nil }
    isLocked = false
    pin?.close()
    pin = nil
  }

  // MARK: Read

  func read() async throws -> Snapshot {
    if isLocked, let known = undisturbedContents() {
      lastSeen = known.status
      return .contents(known)
    }
    guard let descriptor = try await open(.path) else {
      lastSeen = nil
      return .missing
    }
    try await process.step("read the stamp")
    if let known = undisturbedContents(of: descriptor.inode) {
      descriptor.close()
      lastSeen = known.status
      return .contents(known)
    }
    let contents = try await contents(of: descriptor, at: .path)
    descriptor.close()
    lastSeen = contents.status
    newest = contents
    world.note(process, "has read \(contents.bytes.text.debugDescription)\(contents.settled ? "" : ", unsettled")")
    return .contents(contents)
  }

  /// What this instance has brought there, and has open, which most likely stands there still: `replace` looks.
  private func undisturbedContents() -> Contents? {
    guard let written else { return nil }
    if !hasChanged, swappedOut != nil, let newest, newest.stamp != nil { return newest }
    // Open for writing, it would keep us from a read lease.
    written.close()
    self.written = nil
    return nil
  }

  /// What is known to stand there, where that looks untouched, and bears the stamp that it had: a swap tells.
  private func undisturbedContents(of inode: Inode) -> Contents? {
    guard isLocked, let newest, let stamp = newest.stamp, inode.stamp == stamp,
      inode.status.hasSameContent(as: newest.status)
    else { return nil }
    return newest
  }

  /// Whether something else stands at the path than what this instance has brought there, and was taken for granted.
  func standsOtherThanWritten() async throws -> Bool {
    hasChanged = false
    guard let written, swappedOut != nil, let newest, newest.stamp != nil else { return false }
    try await process.step("stat f")
    hasChanged = world.disk[.path] !== written.inode || !written.inode.status.hasSameContent(as: newest.status)
    return hasChanged
  }

  /// Opens a file, as soon as no lease is in the way; nil if it is missing.
  func open(_ name: Name, writing: Bool = false) async throws -> Descriptor? {
    let deadline = world.now + 100_000_000
    while true {
      try await process.step("open \(name)")
      try world.mayFail(process, "open")
      guard let inode = world.disk[name] else { return nil }
      let descriptor = Descriptor(inode, by: process, writing: writing)
      if !descriptor.isBlocked() { return descriptor }
      descriptor.close()
      if world.now > deadline { throw Refusal(.EAGAIN) }
      try await process.sleep(50_000)
    }
  }

  func take(_ lease: Descriptor.Lease, on descriptor: Descriptor) -> Bool {
    if world.variant == .noLease { return true }
    return descriptor.take(lease)
  }

  /// Reads an open file under a read lease where that is granted.
  func contents(of descriptor: Descriptor, at name: Name?) async throws -> Contents {
    try await process.step("lease and read")
    let isGranted = take(.read, on: descriptor)
    defer { descriptor.lease = nil }
    return try await contents(of: descriptor, at: name, under: isGranted)
  }

  func contents(of descriptor: Descriptor, at name: Name?, under isGranted: Bool) async throws -> Contents {
    let inode = descriptor.inode
    let before = inode.status
    var bytes = inode.bytes
    if !isGranted || world.variant == .noLease {
      // Others may write between the pieces.
      let half = bytes.count / 2
      bytes = Array(inode.bytes.prefix(half))
      try await process.step("read the rest")
      bytes += inode.bytes.dropFirst(half)
    }
    let encodedStamp = inode.stamp
    let after = inode.status
    var standing: Int? = inode.number
    if let name {
      try await process.step("stat \(name)")
      standing = world.disk[name]?.number
    }
    let known = newest.flatMap { $0.bytes == bytes ? $0.hash : nil }
    let hash = known ?? ContentHash(bytes)
    let stamp = encodedStamp.flatMap { $0.content == hash ? $0 : nil }
    let isStable = before.hasSameContent(as: after) && bytes.count == after.size && standing == inode.number
    let contents = Contents(
      bytes: bytes, hash: hash, status: after, stamp: stamp,
      settled: stamp != nil || isGranted && isStable || world.variant == .believeTornReads)
    return contents
  }

  /// Looks into a file beside the path; while somebody writes to it, again until the patience is over.
  func inspect(_ name: Name, openAs kept: Descriptor? = nil) async throws -> Inspection {
    try await process.step("open \(name) to inspect it")
    do {
      try world.mayFail(process, "open")
      guard world.disk[name] != nil else { throw Refusal(.ENOENT) }
    } catch {
      kept?.close()
      throw error
    }
    guard let inode = world.disk[name] else { throw Refusal(.ENOENT) }
    if let kept, kept.inode !== inode { kept.close() }
    let own = kept.flatMap { $0.inode === inode ? $0 : nil } ?? Descriptor(inode, by: process, writing: true)
    if !own.isBlocked(), inode.links == 1 {
      try await process.step("take a write lease")
      if take(.write, on: own) {
        let contents = try await contents(of: own, at: name, under: true)
        return Inspection(descriptor: own, contents: contents, company: .nobody)
      }
    }
    own.close()
    let deadline = world.now + Self.patience
    while true {
      guard let reader = try await open(name) else { throw Refusal(.ENOENT) }
      let isGranted = take(.read, on: reader)
      if !isGranted, world.now < deadline {
        reader.close()
        try await process.sleep(500_000)
        continue
      }
      let contents = try await contents(of: reader, at: name, under: isGranted)
      return Inspection(descriptor: reader, contents: contents, company: isGranted ? .readersOnly : .writer)
    }
  }

  // MARK: Names

  func unusedLabel(_ label: Label) -> Label {
    var label = label
    while world.disk[.own(label)] != nil { label.attempt += 1 }
    return label
  }

  func remove(_ name: Name) async throws {
    try await process.step("unlink \(name)")
    do {
      try world.mayFail(process, "unlink")
    } catch {
      // It stays for the next instance, of which there may be none in this run.
      world.unremovable.insert(name)
      throw error
    }
    if let inode = world.disk[name] { world.judge.destroys(inode, where: world.disk[.path], by: process.name) }
    world.disk.remove(name)
  }

  func discard(_ name: Name) async throws {
    do {
      try await remove(name)
    } catch is Refusal {}
  }

  func rename(_ old: Name, to new: Name) async throws {
    try await process.step("rename \(old) to \(new)")
    try world.mayFail(process, "rename")
    try world.disk.rename(old, to: new)
  }

  /// Swaps two names; an error does not tell whether it happened.
  func exchange(_ first: Name, _ second: Name) async throws {
    try await process.step("exchange \(first) and \(second)")
    try world.mayFail(process, "exchange")
    try world.disk.exchange(first, second)
    if case .own(let label) = first, let inode = world.disk[first],
      short(ContentHash(inode.bytes)) != label.believed(of: inode)
    {
      inode.save?.wasDisplaced = true
    }
    world.notify(.now)
    try world.mayFail(process, "exchange, after it happened,")
  }

  func examine() -> Bool {
    guard let status = world.disk[.path]?.status else { return lastSeen != nil }
    return lastSeen.map { !status.hasSameContent(as: $0) } ?? true
  }
}

func short(_ hash: ContentHash?) -> UInt64 { hash?.high ?? 0 }

/// The beginning of a hash's digits, as a late save names its base.
func digits(_ short: UInt64) -> String {
  let digits = String(short, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
