import CLinux
import Glibc
import HotReload

/// Feeds a running command and collects what it prints, until it has ended.
struct SubprocessExchange: ~Copyable {
  private let child: pid_t
  private let input: [UInt8]
  private var fed = 0
  private(set) var output: [UInt8] = []

  // Each is nil once it is done with.
  private var inputEnd: FileDescriptor?
  private var outputEnd: FileDescriptor?
  /// Readable when the child has ended.
  private var childEnd: FileDescriptor?
  private var interruption: Int32?

  private static let chunk = 1 << 16

  init(
    child: pid_t, input: [UInt8], inputEnd: consuming FileDescriptor, outputEnd: consuming FileDescriptor?,
    interruption: Int32?
  ) {
    // Only input may not block: the rest is read when there is something to read.
    _ = fcntl(inputEnd.rawValue, F_SETFL, O_NONBLOCK)
    self.child = child
    self.input = input
    self.inputEnd = .some(inputEnd)
    self.outputEnd = outputEnd
    self.interruption = interruption
    let process = linux_pidfd_open(child)
    // Without it (Linux before 5.3) a child's end shows only in its pipes' ends.
    childEnd = if process < 0 { nil } else { FileDescriptor(owning: process, path: "a process") }
  }

  mutating func run() -> Subprocess.Outcome {
    if input.isEmpty { inputEnd = nil }
    while inputEnd != nil || outputEnd != nil || childEnd != nil {
      var waiting = [
        pollfd(fd: inputEnd.number, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: outputEnd.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: childEnd.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: interruption ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&waiting, nfds_t(waiting.count), -1) > 0 else { continue }
      if waiting[0].revents != 0 { feed() }
      if waiting[1].revents != 0 { collect() }
      if waiting[2].revents != 0 {
        childEnd = nil
        inputEnd = nil
      }
      if waiting[3].revents != 0 {
        kill(child, SIGTERM)
        interruption = nil
      }
    }
    return outcome()
  }

  private mutating func feed() {
    let written = input.withUnsafeBytes { bytes in
      let rest = UnsafeRawBufferPointer(rebasing: bytes[fed..<min(fed + Self.chunk, bytes.count)])
      return write(inputEnd.number, rest.baseAddress, rest.count)
    }
    if written < 0 && (errno == EAGAIN || errno == EINTR) { return }
    // What the child doesn't want to read (EPIPE) is no error.
    fed = written < 0 ? input.count : fed + written
    if fed == input.count { inputEnd = nil }
  }

  private mutating func collect() {
    let end = outputEnd.number
    let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
      count = max(0, read(end, buffer.baseAddress, buffer.count))
    }
    output += chunk
    if chunk.isEmpty { outputEnd = nil }
  }

  private func outcome() -> Subprocess.Outcome { Subprocess.Outcome(waitingFor: child) }
}

extension Optional where Wrapped == FileDescriptor {
  /// The number; that of none, which `poll` skips, is negative.
  fileprivate var number: Int32 {
    switch self {
    case .some(let descriptor): descriptor.rawValue
    case .none: -1
    }
  }
}
