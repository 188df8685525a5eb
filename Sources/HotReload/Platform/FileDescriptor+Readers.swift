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
  func forgetReaders() throws(SystemError) { try forgetReaders(of: statusAndReading().status) }

  /// Lets a file look as if nobody had read it, if it doesn't look so already; its status is known.
  func forgetReaders(ifNotedIn reading: Reading, of status: FileStatus) throws(SystemError) {
    // A file that is written anew was read long before that, mostly.
    if reading.accessed > status.modified - Self.distance { try forgetReaders(of: status) }
  }

  private func forgetReaders(of status: FileStatus) throws(SystemError) {
    try setTimes(accessed: status.modified - Self.distance, modified: nil)
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

  /// When a file was last read, as far as that is noted.
  struct Reading {
    /// Nanoseconds since 1970.
    let accessed: Int64
    /// Whether somebody has read the file since `forgetReaders()`. Where reading isn't noted, nobody has.
    let isNoted: Bool

    fileprivate init(_ status: stat) {
      accessed = FileStatus.nanoseconds(status.st_atim)
      isNoted = accessed > FileStatus(status).modified - FileDescriptor.distance / 2
    }
  }

  /// When anything about the file was changed last, its name and its times included: nanoseconds since 1970. The corresponding C function
  /// is `fstat`.
  func changed() throws(SystemError) -> Int64 {
    var status = stat()
    try SystemError.check("fstat", path) { System.calls.fstat(rawValue, &status) }
    return FileStatus.nanoseconds(status.st_ctim)
  }

  /// What a file is, and who has read it. The corresponding C function is `fstat`.
  func statusAndReading() throws(SystemError) -> (status: FileStatus, reading: Reading) {
    var status = stat()
    try SystemError.check("fstat", path) { System.calls.fstat(rawValue, &status) }
    return (FileStatus(status), Reading(status))
  }

  /// Whether somebody has read the file since `forgetReaders()`. Where reading isn't noted, nobody has.
  package func wasRead() throws(SystemError) -> Bool { try statusAndReading().reading.isNoted }
}

extension Folder {
  /// What stands at a name, and who has read it, or nil if nothing does; a symbolic link is not followed. The corresponding C function is
  /// `fstatat`.
  func statusAndReading(of name: String) throws(SystemError) -> (status: FileStatus, reading: FileDescriptor.Reading)? {
    guard let status = try record(of: name) else { return nil }
    return (FileStatus(status), FileDescriptor.Reading(status))
  }
}
