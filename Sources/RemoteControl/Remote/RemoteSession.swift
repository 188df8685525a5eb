import HotReload
import StateJSON
import StoreCore

/// The time from `serve()` to its return: a store that a client reads, follows and changes.
///
/// Everything here runs on one thread that waits for whichever comes first: input, or news of the program. It never waits
/// for a commit, which is done in a task, nor for the reader of the output, which another thread does. The first six parts are what
/// it was made with; what belongs together of the others is a value.
struct RemoteSession<State: Encodable & Sendable, Action: Codable & Sendable>: RPCServer {
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
  var client: Conversation

  var isEnding = false
  /// Whether the program is through.
  var isRevoked = false
  var notices = Notices()
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
    try Poller.wait(for: [news.waker.rawDescriptor, isReading ? client.input.descriptor : -1], until: nil)
    news.waker.reset()
    takeNews()
    if isReading, !isEnding, try Poller.wait(for: [client.input.descriptor], until: 0) { read() }
    tell()
    noticeOutputFailure()
    commit()
  }

  func failure(_ breakdown: Conversation.Breakdown) -> RemoteControlError {
    switch breakdown {
    case .cannotRead(let error): RemoteControlError(.cannotRead, error)
    case .cannotWrite(let error): RemoteControlError(.cannotWrite, "\(error)")
    case .unread(let message): RemoteControlError(.unread, message)
    }
  }
}
