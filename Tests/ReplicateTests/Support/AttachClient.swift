import Glibc
import HotReload
import RemoteControl
import TestSupport

@testable import replicate

/// A client of a running `replicate attach`.
///
/// Whatever it waits for it waits for under a deadline; then it throws, and the instance is killed.
final class AttachClient {
  /// How an instance ended, and what it had written by then.
  struct End: Equatable {
    var lines: [String] = []
    var messages = ""
    var outcome: Subprocess.Outcome
  }

  struct TookTooLong: Error {}

  private let process: pid_t
  private var hasEnded = false
  private var input: FileDescriptor?
  private var output: FileDescriptor?
  private let messages: FileDescriptor
  private var reader = LineReader()

  init(_ file: String, options: [String] = []) throws {
    let input = try Pipe()
    let output = try Pipe()
    let messages = try Pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.readEnd.rawValue, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output.writeEnd.rawValue, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, messages.writeEnd.rawValue, STDERR_FILENO)
    var arguments: [UnsafeMutablePointer<CChar>?] =
      ([Binary.path, "attach", file] + options).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, Binary.path, &actions, nil, &arguments, environ)
    guard code == 0 else { throw SystemError(call: "run", errno: code, path: Binary.path) }
    self.process = process
    self.input = input.keepingWriteEnd()
    self.output = output.keepingReadEnd()
    self.messages = messages.keepingReadEnd()
    _ = fcntl(self.input.number, F_SETFL, O_NONBLOCK)
  }

  deinit {
    guard !hasEnded else { return }
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  /// Writes lines without reading any.
  func send(_ lines: String...) throws {
    let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
    let deadline = TestPatience.deadline
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { write(input.number, $0.baseAddress! + written, bytes.count - written) }
      if count >= 0 {
        written += count
      } else if errno != EAGAIN || MonotonicClock.now() > deadline {
        throw SystemError(call: "write", errno: errno)
      } else {
        var waiting = pollfd(fd: input.number, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, 100)
      }
    }
  }

  /// The next line, or `nil` at the end.
  func receive() throws -> String? {
    while true {
      if case .text(let text) = reader.next() { return String(decoding: text, as: UTF8.self) }
      let bytes = try read(output.number)
      if bytes.isEmpty { return nil }
      reader.append(bytes)
    }
  }

  func closeInput() { input = nil }

  func stopReading() { output = nil }

  func signal(_ number: Int32) { kill(process, number) }

  /// Reads to the end.
  func end() throws -> End {
    var lines: [String] = []
    while output.number >= 0, let line = try receive() { lines.append(line) }
    var end = try endUnread()
    end.lines = lines
    return end
  }

  /// Waits for the end without reading answers.
  func endUnread() throws -> End {
    var bytes: [UInt8] = []
    while true {
      let more = try read(messages.rawValue)
      if more.isEmpty { break }
      bytes += more
    }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    hasEnded = true
    let signal = status & 0x7f
    return End(
      messages: String(decoding: bytes, as: UTF8.self),
      outcome: signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal))
  }

  private func read(_ descriptor: Int32) throws -> [UInt8] {
    guard try Poller.wait(for: [descriptor], until: TestPatience.deadline) else { throw TookTooLong() }
    return [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
    }
  }
}

extension Optional where Wrapped == FileDescriptor {
  fileprivate var number: Int32 {
    switch self {
    case .some(let descriptor): descriptor.rawValue
    case .none: -1
    }
  }
}
