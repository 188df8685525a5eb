import Glibc

/// The calls that are about what happens, and about other processes.
extension SimulatedThread {
  private var files: FileSystem { process.machine.files }

  // MARK: Notifications

  func makeCounter() throws(Refusal) -> Int32 { process.add(OpenFile(.counter(OpenFile.Counter()), by: process)) }

  func makeInotify() throws(Refusal) -> Int32 {
    let machine = process.machine
    let inotify = Inotify(fate: { machine.fateOfNotification() })
    return process.add(OpenFile(.inotify(inotify), by: process))
  }

  private func inotify(_ descriptor: Int32) throws(Refusal) -> Inotify {
    guard case .inotify(let inotify) = try process.file(descriptor).object else { throw Refusal(EINVAL) }
    return inotify
  }

  func watch(_ descriptor: Int32, _ path: String, _ mask: UInt32) throws(Refusal) -> Int32 {
    let inotify = try inotify(descriptor)
    let follows = mask & UInt32(IN_DONT_FOLLOW) == 0
    let inode = try files.place(of: path, from: files.root, for: process, follows: follows).found.inode
    if mask & UInt32(IN_ONLYDIR) != 0, inode.kind != .directory { throw Refusal(ENOTDIR) }
    try process.check(inode, R_OK)
    return inotify.add(inode, mask)
  }

  func unwatch(_ descriptor: Int32, _ watch: Int32) throws(Refusal) -> Int32 {
    try inotify(descriptor).remove(watch)
    return 0
  }

  func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) throws(Refusal) -> Int {
    switch try process.file(descriptor).object {
    case .counter(let counter):
      guard counter.value > 0 else { throw Refusal(EAGAIN) }
      buffer.storeBytes(of: counter.value, as: UInt64.self)
      counter.value = 0
      return 8
    case .inotify(let inotify): return try inotify.read(into: buffer)
    case .inode, .socket: throw Refusal(EINVAL)
    }
  }

  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Refusal) -> Int {
    guard case .counter(let counter) = try process.file(descriptor).object else { throw Refusal(EINVAL) }
    counter.value += bytes.loadUnaligned(as: UInt64.self)
    return 8
  }

  /// Waits until one of the descriptors can be read.
  func poll(_ entries: UnsafeMutableBufferPointer<pollfd>, _ timeout: UnsafePointer<timespec>?) throws(Refusal) -> Int32
  {
    let process = process
    let isReady = { (entry: pollfd) -> Bool in
      guard entry.fd >= 0, entry.events & Int16(POLLIN) != 0, let file = process.opened(entry.fd) else { return false }
      return switch file.object {
      case .counter(let counter): counter.value > 0
      case .inotify(let inotify): !inotify.events.isEmpty
      case .socket(let socket): socket.isReadable
      case .inode: true
      }
    }
    var deadline = UInt64.max
    if let timeout = timeout?.pointee {
      deadline = scheduler.now + UInt64(timeout.tv_sec) * 1_000_000_000 + UInt64(timeout.tv_nsec)
    }
    if !entries.contains(where: isReady), deadline > scheduler.now {
      scheduler.wait(self, until: deadline) { entries.contains(where: isReady) }
    }
    var count: Int32 = 0
    for index in entries.indices {
      let isReady = isReady(entries[index])
      entries[index].revents = isReady ? Int16(POLLIN) : 0
      if isReady { count += 1 }
    }
    return count
  }

  // MARK: Sockets

  func makeSocket() throws(Refusal) -> Int32 { process.add(OpenFile(.socket(Socket(user: process.user)), by: process)) }

  private func socket(_ descriptor: Int32) throws(Refusal) -> Socket {
    guard case .socket(let socket) = try process.file(descriptor).object else { throw Refusal(ENOTSOCK) }
    return socket
  }

  private static func path(_ address: UnsafePointer<sockaddr>) -> String {
    let offset = MemoryLayout<sa_family_t>.size
    return String(cString: UnsafeRawPointer(address).advanced(by: offset).assumingMemoryBound(to: CChar.self))
  }

  func bind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>) throws(Refusal) -> Int32 {
    let socket = try socket(descriptor)
    let place = try files.place(of: Self.path(address), from: files.root, for: process, follows: false)
    guard place.entry == nil else { throw Refusal(EADDRINUSE) }
    let entry = try files.make(.socket, at: place, permissions: socket.permissions, for: process)
    entry.inode.listener = socket
    socket.inode = entry.inode
    return 0
  }

  func listen(_ descriptor: Int32) throws(Refusal) -> Int32 {
    try socket(descriptor).backlog = []
    return 0
  }

  func connect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>) throws(Refusal) -> Int32 {
    let socket = try socket(descriptor)
    let entry = try files.place(of: Self.path(address), from: files.root, for: process, follows: true).found
    try process.check(entry.inode, W_OK)
    guard entry.inode.kind == .socket else { throw Refusal(ECONNREFUSED) }
    try socket.connect(to: entry.inode.listener)
    return 0
  }

  func accept(_ descriptor: Int32) throws(Refusal) -> Int32 {
    process.add(OpenFile(.socket(try socket(descriptor).accept()), by: process))
  }

  func peerUser(_ descriptor: Int32, _ user: UnsafeMutablePointer<uid_t>) throws(Refusal) -> Int32 {
    user.pointee = try socket(descriptor).user
    return 0
  }

  func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Refusal) -> Int {
    try socket(descriptor).send(Array(bytes))
    return bytes.count
  }

  func receive(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) throws(Refusal) -> Int {
    let message = try socket(descriptor).receive().prefix(buffer.count)
    buffer.copyBytes(from: message)
    return message.count
  }

  // MARK: Time and threads

  func time(_ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>) -> Int32 {
    let nanoseconds = clock == CLOCK_MONOTONIC ? Int64(scheduler.now) : process.machine.time
    time.pointee = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    return 0
  }

  func sleep(_ time: UnsafePointer<timespec>) -> Int32 {
    let nanoseconds = UInt64(time.pointee.tv_sec) * 1_000_000_000 + UInt64(time.pointee.tv_nsec)
    scheduler.wait(self, until: scheduler.now + nanoseconds) { false }
    return 0
  }

  func startThread(
    _ identity: UnsafeMutablePointer<pthread_t>,
    _ start: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?,
    _ context: UnsafeMutableRawPointer?
  ) -> Int32 {
    let thread = scheduler.start(in: process) { _ = start(context) }
    identity.pointee = thread.identity
    return 0
  }

  /// Waits for the end of another thread.
  func join(_ identity: pthread_t) -> Int32 {
    guard let other = process.threads.first(where: { $0.identity == identity }) else { return 0 }
    scheduler.wait(self) { other.hasEnded }
    return 0
  }
}

extension SimulatedMachine {
  func fateOfNotification() -> Inotify.Fate {
    if losesNotification() { return scheduler.random.oneIn(2) ? .lost : .swept }
    return doublesNotification() ? .doubled : .told
  }
}
