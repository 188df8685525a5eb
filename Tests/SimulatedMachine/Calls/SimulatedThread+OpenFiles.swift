import Glibc

/// The calls that are about what is open.
extension SimulatedThread {
  private var files: FileSystem { process.machine.files }

  func status(_ descriptor: Int32, _ status: UnsafeMutablePointer<stat>) throws(Refusal) -> Int32 {
    status.pointee = try process.inode(descriptor).status
    return 0
  }

  func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(Refusal) -> Int {
    let file = try process.file(descriptor)
    guard let inode = file.inode, file.isReader, file.flags & SystemFlags.path == 0 else { throw Refusal(EBADF) }
    if inode.kind == .directory { throw Refusal(EISDIR) }
    if file.flags & SystemFlags.noAccessTime == 0 { files.noteReading(of: inode) }
    let available = max(0, min(buffer.count, inode.bytes.count - offset))
    if available == 0 { return 0 }
    let count = process.machine.transferLimit(available)
    buffer.copyBytes(from: inode.bytes[offset..<offset + count])
    return count
  }

  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(Refusal) -> Int {
    let file = try process.file(descriptor)
    guard let inode = file.inode, file.isWriter else { throw Refusal(EBADF) }
    if bytes.isEmpty { return 0 }
    let count = process.machine.transferLimit(bytes.count)
    files.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: offset, to: file, inode)
    return count
  }

  /// Reserving room counts as a change, though nothing is changed.
  func reserve(_ descriptor: Int32) throws(Refusal) -> Int32 {
    _ = try check(descriptor)
    files.notify(IN_MODIFY, of: try process.file(descriptor))
    return 0
  }

  func startWriteback(_ descriptor: Int32) throws(Refusal) -> Int32 { try check(descriptor) }

  func truncate(_ descriptor: Int32, to size: Int) throws(Refusal) -> Int32 {
    _ = try check(descriptor)
    let file = try process.file(descriptor)
    guard let inode = file.inode, file.isWriter else { throw Refusal(EINVAL) }
    files.truncate(inode, to: size, through: file)
    return 0
  }

  func flush(_ descriptor: Int32) throws(Refusal) -> Int32 {
    try files.flush(process.inode(descriptor))
    return 0
  }

  /// As many of the names in a directory as there is room for.
  func list(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) throws(Refusal) -> Int {
    let file = try process.file(descriptor)
    guard let inode = file.inode, inode.kind == .directory else { throw Refusal(ENOTDIR) }
    var count = 0
    for (name, entry) in inode.entries.sorted(by: { $0.key < $1.key }).dropFirst(file.listed) {
      let size = (19 + name.utf8.count + 1 + 7) & ~7
      if count + size > buffer.count { break }
      var record = [UInt8](repeating: 0, count: size)
      record.withUnsafeMutableBytes { record in
        record.storeBytes(of: entry.inode.number, as: UInt64.self)
        record.storeBytes(of: UInt16(size), toByteOffset: 16, as: UInt16.self)
        UnsafeMutableRawBufferPointer(rebasing: record[19...]).copyBytes(from: name.utf8)
      }
      UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: record)
      count += size
      file.listed += 1
    }
    return count
  }

  // MARK: Locks and leases

  /// Refuses a descriptor that isn't open, or only pins a file.
  func check(_ descriptor: Int32) throws(Refusal) -> Int32 {
    if try process.file(descriptor).flags & SystemFlags.path != 0 { throw Refusal(EBADF) }
    return 0
  }

  func lock(_ descriptor: Int32, _ operation: Int32) throws(Refusal) -> Int32 {
    let file = try process.file(descriptor)
    guard let inode = file.inode, file.flags & SystemFlags.path == 0 else { throw Refusal(EBADF) }
    if inode.kind == .directory, !files.features.locksDirectories { throw Refusal(EINVAL) }
    if operation & LOCK_UN != 0 {
      if inode.lockHolder === file { inode.lockHolder = nil }
      return 0
    }
    if inode.lockHolder === file { return 0 }
    if inode.lockHolder != nil {
      if operation & LOCK_NB != 0 { throw Refusal(EWOULDBLOCK) }
      scheduler.wait(self) { inode.lockHolder == nil }
    }
    inode.lockHolder = file
    return 0
  }

  func setLease(_ descriptor: Int32, _ type: Int32) throws(Refusal) -> Int32 {
    let file = try process.file(descriptor)
    guard let inode = file.inode, file.flags & SystemFlags.path == 0 else { throw Refusal(EBADF) }
    guard files.features.hasLeases, inode.kind == .file else { throw Refusal(EINVAL) }
    if process.user != 0, process.user != inode.owner { throw Refusal(EACCES) }
    switch type {
    case F_UNLCK:
      guard inode.leases.contains(where: { $0.holder === file }) else { throw Refusal(EAGAIN) }
      inode.leases.removeAll { $0.holder === file }
    case F_RDLCK:
      if inode.openings.contains(where: \.isWriter) { throw Refusal(EAGAIN) }
      if inode.leases.contains(where: { $0.holder !== file && ($0.kind == .write || $0.breaking != nil) }) {
        throw Refusal(EAGAIN)
      }
      // What somebody waits for is still to be done.
      let breaking = inode.leases.first { $0.holder === file }?.breaking
      inode.leases.removeAll { $0.holder === file }
      inode.leases.append(Lease(holder: file, kind: .read, breaking: breaking?.to == nil ? breaking : nil))
    default:
      if inode.openings.contains(where: { $0 !== file }) { throw Refusal(EAGAIN) }
      inode.leases = [Lease(holder: file, kind: .write, breaking: inode.leases.first?.breaking)]
    }
    return 0
  }

  func lease(_ descriptor: Int32) throws(Refusal) -> Int32 {
    _ = try check(descriptor)
    let file = try process.file(descriptor)
    let own = file.inode?.leases.first { $0.holder === file }
    switch own?.told {
    case .read: return F_RDLCK
    case .write: return F_WRLCK
    case nil: return F_UNLCK
    }
  }

  /// How long the kernel waits for a lease to end, in nanoseconds.
  private static let leaseBreakTime: UInt64 = 45_000_000_000

  /// Waits until nobody has a lease on a file that keeps an opener from it.
  func breakLeases(of inode: Inode, for file: OpenFile) throws(Refusal) {
    let isBlocked = { inode.leases.contains { $0.excludes(writer: file.isWriter) } }
    guard isBlocked() else { return }
    for index in inode.leases.indices where inode.leases[index].excludes(writer: file.isWriter) {
      let target = file.isWriter ? nil : Lease.Kind.read
      let deadline = inode.leases[index].breaking?.deadline ?? scheduler.now + Self.leaseBreakTime
      let isEnding = inode.leases[index].breaking.map { $0.to == nil } ?? false
      inode.leases[index].breaking = (isEnding ? nil : target, deadline)
    }
    if file.flags & O_NONBLOCK != 0 { throw Refusal(EWOULDBLOCK) }
    let deadline = inode.leases.compactMap { $0.breaking?.deadline }.min() ?? .max
    if !scheduler.wait(self, until: deadline, for: { !isBlocked() }) {
      // Whoever has one has had long enough.
      inode.leases.removeAll { $0.excludes(writer: file.isWriter) }
    }
  }

  // MARK: What files have beside their content

  func setPermissions(_ descriptor: Int32, _ permissions: mode_t) throws(Refusal) -> Int32 {
    let file = try process.file(descriptor)
    if case .socket(let socket) = file.object {
      socket.permissions = permissions
      return 0
    }
    _ = try check(descriptor)
    let inode = try process.inode(descriptor)
    guard process.user == 0 || process.user == inode.owner else { throw Refusal(EPERM) }
    (inode.permissions, inode.changed) = (permissions & 0o7777, files.now)
    return 0
  }

  func setOwner(_ descriptor: Int32, _ owner: uid_t, _ group: gid_t) throws(Refusal) -> Int32 {
    let inode = try process.inode(descriptor)
    let isOwnerKept = owner == .max || owner == inode.owner
    let isGroupKept = group == .max || group == inode.group
    guard process.user == 0 || process.user == inode.owner && isOwnerKept && (isGroupKept || group == process.group)
    else { throw Refusal(EPERM) }
    if owner != .max { inode.owner = owner }
    if group != .max { inode.group = group }
    inode.changed = files.now
    return 0
  }

  func setTimes(_ descriptor: Int32, _ times: UnsafePointer<timespec>) throws(Refusal) -> Int32 {
    _ = try check(descriptor)
    let inode = try process.inode(descriptor)
    guard process.user == 0 || process.user == inode.owner else { throw Refusal(EPERM) }
    let omit = 0x3fff_fffe
    func nanoseconds(_ time: timespec, else old: Int64) -> Int64 {
      time.tv_nsec == omit ? old : Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    inode.accessed = nanoseconds(times[0], else: inode.accessed)
    inode.modified = nanoseconds(times[1], else: inode.modified)
    inode.changed = files.now
    return 0
  }

  func attributeNames(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) throws(Refusal) -> Int {
    _ = try check(descriptor)
    let inode = try process.inode(descriptor)
    guard files.features.hasAttributes else { throw Refusal(ENOTSUP) }
    let list: [UInt8] = inode.attributes.keys.sorted().flatMap { name -> [UInt8] in Array(name.utf8) + [0] }
    return try give(list, buffer)
  }

  func attribute(
    _ descriptor: Int32, _ name: String, _ buffer: UnsafeMutableRawBufferPointer
  ) throws(Refusal) -> Int {
    _ = try check(descriptor)
    return try attribute(of: process.inode(descriptor), name, buffer)
  }

  func attribute(of inode: Inode, _ name: String, _ buffer: UnsafeMutableRawBufferPointer) throws(Refusal) -> Int {
    guard files.features.hasAttributes else { throw Refusal(ENOTSUP) }
    guard let value = inode.attributes[name] else { throw Refusal(ENODATA) }
    return try give(value, buffer)
  }

  private func give(_ value: [UInt8], _ buffer: UnsafeMutableRawBufferPointer) throws(Refusal) -> Int {
    if buffer.isEmpty { return value.count }
    if value.count > buffer.count { throw Refusal(ERANGE) }
    buffer.copyBytes(from: value)
    return value.count
  }

  func setAttribute(_ descriptor: Int32, _ name: String, _ value: [UInt8]) throws(Refusal) -> Int32 {
    _ = try check(descriptor)
    let inode = try process.inode(descriptor)
    guard files.features.hasAttributes else { throw Refusal(ENOTSUP) }
    try process.check(inode, W_OK)
    inode.attributes[name] = value
    inode.changed = files.now
    return 0
  }

  func removeAttribute(_ descriptor: Int32, _ name: String) throws(Refusal) -> Int32 {
    _ = try check(descriptor)
    let inode = try process.inode(descriptor)
    guard inode.attributes.removeValue(forKey: name) != nil else { throw Refusal(ENODATA) }
    inode.changed = files.now
    return 0
  }
}
