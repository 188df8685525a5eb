import HotReload
import StateJSON
import StoreCore

/// The time from `serve()` to its return: a store that a client reads, follows and changes.
///
/// Everything here runs on one thread that waits for whichever comes first: input, or news of the program. It never waits
/// for a commit, which is done in a task, nor for the reader of the output, which another thread does. The first seven parts are what
/// it was made with; what belongs together of the others is a value.
struct RemoteSession<State: Encodable & Sendable, Action: Codable & Sendable> {
  /// The notices of the program.
  struct Notices {
    /// Passes them on, once the client has asked for them.
    var task: Task<Void, Never>?
    /// Whether the client is told them; otherwise they go to standard error.
    var areTold = false
  }

  let store: Store<State, Action>
  let program: (name: String, version: String)
  let redactions: [Redaction<State, Action>]
  let limits: RemoteLimits
  let news: RemoteNews
  let input: ByteStream
  var client: Conversation

  var lines = LineReader()
  /// Whether no more input is read: it ended, nobody reads the output, the program is through, or something failed.
  var isEnding = false
  /// Whether the program is through.
  var isRevoked = false
  var notices = Notices()
  /// The first thing that went wrong.
  var failure: RemoteControlError?
  var commits = RemoteCommits()

  /// The newest state that was encoded.
  var newest: (version: UInt64, value: Result<JSONValue, JSONEncodingError>)?
  /// Why the client isn't told the states that it watches, as it was told.
  var obstacle: JSONEncodingError?
  /// The last actions sent end there in the output.
  var actionsUpTo = 0

  /// Serves the client until it or the program is through; then commits, and leaves the streams alone.
  ///
  /// - Throws: What could not be read, written or committed.
  mutating func run() throws(RemoteControlError) {
    defer {
      notices.task?.cancel()
      client.output.end()
    }
    do throws(SystemError) {
      while !isEnding { try turn() }
      while !commits.areDone { try turn() }
      try sayGoodbye()
    } catch {
      failure = failure ?? RemoteControlError(.cannotStart, error)
    }
    if let failure, let uncommitted = commits.failure {
      throw RemoteControlError(failure.code, "\(failure.message); \(uncommitted.message)")
    }
    if let failure = failure ?? commits.failure { throw failure }
  }

  private mutating func turn() throws(SystemError) {
    let isReading = !isEnding && commits.size <= limits.uncommittedRequests
    try Poller.wait(for: [news.waker.rawDescriptor, isReading ? input.descriptor : -1], until: nil)
    news.waker.reset()
    takeNews()
    if isReading, !isEnding, try Poller.wait(for: [input.descriptor], until: 0) { read() }
    tell()
    if noticeOutputFailure() { isEnding = true }
    commit()
  }

  private mutating func read() {
    do throws(SystemError) {
      let bytes = try input.read()
      lines.append(bytes)
      isEnding = bytes.isEmpty
    } catch {
      return fail(RemoteControlError(.cannotRead, error))
    }
    while failure == nil, let line = lines.next() { serve(RPCMessage(line), size: line.size) }
    if failure == nil, isEnding, let line = lines.finish() { serve(RPCMessage(line), size: line.size) }
  }

  /// Whether nothing can be written any more; that nobody reads is no failure.
  mutating func noticeOutputFailure() -> Bool {
    guard let failure = client.output.failure else { return false }
    if !(failure is BrokenPipeError) { fail(RemoteControlError(.cannotWrite, "\(failure)")) }
    return true
  }

  /// Ends the work.
  mutating func fail(_ failure: RemoteControlError) {
    self.failure = self.failure ?? failure
    isEnding = true
  }
}
