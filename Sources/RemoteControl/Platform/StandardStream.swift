import Glibc
import HotReload

/// One of the three streams that every process is started with.
package enum StandardStream: Sendable {
  case input, output, error

  package var descriptor: Int32 {
    switch self {
    case .input: STDIN_FILENO
    case .output: STDOUT_FILENO
    case .error: STDERR_FILENO
    }
  }

  /// Writes all bytes, waiting as long as it takes.
  ///
  /// - Throws: ``BrokenPipe`` if nobody reads any more, and what the system says otherwise.
  package func write(_ bytes: [UInt8]) throws {
    var written = 0
    while written < bytes.count {
      let result = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      }
      if result >= 0 {
        written += result
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: waitUntilReady(for: POLLOUT)
      case EPIPE: throw BrokenPipe()
      case let number: throw SystemError(call: "write", errno: number, path: name)
      }
    }
  }

  /// Whether nobody reads any more what is written here. Never waits.
  package var isBroken: Bool {
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLERR) != 0
  }

  /// Reads what is there, at most `limit` bytes, waiting for the first; nothing at the end.
  package func read(upTo limit: Int = 1 << 16) throws(SystemError) -> [UInt8] {
    while true {
      var result = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
        result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        count = max(0, result)
      }
      if result >= 0 { return bytes }
      switch errno {
      case EINTR: continue
      case EAGAIN: waitUntilReady(for: POLLIN)
      case let number: throw SystemError(call: "read", errno: number, path: name)
      }
    }
  }

  /// Reads to the end.
  package func readToEnd() throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let chunk = try read()
      if chunk.isEmpty { return bytes }
      bytes += chunk
    }
  }

  /// Somebody else may have made the stream non-blocking: the setting belongs to whoever shares it with us.
  private func waitUntilReady(for event: Int32) {
    var waiting = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    poll(&waiting, 1, -1)
  }

  /// What messages call the stream.
  package var name: String {
    switch self {
    case .input: "<stdin>"
    case .output: "<stdout>"
    case .error: "<stderr>"
    }
  }
}

/// Nobody reads what we write any more: a reason to end, not an error.
package struct BrokenPipe: Error {
  package init() {}
}
