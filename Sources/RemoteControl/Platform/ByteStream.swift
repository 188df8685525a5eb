import Glibc
import HotReload

/// A pipe, a socket, a terminal or a file that somebody else opened, and closes.
package struct ByteStream: Equatable, Sendable {
  package let descriptor: Int32
  /// What messages call the stream.
  package let name: String

  package init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// Writes all bytes, waiting as long as it takes.
  ///
  /// - Throws: ``BrokenPipeError`` if nobody reads any more, and what the system says otherwise.
  package func write(_ bytes: [UInt8]) throws {
    var written = 0
    while written < bytes.count {
      let count = try write(bytes, from: written, upTo: bytes.count)
      if count == 0 { waitUntilReady(for: POLLOUT) }
      written += count
    }
  }

  /// Writes all bytes, unless a descriptor can be read before that; for that it never waits in the system's `write`.
  ///
  /// - Returns: Whether all were written.
  /// - Throws: ``BrokenPipeError`` if nobody reads any more, and what the system says otherwise.
  package func write(_ bytes: [UInt8], unlessReadable stop: Int32) throws -> Bool {
    var written = 0
    while written < bytes.count {
      guard try isWritable(unlessReadable: stop) else { return false }
      // A pipe or a socket that is ready takes so much without waiting.
      written += try write(bytes, from: written, upTo: min(written + Int(PIPE_BUF), bytes.count))
    }
    return true
  }

  /// Writes some of the bytes, and says how many; none if it would have to wait, and somebody made the stream non-blocking.
  private func write(_ bytes: [UInt8], from start: Int, upTo end: Int) throws -> Int {
    while true {
      let result = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + start }, end - start)
      }
      if result >= 0 { return result }
      switch errno {
      case EINTR: continue
      case EAGAIN: return 0
      case EPIPE: throw BrokenPipeError()
      case let number: throw SystemError(call: "write", errno: number, path: name)
      }
    }
  }

  /// Waits until something can be written, or nobody reads any more; false if the other descriptor can be read.
  private func isWritable(unlessReadable stop: Int32) throws(SystemError) -> Bool {
    var entries = [
      pollfd(fd: stop, events: Int16(POLLIN), revents: 0), pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
    ]
    while poll(&entries, nfds_t(entries.count), -1) < 0 {
      if errno != EINTR { throw SystemError(call: "poll", errno: errno, path: name) }
    }
    return entries[0].revents == 0
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

  /// The setting belongs to whoever shares the stream with us.
  private func waitUntilReady(for event: Int32) {
    var waiting = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    poll(&waiting, 1, -1)
  }
}

/// Nobody reads what we write any more: a reason to end, not an error.
package struct BrokenPipeError: Error {
  package init() {}
}
