import CLinux
import Glibc

/// Whether anybody has read a file, told by when it was last read.
///
/// File systems mostly note only the first reading after a change (`relatime`), and times are coarse. So the time of the
/// last reading is set to well before the last change, and whoever reads the file afterwards moves it.
extension FileDescriptor {
  /// How far before the last change the last reading is put, in nanoseconds: more than the grain of a clock.
  fileprivate static let distance: Int64 = 1_000_000_000

  /// Lets the file look as if nobody had read it since it was changed last. Our own readings must not be noted.
  ///
  /// The corresponding C function is `futimens`.
  func forgetReaders() throws(SystemError) {
    try setTimes(accessed: status().modified - Self.distance, modified: nil)
  }

  /// Lets a file look as if nobody had read it, if it doesn't look so already; its status is known.
  func forgetReaders(ifNotedIn status: FileStatus) throws(SystemError) {
    let accessed = status.modified - Self.distance
    // A file that is written anew was read long before that, mostly.
    if status.accessed.nanoseconds > accessed { try setTimes(accessed: accessed, modified: nil) }
  }

  /// Gives the file a time of modification, in nanoseconds since 1970, and lets it look as if nobody had read it since then.
  func setModified(_ modified: Int64) throws(SystemError) {
    try setTimes(accessed: modified - Self.distance, modified: modified)
  }

  private func setTimes(accessed: Int64, modified: Int64?) throws(SystemError) {
    let times = [
      Self.time(accessed), modified.map(Self.time) ?? timespec(tv_sec: 0, tv_nsec: Int(LINUX_UTIME_OMIT)),
    ]
    try SystemError.check("futimens", path) { System.calls.futimens(rawValue, times) }
  }

  private static func time(_ nanoseconds: Int64) -> timespec {
    timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }

  /// As ``FileStatus/wasRead``.
  package func wasRead() throws(SystemError) -> Bool { try status().wasRead }
}

extension FileStatus {
  /// Whether somebody has read the file since `forgetReaders()`. Where reading isn't noted, nobody has.
  var wasRead: Bool { accessed.nanoseconds > modified - FileDescriptor.distance / 2 }
}
