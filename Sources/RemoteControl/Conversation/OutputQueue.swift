import HotReload
import StoreCore
import Synchronization

/// Bytes on their way to a stream, written by a thread of their own: whoever has something to say never waits for a slow
/// reader.
///
/// Making the stream non-blocking instead would make it so for all who share it, such as the shell behind a terminal.
package final class OutputQueue: Sendable {
  /// Small pieces are joined up to this size, 64 KiB, which is what a pipe takes at once.
  package static let chunk = 1 << 16

  private struct Guarded {
    var chunks: [[UInt8]] = []
    /// How many bytes were ever appended, and how many of them were written.
    var appended = 0
    var written = 0
    var failure: (any Error)?
    /// Whether somebody wants to hear of progress.
    var isAwaited = false
  }

  private let guarded = Mutex(Guarded())
  let stream: ByteStream
  private let work: Waker
  /// Readable for good once no more is to be written.
  private let ending: Waker
  /// Wakes whoever has something to say.
  private let speaker: Waker
  private let thread = Mutex<DriverThread?>(nil)

  /// Starts the thread that writes.
  ///
  /// - Parameters:
  ///   - stream: What is written to, from then on by nobody else.
  ///   - waker: Woken by progress that was asked for, and when writing fails.
  /// - Throws: What the system says if there can be no more threads or descriptors.
  package init(stream: ByteStream, waker: Waker) throws(SystemError) {
    self.stream = stream
    work = try Waker()
    ending = try Waker()
    speaker = waker
    let thread = try DriverThread(name: "output") { self.write() }
    self.thread.withLock { $0 = thread }
  }

  /// Why writing failed: ``BrokenPipeError`` if nobody reads any more. Nothing is written after it.
  package var failure: (any Error)? { guarded.withLock { $0.failure } }

  /// Adds bytes at the end; never waits.
  ///
  /// - Returns: How many bytes were waiting before.
  package func append(_ bytes: [UInt8]) -> Int {
    let (waiting, isIdle) = guarded.withLock { guarded in
      let waiting = guarded.appended - guarded.written
      let isIdle = guarded.chunks.isEmpty
      guarded.appended += bytes.count
      if let last = guarded.chunks.indices.last, guarded.chunks[last].count + bytes.count <= Self.chunk {
        guarded.chunks[last] += bytes
      } else {
        guarded.chunks.append(bytes)
      }
      return (waiting, isIdle)
    }
    if isIdle { work.wake() }
    return waiting
  }

  /// Whether the first so many bytes ever appended were written; if not, the waker tells of progress.
  package func isWritten(upTo position: Int) -> Bool {
    guarded.withLock { guarded in
      if guarded.written >= position { return true }
      guarded.isAwaited = true
      return false
    }
  }

  /// Stops writing, whatever is left, and ends the thread: the stream is free to be used by others.
  package func end() {
    ending.wake()
    thread.withLock { $0 }?.join()
  }

  /// A pipe that nobody reads is an error here and no signal, as a thread of ours blocks them.
  private func write() {
    do {
      while true {
        try Poller.wait(for: [work.rawDescriptor, ending.rawDescriptor], until: nil)
        if try Poller.wait(for: [ending.rawDescriptor], until: 0) { return }
        work.reset()
        for chunk in guarded.withLock({ $0.chunks.takeAll() }) {
          guard try stream.write(chunk, unlessReadable: ending.rawDescriptor) else { return }
          let isAwaited = guarded.withLock { guarded in
            defer { guarded.isAwaited = false }
            guarded.written += chunk.count
            return guarded.isAwaited
          }
          if isAwaited { speaker.wake() }
        }
      }
    } catch {
      guarded.withLock { $0.failure = error }
      speaker.wake()
    }
  }
}
