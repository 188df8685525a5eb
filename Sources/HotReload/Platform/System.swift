import CLinux
import Glibc

/// The system's constants, under their own names, for code that doesn't import the system.
enum System {
  static let EACCES = Glibc.EACCES
  static let EAGAIN = Glibc.EAGAIN
  static let EBADF = Glibc.EBADF
  static let EBUSY = Glibc.EBUSY
  static let EEXIST = Glibc.EEXIST
  static let EINVAL = Glibc.EINVAL
  static let EIO = Glibc.EIO
  static let EISDIR = Glibc.EISDIR
  static let ELOOP = Glibc.ELOOP
  static let EMFILE = Glibc.EMFILE
  static let ENFILE = Glibc.ENFILE
  static let ENOENT = Glibc.ENOENT
  static let ENOLCK = Glibc.ENOLCK
  static let ENOMEM = Glibc.ENOMEM
  static let ENOSPC = Glibc.ENOSPC
  static let ENOSYS = Glibc.ENOSYS
  static let ENOTDIR = Glibc.ENOTDIR
  static let ENOTSUP = Glibc.ENOTSUP
  static let EPERM = Glibc.EPERM
  static let EROFS = Glibc.EROFS
  static let EWOULDBLOCK = Glibc.EWOULDBLOCK
  static let EXDEV = Glibc.EXDEV

  static let O_CREAT = Glibc.O_CREAT
  static let O_EXCL = Glibc.O_EXCL
  static let O_NOATIME = Int32(LINUX_O_NOATIME)
  static let O_NOFOLLOW = Glibc.O_NOFOLLOW
  static let O_NONBLOCK = Glibc.O_NONBLOCK
  static let O_RDONLY = Glibc.O_RDONLY
  static let O_RDWR = Glibc.O_RDWR
  static let O_TRUNC = Glibc.O_TRUNC
  static let O_WRONLY = Glibc.O_WRONLY
  static let O_PATH = Int32(LINUX_O_PATH)
}
