import HotReload
import RemoteControl
import StateJSON

extension Attachment {
  /// How long the last answers may take to be read once a signal came or something failed, in nanoseconds.
  private static var farewell: UInt64 { 1_000_000_000 }

  /// Answers those whose writes are not in the file, and ends as it went.
  ///
  /// - Throws: Why it went wrong.
  mutating func finish() throws {
    let count = mirror.uncommittedCount
    let obstacle = obstacle
    for writer in waiting.writers { answer(writer, .failure(RPCError(obstacle))) }
    for flusher in waiting.flushers { answer(flusher, count == 0 ? .success([:]) : .failure(RPCError(obstacle))) }
    try waitForReader()
    if count > 0 {
      let subject = count == 1 ? "1 write is" : "\(count) writes are"
      let story = "\(subject) not in '\(file)': \(obstacle.story)"
      throw failure.map { Failure($0.code, "\($0.message); \(story)") } ?? Failure(obstacle.code, story)
    }
    if let failure { throw failure }
    if let signal = interruption.signal { Signals.end(by: signal) }
  }

  /// Waits until everything was read, the last states of watched places too, unless nobody is going to.
  private mutating func waitForReader() throws(SystemError) {
    // Who still writes to us may never come to reading.
    var deadline = failure == nil ? nil : MonotonicClock.now() + Self.farewell
    while !noticeOutputFailure() {
      let end = client.position
      let isWritten = client.output.isWritten(upTo: end)
      tellWatchers()
      handOver()
      guard client.position == end else { continue }
      if isWritten { return }
      try Poller.wait(for: [waker.rawDescriptor, deadline == nil ? interruption.descriptor : -1], until: deadline)
      waker.reset()
      let now = MonotonicClock.now()
      if now >= deadline ?? .max { return }
      if interruption.signal != nil { deadline = deadline ?? now + Self.farewell }
    }
  }
}

extension Failure {
  /// The message with its place, if it has one.
  fileprivate var story: String {
    place.map { "\($0.source):\($0.line):\($0.column): \(message)" } ?? message
  }
}
