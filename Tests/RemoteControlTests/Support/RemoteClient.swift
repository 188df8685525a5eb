import Glibc
import HotReload
import RemoteControl
import Synchronization
import TestSupport

/// A client at one side of a line. Whatever it waits for it waits for under a deadline; then it throws.
final class RemoteClient: Sendable {
  struct TookTooLong: Error {}

  private let ends: Line.Ends
  private let reader = Mutex(LineReader())

  init(_ ends: Line.Ends) { self.ends = ends }

  /// Writes lines without reading any.
  func send(_ lines: String...) async throws { try await send(text: lines.map { $0 + "\n" }.joined()) }

  /// Writes a text without reading anything.
  func send(text: String) async throws { try await send(bytes: Array(text.utf8)) }

  func send(bytes: [UInt8]) async throws {
    try await onThread { [ends] in
      var (deadline, written) = (TestPatience.deadline, 0)
      while written < bytes.count {
        let count = bytes.withUnsafeBytes {
          write(ends.output.descriptor, $0.baseAddress! + written, bytes.count - written)
        }
        if count >= 0 {
          written += count
          // As long as anybody reads, it is only slow.
          deadline = TestPatience.deadline
        } else if errno != EAGAIN || MonotonicClock.now() > deadline {
          throw SystemError(call: "write", errno: errno)
        } else {
          var waiting = pollfd(fd: ends.output.descriptor, events: Int16(POLLOUT), revents: 0)
          Glibc.poll(&waiting, 1, 100)
        }
      }
    }
  }

  /// The next line, or `nil` at the end.
  func receive() async throws -> String? { try await onThread { try self.nextLine() } }

  /// So many lines.
  func receive(_ count: Int) async throws -> [String] {
    try await onThread {
      var lines: [String] = []
      while lines.count < count, let line = try self.nextLine() { lines.append(line) }
      return lines
    }
  }

  /// All lines to the end.
  func receiveAll() async throws -> [String] { try await receive(.max) }

  /// Waits until there is something to receive.
  func waitForInput() async throws { try await onThread { try self.poll() } }

  /// What can be read up to the end, whole lines or not.
  func rest() async throws -> [UInt8] {
    try await onThread {
      try self.poll()
      return try self.ends.input.readToEnd()
    }
  }

  func closeInput() { ends.closeInput() }
  func closeOutput() { ends.closeOutput() }

  private func poll() throws {
    guard try Poller.wait(for: [ends.input.descriptor], until: TestPatience.deadline) else {
      throw TookTooLong()
    }
  }

  private func nextLine() throws -> String? {
    while true {
      switch reader.withLock({ $0.next() }) {
      case .text(let text): return String(decoding: text, as: UTF8.self)
      case .tooLong, nil: break
      }
      try poll()
      let bytes = try ends.input.read()
      if bytes.isEmpty { return nil }
      reader.withLock { $0.append(bytes) }
    }
  }
}
