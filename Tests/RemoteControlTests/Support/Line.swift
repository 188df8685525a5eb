import CLinux
import Glibc
import HotReload
import RemoteControl
import Synchronization

/// Two pipes between a client and whom it talks to: this has all four ends, and the client's own are `near`.
final class Line: Sendable {
  let near: Ends
  let far: Ends

  init() throws {
    let (farInput, nearOutput) = try Self.pipe()
    let (nearInput, farOutput) = try Self.pipe()
    near = Ends(input: nearInput, output: nearOutput)
    far = Ends(input: farInput, output: farOutput)
    _ = fcntl(nearOutput, F_SETFL, O_NONBLOCK)
  }

  /// What one side reads from, and what it writes to.
  final class Ends: Sendable {
    let input: ByteStream
    let output: ByteStream
    private let openInput: Mutex<FileDescriptor?>
    private let openOutput: Mutex<FileDescriptor?>

    init(input: Int32, output: Int32) {
      self.input = ByteStream(descriptor: input, name: "<input>")
      self.output = ByteStream(descriptor: output, name: "<output>")
      openInput = Mutex(FileDescriptor(owning: input, path: "a pipe"))
      openOutput = Mutex(FileDescriptor(owning: output, path: "a pipe"))
    }

    func closeInput() { openInput.withLock { $0 = nil } }
    func closeOutput() { openOutput.withLock { $0 = nil } }
  }

  private static func pipe() throws -> (readEnd: Int32, writeEnd: Int32) {
    var ends: (Int32, Int32) = (-1, -1)
    let result = withUnsafeMutableBytes(of: &ends) { pipe2($0.bindMemory(to: Int32.self).baseAddress, O_CLOEXEC) }
    guard result == 0 else { throw SystemError(call: "pipe2", errno: errno) }
    return ends
  }
}
