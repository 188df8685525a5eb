import CLinux
import Glibc
import HotReload

/// Both ends of a pipe that a command that is run doesn't inherit.
struct Pipe: ~Copyable {
  let readEnd: FileDescriptor
  let writeEnd: FileDescriptor

  /// In one step: a descriptor marked later could slip into a command that another thread starts in between. The
  /// corresponding C function is `pipe2`.
  init() throws(SystemError) {
    var ends: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutableBytes(of: &ends) { pipe2($0.bindMemory(to: Int32.self).baseAddress, O_CLOEXEC) }
    guard result == 0 else { throw SystemError(call: "pipe2", errno: errno) }
    readEnd = FileDescriptor(owning: ends.0, path: "a pipe")
    writeEnd = FileDescriptor(owning: ends.1, path: "a pipe")
  }

  /// The end to read from; the other is closed.
  consuming func keepingReadEnd() -> FileDescriptor { readEnd }

  /// The end to write to; the other is closed.
  consuming func keepingWriteEnd() -> FileDescriptor { writeEnd }
}
