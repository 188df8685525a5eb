import Glibc
import HotReload

extension SimulatedMachine {
  /// Puts the calls of simulated machines in the place of the system's: from now on whoever calls on a thread of a simulated
  /// process calls its machine. All other threads call the system, as before.
  ///
  /// To be called once, before there is any other thread.
  package static func install() {
    installNames()
    installOpenFiles()
    installAttributes()
    installEvents()
    installSockets()
    installTimeAndThreads()
  }

  private static func installNames() {
    System.calls.openat = { directory, path, flags, mode in
      simulated(flags & O_CREAT == 0 ? .openat : .creat, about: path, else: system.openat(directory, path, flags, mode))
      {
        try $0.open(directory, text(path), flags, mode)
      }
    }
    System.calls.fstatat = { directory, path, status, flags in
      simulated(.fstatat, about: path, else: system.fstatat(directory, path, status, flags)) {
        try $0.status(directory, text(path), status, flags)
      }
    }
    System.calls.faccessat = { directory, path, wanted, flags in
      simulated(.faccessat, about: path, else: system.faccessat(directory, path, wanted, flags)) {
        try $0.access(directory, text(path), wanted)
      }
    }
    System.calls.linkat = { oldDirectory, old, newDirectory, new, flags in
      simulated(.linkat, about: new, else: system.linkat(oldDirectory, old, newDirectory, new, flags)) {
        try $0.link((oldDirectory, text(old)), (newDirectory, text(new)))
      }
    }
    System.calls.renameat2 = { oldDirectory, old, newDirectory, new, flags in
      simulated(.renameat2, about: new, else: system.renameat2(oldDirectory, old, newDirectory, new, flags)) {
        try $0.rename((oldDirectory, text(old)), (newDirectory, text(new)), flags)
      }
    }
    System.calls.unlinkat = { directory, path, flags in
      simulated(.unlinkat, about: path, else: system.unlinkat(directory, path, flags)) {
        try $0.unlink(directory, text(path), flags)
      }
    }
    System.calls.mkdirat = { directory, path, mode in
      simulated(.mkdirat, about: path, else: system.mkdirat(directory, path, mode)) {
        try $0.makeDirectory(directory, text(path), mode)
      }
    }
    System.calls.readlink = { path, buffer, size in
      simulated(.readlink, about: path, else: system.readlink(path, buffer, size)) {
        try $0.readLink(text(path), UnsafeMutableRawBufferPointer(start: buffer, count: size))
      }
    }
    System.calls.realpath = { path, buffer in
      guard let thread = SimulatedThread.current else { return system.realpath(path, buffer) }
      thread.scheduler.enter(.realpath, thread)
      do throws(Refusal) {
        return try thread.realPath(text(path))
      } catch {
        errno = error.errno
        return nil
      }
    }
    System.calls.statfs = { path, status in
      simulated(.statfs, about: path, else: system.statfs(path, status)) { try $0.kindOfFileSystem(text(path), status) }
    }
  }

  private static func installOpenFiles() {
    System.calls.close = { descriptor in
      simulated(.close, on: descriptor, else: system.close(descriptor)) { thread throws(Refusal) in
        try thread.process.close(descriptor)
        return 0
      }
    }
    System.calls.fstat = { descriptor, status in
      simulated(.fstat, on: descriptor, else: system.fstat(descriptor, status)) { try $0.status(descriptor, status) }
    }
    System.calls.pread = { descriptor, buffer, size, offset in
      simulated(.pread, on: descriptor, else: system.pread(descriptor, buffer, size, offset)) {
        try $0.read(descriptor, UnsafeMutableRawBufferPointer(start: buffer, count: size), at: offset)
      }
    }
    System.calls.pwrite = { descriptor, buffer, size, offset in
      simulated(.pwrite, on: descriptor, else: system.pwrite(descriptor, buffer, size, offset)) {
        try $0.write(descriptor, UnsafeRawBufferPointer(start: buffer, count: size), at: offset)
      }
    }
    System.calls.fallocate = { descriptor, mode, offset, size in
      simulated(.fallocate, on: descriptor, else: system.fallocate(descriptor, mode, offset, size)) {
        try $0.reserve(descriptor)
      }
    }
    System.calls.ftruncate = { descriptor, size in
      simulated(.ftruncate, on: descriptor, else: system.ftruncate(descriptor, size)) {
        try $0.truncate(descriptor, to: size)
      }
    }
    System.calls.fsync = { descriptor in
      simulated(.fsync, on: descriptor, else: system.fsync(descriptor)) { try $0.flush(descriptor) }
    }
    System.calls.fdatasync = { descriptor in
      simulated(.fdatasync, on: descriptor, else: system.fdatasync(descriptor)) { try $0.flush(descriptor) }
    }
    System.calls.sync_file_range = { descriptor, offset, count, flags in
      simulated(.sync_file_range, on: descriptor, else: system.sync_file_range(descriptor, offset, count, flags)) {
        try $0.startWriteback(descriptor)
      }
    }
    System.calls.getdents = { descriptor, buffer, size in
      simulated(.getdents64, on: descriptor, else: system.getdents(descriptor, buffer, size)) {
        try $0.list(descriptor, UnsafeMutableRawBufferPointer(start: buffer, count: size))
      }
    }
    System.calls.flock = { descriptor, operation in
      simulated(.flock, on: descriptor, else: system.flock(descriptor, operation)) {
        try $0.lock(descriptor, operation)
      }
    }
    System.calls.setLease = { descriptor, type in
      simulated(.F_SETLEASE, on: descriptor, else: system.setLease(descriptor, type)) {
        try $0.setLease(descriptor, type)
      }
    }
    System.calls.lease = { descriptor in
      simulated(.F_GETLEASE, on: descriptor, else: system.lease(descriptor)) { try $0.lease(descriptor) }
    }
    System.calls.setSignal = { descriptor, signal in
      simulated(.F_SETSIG, on: descriptor, else: system.setSignal(descriptor, signal)) { try $0.check(descriptor) }
    }
  }

  private static func installAttributes() {
    System.calls.fchmod = { descriptor, mode in
      simulated(.fchmod, on: descriptor, else: system.fchmod(descriptor, mode)) {
        try $0.setPermissions(descriptor, mode)
      }
    }
    System.calls.fchown = { descriptor, owner, group in
      simulated(.fchown, on: descriptor, else: system.fchown(descriptor, owner, group)) {
        try $0.setOwner(descriptor, owner, group)
      }
    }
    System.calls.futimens = { descriptor, times in
      simulated(.futimens, on: descriptor, else: system.futimens(descriptor, times)) {
        try $0.setTimes(descriptor, times)
      }
    }
    System.calls.flistxattr = { descriptor, buffer, size in
      simulated(.flistxattr, on: descriptor, else: system.flistxattr(descriptor, buffer, size)) {
        try $0.attributeNames(descriptor, UnsafeMutableRawBufferPointer(start: buffer, count: size))
      }
    }
    System.calls.fgetxattr = { descriptor, name, buffer, size in
      simulated(.fgetxattr, on: descriptor, else: system.fgetxattr(descriptor, name, buffer, size)) {
        try $0.attribute(descriptor, text(name), UnsafeMutableRawBufferPointer(start: buffer, count: size))
      }
    }
    System.calls.lgetxattr = { path, name, buffer, size in
      simulated(.lgetxattr, about: path, else: system.lgetxattr(path, name, buffer, size)) {
        try $0.attribute(text(path), text(name), UnsafeMutableRawBufferPointer(start: buffer, count: size))
      }
    }
    System.calls.fsetxattr = { descriptor, name, value, size, flags in
      simulated(.fsetxattr, on: descriptor, else: system.fsetxattr(descriptor, name, value, size, flags)) {
        try $0.setAttribute(descriptor, text(name), Array(UnsafeRawBufferPointer(start: value, count: size)))
      }
    }
    System.calls.fremovexattr = { descriptor, name in
      simulated(.fremovexattr, on: descriptor, else: system.fremovexattr(descriptor, name)) {
        try $0.removeAttribute(descriptor, text(name))
      }
    }
  }

  private static func installEvents() {
    System.calls.eventfd = { count, flags in
      simulated(.eventfd, else: system.eventfd(count, flags)) { try $0.makeCounter() }
    }
    System.calls.inotify_init1 = { flags in
      simulated(.inotify_init1, else: system.inotify_init1(flags)) { try $0.makeInotify() }
    }
    System.calls.inotify_add_watch = { descriptor, path, mask in
      simulated(.inotify_add_watch, about: path, else: system.inotify_add_watch(descriptor, path, mask)) {
        try $0.watch(descriptor, text(path), mask)
      }
    }
    System.calls.inotify_rm_watch = { descriptor, watch in
      simulated(.inotify_rm_watch, on: descriptor, else: system.inotify_rm_watch(descriptor, watch)) {
        try $0.unwatch(descriptor, watch)
      }
    }
    System.calls.read = { descriptor, buffer, size in
      simulated(.read, on: descriptor, else: system.read(descriptor, buffer, size)) {
        try $0.read(descriptor, UnsafeMutableRawBufferPointer(start: buffer, count: size))
      }
    }
    System.calls.write = { descriptor, buffer, size in
      simulated(.write, on: descriptor, else: system.write(descriptor, buffer, size)) {
        try $0.write(descriptor, UnsafeRawBufferPointer(start: buffer, count: size))
      }
    }
    System.calls.ppoll = { entries, count, timeout, signals in
      simulated(.ppoll, else: system.ppoll(entries, count, timeout, signals)) {
        try $0.poll(UnsafeMutableBufferPointer(start: entries, count: Int(count)), timeout)
      }
    }
  }

  private static func installSockets() {
    System.calls.socket = { domain, type, `protocol` in
      simulated(.socket, else: system.socket(domain, type, `protocol`)) { try $0.makeSocket() }
    }
    System.calls.bind = { descriptor, address, size in
      simulated(.bind, on: descriptor, else: system.bind(descriptor, address, size)) {
        try $0.bind(descriptor, address)
      }
    }
    System.calls.listen = { descriptor, backlog in
      simulated(.listen, on: descriptor, else: system.listen(descriptor, backlog)) { try $0.listen(descriptor) }
    }
    System.calls.connect = { descriptor, address, size in
      simulated(.connect, on: descriptor, else: system.connect(descriptor, address, size)) {
        try $0.connect(descriptor, address)
      }
    }
    System.calls.accept = { descriptor, address, size, flags in
      simulated(.accept4, on: descriptor, else: system.accept(descriptor, address, size, flags)) {
        try $0.accept(descriptor)
      }
    }
    System.calls.peerUser = { descriptor, user in
      simulated(.getsockopt, on: descriptor, else: system.peerUser(descriptor, user)) {
        try $0.peerUser(descriptor, user)
      }
    }
    System.calls.send = { descriptor, bytes, count, flags in
      simulated(.send, on: descriptor, else: system.send(descriptor, bytes, count, flags)) {
        try $0.send(descriptor, UnsafeRawBufferPointer(start: bytes, count: count))
      }
    }
    System.calls.recv = { descriptor, buffer, size, flags in
      simulated(.recv, on: descriptor, else: system.recv(descriptor, buffer, size, flags)) {
        try $0.receive(descriptor, UnsafeMutableRawBufferPointer(start: buffer, count: size))
      }
    }
  }

  private static func installTimeAndThreads() {
    System.calls.clock_gettime = { clock, time in
      simulated(.clock_gettime, else: system.clock_gettime(clock, time)) { $0.time(clock, time) }
    }
    System.calls.clock_nanosleep = { clock, flags, time, rest in
      simulated(.clock_nanosleep, else: system.clock_nanosleep(clock, flags, time, rest)) { $0.sleep(time) }
    }
    System.calls.pthread_create = { identity, attributes, start, context in
      simulated(.pthread_create, else: system.pthread_create(identity, attributes, start, context)) {
        $0.startThread(identity, start, context)
      }
    }
    System.calls.pthread_join = { identity, result in
      if let thread = SimulatedThread.current {
        thread.scheduler.enter(.pthread_join, thread)
        _ = thread.join(identity)
      }
      // It has come to its end, but for what the C library does.
      return system.pthread_join(identity, result)
    }
    System.calls.getpid = { simulated(.getpid, else: system.getpid()) { $0.process.identifier } }
    System.calls.geteuid = { SimulatedThread.current?.process.user ?? system.geteuid() }
    // All processors are one, and nobody is moved to another: it is the scheduler's part to say who goes on.
    System.calls.sched_getcpu = { SimulatedThread.current == nil ? system.sched_getcpu() : 0 }
    System.calls.sched_getscheduler = { SimulatedThread.current == nil ? system.sched_getscheduler($0) : -1 }
    System.calls.sched_getaffinity = {
      SimulatedThread.current == nil ? system.sched_getaffinity($0, $1, $2) : -1
    }
    System.calls.random = {
      SimulatedThread.current.map { $0.scheduler.random.next() } ?? system.random()
    }
    System.calls.processState = {
      SimulatedThread.current.map { UnsafeRawPointer(Unmanaged.passUnretained($0.process.state).toOpaque()) }
    }
  }
}

/// The calls of the system itself.
private let system = SystemCalls()

private func text(_ path: UnsafePointer<CChar>) -> String { String(cString: path) }

/// Makes a call of the simulated machine, if this is one of its threads, or else that of the system. It is about a name, or a
/// descriptor, if it is about any file.
private func simulated<Result: SignedInteger>(
  _ call: SystemCall, about name: UnsafePointer<CChar>? = nil, on descriptor: Int32 = -1,
  else otherwise: @autoclosure () -> Result, _ body: (SimulatedThread) throws -> Result
) -> Result {
  guard let thread = SimulatedThread.current else { return otherwise() }
  let (scheduler, process) = (thread.scheduler, thread.process)
  scheduler.enter(call, thread)
  func subject() -> String { name.map { text($0) } ?? process.opened(descriptor)?.entry?.name ?? "" }
  let about = scheduler.onCall == nil ? "" : subject()
  do {
    let fault = process.machine.fault.flatMap { $0(process, call, subject()) }
    if let fault, !fault.isDone { throw Refusal(fault.errno) }
    let result = try body(thread)
    if let fault { throw Refusal(fault.errno) }
    scheduler.onCall?(thread, call, about, Int(result))
    return result
  } catch {
    guard let refusal = error as? Refusal else { fatalError("\(call) failed as none can: \(error)") }
    scheduler.onCall?(thread, call, about, -Int(refusal.errno))
    errno = refusal.errno
    return -1
  }
}
