import HotReload
import RemoteControl
import StateJSON

extension Attachment {
  /// Passes on what the mirror told.
  mutating func takeNews() {
    let news = news.take()
    for event in news.problems { take(event) }
    for notice in news.notices { take(notice) }
    if let change = news.change {
      newest = change
      client.watches.stateChanged()
    }
    for (writer, commit) in zip(waiting.writers, news.commits) {
      waiting.size -= writer.size
      answer(writer, Result(commit))
    }
    waiting.writers.removeFirst(news.commits.count)
    for (flusher, problem) in zip(waiting.flushers, news.flushes) { answer(flusher, Result(problem)) }
    waiting.flushers.removeFirst(news.flushes.count)
    isClosed = news.isClosed
  }

  private mutating func take(_ event: ProblemEvent) {
    switch event {
    case .occurred(let problem):
      problems[problem.code] = problem
      client.send(.problem(problem))
    case .resolved(let code):
      problems[code] = nil
      client.send(.resolved(code: "\(code)"))
    }
  }

  /// How many notices are kept for a client that asks for them only after they came.
  private static let untoldLimit = 16

  private mutating func take(_ notice: Notice) {
    if notices.areTold { return client.send(.notice(notice)) }
    console.tell(notice)
    notices.untold = notices.untold.suffix(Self.untoldLimit - 1) + [notice]
  }

  /// Tells notices from now on, or no longer.
  mutating func want(notices isOn: Bool) {
    notices.areTold = isOn
    guard isOn else { return }
    for notice in notices.untold { client.send(.notice(notice)) }
    notices.untold = []
  }

  mutating func tellWatchers() {
    if let newest, client.awaitsState { client.tellWatchers(of: newest.watchedState) }
  }

  /// Why writes wait.
  var hold: Problem? {
    let candidates: [Problem.Code] = [
      .invalidJSON, .undecodable, .cannotWrite, .cannotLock, .cannotRead, .missing,
    ]
    return candidates.lazy.compactMap { problems[$0] }.first
  }

  /// What keeps writes from the file.
  var obstacle: Failure {
    hold.map { Failure($0) } ?? Failure(.system, "'\(file)' was not ready in time; --timeout allows more")
  }
}

extension DocumentView.Change {
  /// What a watch tells of it.
  var watchedState: WatchedState { WatchedState(value: value, version: version?.description, cause: cause) }
}

extension Result where Success == JSONValue, Failure == RPCError {
  /// The answer to a write.
  fileprivate init(_ commit: DocumentView.Commit) {
    switch commit.outcome {
    case .success(let value): self = .success(RPCResponse.committed("\(commit.version)", value: value))
    case .failure(let error): self = .failure(RPCError(replicate.Failure(error)))
    }
  }

  /// The answer to a flush.
  fileprivate init(_ problem: Problem?) {
    self = problem.map { .failure(RPCError(replicate.Failure($0))) } ?? .success([:])
  }
}
