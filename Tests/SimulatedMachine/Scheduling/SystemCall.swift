/// The system calls of a simulated machine, by the names of their manual pages.
package enum SystemCall: String, Sendable {
  /// `openat` with `O_CREAT`.
  case creat
  case openat, fstatat, faccessat, linkat, renameat2, unlinkat, mkdirat, readlink, realpath, statfs
  case close, fstat, pread, pwrite, fallocate, ftruncate, fsync, fdatasync, sync_file_range, getdents64, flock
  case F_SETLEASE, F_GETLEASE, F_SETSIG
  case fchmod, fchown, futimens, flistxattr, fgetxattr, lgetxattr, fsetxattr, fremovexattr
  case eventfd, inotify_init1, inotify_add_watch, inotify_rm_watch, read, write, ppoll
  case socket, bind, listen, connect, accept4, send, recv, getsockopt
  case clock_gettime, clock_nanosleep, pthread_create, pthread_join, geteuid, getpid, getrandom

  /// Whether others may go on before it. Those that aren't are made by who holds a lock of its own process, or are seen by
  /// nobody.
  package var isInterruptible: Bool {
    switch self {
    case .close, .eventfd, .inotify_init1, .inotify_add_watch, .inotify_rm_watch, .read, .write, .geteuid, .getpid,
      .getrandom, .F_SETSIG, .pthread_create:
      false
    default: true
    }
  }
}
