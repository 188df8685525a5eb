import HotReload
import StateJSON

extension Attachment {
  /// Passes on what the mirror told.
  mutating func takeNews() {
    let news = news.take()
    for event in news.problems { take(event) }
    if let change = news.change {
      newest = change
      watches.documentChanged()
    }
    for (writer, commit) in zip(writers, news.commits) {
      waiting -= writer.size
      answer(writer, Result(commit))
    }
    writers.removeFirst(news.commits.count)
    for (flusher, problem) in zip(flushers, news.flushes) { answer(flusher, Result(problem)) }
    flushers.removeFirst(news.flushes.count)
    isClosed = news.isClosed
  }

  private mutating func take(_ event: ProblemEvent) {
    switch event {
    case .occurred(let problem):
      problems[problem.code] = problem
      send(RPCNotification.problem(Failure(problem), code: "\(problem.code)").value.bytes())
    case .resolved(let code):
      problems[code] = nil
      send(RPCNotification.resolved(code: "\(code)").value.bytes())
    }
  }

  /// Sends the states that are due, once those before have left the process: whoever reads slowly gets fewer.
  mutating func tellWatchers() {
    guard watches.areDue, let newest, output.isWritten(upTo: toldUpTo) else { return }
    let states = watches.states(of: newest)
    for state in states { send(state.value.bytes()) }
    if !states.isEmpty { toldUpTo = position + outbox.count }
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

extension Result where Success == JSONValue, Failure == RPCError {
  /// The answer to a write.
  fileprivate init(_ commit: DocumentView.Commit) {
    switch commit.outcome {
    case .success(let value): self = .success(RPCResponse.committed(commit.version, value: value))
    case .failure(let error): self = .failure(RPCError(replicate.Failure(error)))
    }
  }

  /// The answer to a flush.
  fileprivate init(_ problem: Problem?) {
    self = problem.map { .failure(RPCError(replicate.Failure($0))) } ?? .success([:])
  }
}
