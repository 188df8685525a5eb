import Glibc

extension FileStatus {
  /// Says why a file of this kind can't be used as the shared file, or nil if it can.
  package var refusal: (errno: Int32, reason: String)? {
    switch mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: (EISDIR, "is a directory")
    case S_IFIFO: (EINVAL, "is a FIFO, not a regular file")
    case S_IFSOCK: (EINVAL, "is a socket, not a regular file")
    case S_IFLNK: (ELOOP, "is a symbolic link")
    default: (EINVAL, "is a device, not a regular file")
    }
  }
}
