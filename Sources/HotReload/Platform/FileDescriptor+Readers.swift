import CLinux
import Glibc

/// Whether anybody has read a file, told by when it was last read.
///
/// File systems mostly note only the first reading after a change (`relatime`), and times are coarse. So the time of the
/// last reading is set to well before the last change, and whoever reads the file afterwards moves it.
extension FileDescriptor {
  /// How far before the last change the last reading is put, in nanoseconds: more than the grain of a clock.
  private static let distance: Int64 = 1_000_000_000

  /// Lets the file look as if nobody had read it since it was changed last. Our own readings must not be noted.
  ///
  /// The corresponding C function is `futimens`.
  package func forgetReaders() throws(SystemError) {
    let accessed = try status().modified - Self.distance
    let times = [
      timespec(tv_sec: Int(accessed / 1_000_000_000), tv_nsec: Int(accessed % 1_000_000_000)),
      timespec(tv_sec: 0, tv_nsec: Int(LINUX_UTIME_OMIT)),
    ]
    try SystemError.check("futimens", path) { futimens(rawValue, times) }
  }

  /// Whether somebody has read the file since `forgetReaders()`. Where reading isn't noted, nobody has.
  package func wasRead() throws(SystemError) -> Bool {
    var status = stat()
    try SystemError.check("fstat", path) { fstat(rawValue, &status) }
    let accessed = Int64(status.st_atim.tv_sec) * 1_000_000_000 + Int64(status.st_atim.tv_nsec)
    return accessed > FileStatus(status).modified - Self.distance / 2
  }
}
