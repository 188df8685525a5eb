import CLinux
import Glibc

/// The system calls that this library is made of, in the form that C gives them: what fails returns -1 and sets `errno`.
///
/// Whatever depends on the machine goes through this one table: the files, locks, leases, notifications, clocks, threads and random
/// numbers. Past it goes what only tells the kernel how to run a thread, and what a process was started with. A simulated machine stands in for Linux by putting its own calls here, and then all of the
/// library runs on it as it ships. It has to do so before the first thread calls any of them.
package struct SystemCalls: Sendable {
  // MARK: Names

  package var openat: @convention(c) (Int32, UnsafePointer<CChar>, Int32, mode_t) -> Int32 = {
    linux_openat($0, $1, $2, $3)
  }
  package var fstatat: @convention(c) (Int32, UnsafePointer<CChar>, UnsafeMutablePointer<stat>, Int32) -> Int32 = {
    Glibc.fstatat($0, $1, $2, $3)
  }
  package var faccessat: @convention(c) (Int32, UnsafePointer<CChar>, Int32, Int32) -> Int32 = {
    Glibc.faccessat($0, $1, $2, $3)
  }
  package var linkat: @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, Int32) -> Int32 = {
    Glibc.linkat($0, $1, $2, $3, $4)
  }
  package var renameat2: @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32 = {
    CLinux.renameat2($0, $1, $2, $3, $4)
  }
  package var unlinkat: @convention(c) (Int32, UnsafePointer<CChar>, Int32) -> Int32 = { Glibc.unlinkat($0, $1, $2) }
  package var mkdirat: @convention(c) (Int32, UnsafePointer<CChar>, mode_t) -> Int32 = { Glibc.mkdirat($0, $1, $2) }
  package var readlink: @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<CChar>, Int) -> Int = {
    Glibc.readlink($0, $1, $2)
  }
  package var realpath:
    @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<CChar>?) -> UnsafeMutablePointer<CChar>? = {
      Glibc.realpath($0, $1)
    }
  package var statfs: @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<statfs>) -> Int32 = {
    callStatfs($0, $1)
  }

  // MARK: Open files

  package var close: @convention(c) (Int32) -> Int32 = { Glibc.close($0) }
  package var fstat: @convention(c) (Int32, UnsafeMutablePointer<stat>) -> Int32 = { Glibc.fstat($0, $1) }
  package var pread: @convention(c) (Int32, UnsafeMutableRawPointer, Int, off_t) -> Int = {
    Glibc.pread($0, $1, $2, $3)
  }
  package var pwrite: @convention(c) (Int32, UnsafeRawPointer, Int, off_t) -> Int = { Glibc.pwrite($0, $1, $2, $3) }
  package var fallocate: @convention(c) (Int32, Int32, off_t, off_t) -> Int32 = { CLinux.fallocate($0, $1, $2, $3) }
  package var ftruncate: @convention(c) (Int32, off_t) -> Int32 = { Glibc.ftruncate($0, $1) }
  package var fsync: @convention(c) (Int32) -> Int32 = { Glibc.fsync($0) }
  package var fdatasync: @convention(c) (Int32) -> Int32 = { Glibc.fdatasync($0) }
  package var sync_file_range: @convention(c) (Int32, off_t, off_t, UInt32) -> Int32 = {
    CLinux.sync_file_range($0, $1, $2, $3)
  }
  package var getdents: @convention(c) (Int32, UnsafeMutableRawPointer, Int) -> Int = { linux_getdents($0, $1, $2) }
  package var flock: @convention(c) (Int32, Int32) -> Int32 = { callFlock($0, $1) }
  package var setLease: @convention(c) (Int32, Int32) -> Int32 = { linux_set_lease($0, $1) }
  package var lease: @convention(c) (Int32) -> Int32 = { linux_lease($0) }
  package var setSignal: @convention(c) (Int32, Int32) -> Int32 = { linux_set_signal($0, $1) }

  // MARK: What files have beside their content

  package var fchmod: @convention(c) (Int32, mode_t) -> Int32 = { Glibc.fchmod($0, $1) }
  package var fchown: @convention(c) (Int32, uid_t, gid_t) -> Int32 = { Glibc.fchown($0, $1, $2) }
  package var futimens: @convention(c) (Int32, UnsafePointer<timespec>) -> Int32 = { Glibc.futimens($0, $1) }
  package var flistxattr: @convention(c) (Int32, UnsafeMutablePointer<CChar>?, Int) -> Int = {
    CLinux.flistxattr($0, $1, $2)
  }
  package var fgetxattr: @convention(c) (Int32, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int = {
    CLinux.fgetxattr($0, $1, $2, $3)
  }
  package var lgetxattr:
    @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int = {
      CLinux.lgetxattr($0, $1, $2, $3)
    }
  package var fsetxattr: @convention(c) (Int32, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32) -> Int32 = {
    CLinux.fsetxattr($0, $1, $2, $3, $4)
  }
  package var fremovexattr: @convention(c) (Int32, UnsafePointer<CChar>) -> Int32 = { CLinux.fremovexattr($0, $1) }

  // MARK: Events

  package var eventfd: @convention(c) (UInt32, Int32) -> Int32 = { CLinux.eventfd($0, $1) }
  package var inotify_init1: @convention(c) (Int32) -> Int32 = { CLinux.inotify_init1($0) }
  package var inotify_add_watch: @convention(c) (Int32, UnsafePointer<CChar>, UInt32) -> Int32 = {
    CLinux.inotify_add_watch($0, $1, $2)
  }
  package var inotify_rm_watch: @convention(c) (Int32, Int32) -> Int32 = { CLinux.inotify_rm_watch($0, $1) }
  package var read: @convention(c) (Int32, UnsafeMutableRawPointer, Int) -> Int = { Glibc.read($0, $1, $2) }
  package var write: @convention(c) (Int32, UnsafeRawPointer, Int) -> Int = { Glibc.write($0, $1, $2) }
  package var ppoll:
    @convention(c) (UnsafeMutablePointer<pollfd>?, nfds_t, UnsafePointer<timespec>?, UnsafePointer<sigset_t>?) -> Int32 =
      { CLinux.ppoll($0, $1, $2, $3) }

  // MARK: Sockets

  package var socket: @convention(c) (Int32, Int32, Int32) -> Int32 = { Glibc.socket($0, $1, $2) }
  package var bind: @convention(c) (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32 = { Glibc.bind($0, $1, $2) }
  package var listen: @convention(c) (Int32, Int32) -> Int32 = { Glibc.listen($0, $1) }
  package var connect: @convention(c) (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32 = {
    Glibc.connect($0, $1, $2)
  }
  package var accept:
    @convention(c) (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?, Int32) -> Int32 = {
      CLinux.accept4($0, $1, $2, $3)
    }
  package var peerUser: @convention(c) (Int32, UnsafeMutablePointer<uid_t>) -> Int32 = { linux_peer_user($0, $1) }
  package var send: @convention(c) (Int32, UnsafeRawPointer, Int, Int32) -> Int = { Glibc.send($0, $1, $2, $3) }
  package var recv: @convention(c) (Int32, UnsafeMutableRawPointer, Int, Int32) -> Int = { Glibc.recv($0, $1, $2, $3) }

  // MARK: Time, threads, and who calls

  package var clock_gettime: @convention(c) (clockid_t, UnsafeMutablePointer<timespec>) -> Int32 = {
    Glibc.clock_gettime($0, $1)
  }
  package var clock_nanosleep:
    @convention(c) (clockid_t, Int32, UnsafePointer<timespec>, UnsafeMutablePointer<timespec>?) -> Int32 = {
      Glibc.clock_nanosleep($0, $1, $2, $3)
    }
  package var pthread_create:
    @convention(c) (
      UnsafeMutablePointer<pthread_t>, UnsafePointer<pthread_attr_t>?,
      @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
    ) -> Int32 = { Glibc.pthread_create($0, $1, $2, $3) }
  package var pthread_join: @convention(c) (pthread_t, UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Int32 = {
    Glibc.pthread_join($0, $1)
  }
  package var sched_getcpu: @convention(c) () -> Int32 = { CLinux.sched_getcpu() }
  package var sched_getscheduler: @convention(c) (pid_t) -> Int32 = { Glibc.sched_getscheduler($0) }
  package var sched_getaffinity: @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> Int32 = {
    CLinux.sched_getaffinity($0, $1, $2)
  }
  package var getpid: @convention(c) () -> pid_t = { Glibc.getpid() }
  package var geteuid: @convention(c) () -> uid_t = { Glibc.geteuid() }

  // MARK: Beside the calls

  /// Numbers that nobody can guess.
  package var random: @convention(c) () -> UInt64 = {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
  }
  /// The state of a simulated process; nil in a real one, which has its own.
  package var processState: @convention(c) () -> UnsafeRawPointer? = { nil }

  package init() {}
}

extension System {
  /// The calls that everything here makes.
  ///
  /// Only a simulated machine replaces them, before any other thread is there: whoever reads them later reads what never changes
  /// again, so that neither a lock nor a check of the access is needed.
  @exclusivity(unchecked) nonisolated(unsafe) package static var calls = SystemCalls()
}

// Of these names Swift has a type as well, and takes that where the module is named.
private func callFlock(_ descriptor: Int32, _ operation: Int32) -> Int32 { flock(descriptor, operation) }
private func callStatfs(_ path: UnsafePointer<CChar>, _ status: UnsafeMutablePointer<statfs>) -> Int32 {
  statfs(path, status)
}

/// Random numbers of the system.
struct SystemRandom: RandomNumberGenerator {
  func next() -> UInt64 { System.calls.random() }
}
