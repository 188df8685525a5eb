import CLinux
import Glibc

/// The system's constants, under their own names, for code that doesn't import the system.
package enum System {
  package static let EACCES = Glibc.EACCES
  package static let EAGAIN = Glibc.EAGAIN
  package static let EBADF = Glibc.EBADF
  package static let EBUSY = Glibc.EBUSY
  package static let EEXIST = Glibc.EEXIST
  package static let EINVAL = Glibc.EINVAL
  package static let EIO = Glibc.EIO
  package static let EISDIR = Glibc.EISDIR
  package static let ELOOP = Glibc.ELOOP
  package static let EMFILE = Glibc.EMFILE
  static let ENFILE = Glibc.ENFILE
  package static let ENOENT = Glibc.ENOENT
  static let ENOLCK = Glibc.ENOLCK
  static let ENOMEM = Glibc.ENOMEM
  package static let ENOSPC = Glibc.ENOSPC
  static let ENOSYS = Glibc.ENOSYS
  package static let ENOTDIR = Glibc.ENOTDIR
  package static let ENOTSUP = Glibc.ENOTSUP
  package static let EPERM = Glibc.EPERM
  static let EROFS = Glibc.EROFS
  package static let EWOULDBLOCK = Glibc.EWOULDBLOCK
  static let EXDEV = Glibc.EXDEV

  package static let O_CREAT = Glibc.O_CREAT
  package static let O_EXCL = Glibc.O_EXCL
  static let O_NOATIME = Int32(LINUX_O_NOATIME)
  package static let O_NOFOLLOW = Glibc.O_NOFOLLOW
  package static let O_NONBLOCK = Glibc.O_NONBLOCK
  package static let O_RDONLY = Glibc.O_RDONLY
  package static let O_RDWR = Glibc.O_RDWR
  static let O_TMPFILE = Int32(LINUX_O_TMPFILE)
  package static let O_TRUNC = Glibc.O_TRUNC
  package static let O_WRONLY = Glibc.O_WRONLY
  package static let O_PATH = Int32(LINUX_O_PATH)
}
