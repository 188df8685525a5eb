extension Replica {
  mutating func fail(_ problem: Problem) -> [Effect] {
    failures += 1
    let retry = Effect.setTimer(.retry, ReplicaOptions.retryDelay(afterFailures: failures))
    switch phase {
    case .idle:
      return report(problem) + [retry]
    case .locking where problem.code != .cannotLock:
      // A look in the meantime. The lock is still waited for.
      return report(problem) + [retry]
    case .locking where !submitted && isCommitted:
      // Who may not lock may not write either: somebody else decides.
      phase = .idle
      awaitsReview = false
      return publishIfStale()
    case .locking:
      phase = .idle
      hold = .system(problem)
      return publishIfStale() + report(problem) + [retry]
    default:
      return stop(.system(problem), problem) + [retry]
    }
  }

  mutating func expire(_ timer: Timer) -> [Effect] {
    switch timer {
    case .settle:
      guard let age = unsettled?.awaitedAge else { return unsettled == nil ? [] : [.look] }
      unsettled?.age = age
      unsettled?.awaitedAge = nil
      return [.look]
    case .grace:
      guard absence == .momentary else { return [] }
      absence = .overdue
      return [.look]
    case .retry:
      if case .system = hold { hold = nil }
      return [.look]
    }
  }

  /// The file is well; if it changed, what was wrong with writing this state into it need not be wrong any more.
  mutating func release(isChanged: Bool) -> [Effect] {
    switch hold {
    case .contents(let problem):
      hold = nil
      return resolve(problem.code)
    case .state(let problem) where isChanged:
      hold = nil
      return resolve(problem.code)
    case .state, .system, nil:
      return []
    }
  }

  mutating func report(_ problem: Problem) -> [Effect] {
    guard reported.updateValue(problem, forKey: problem.code) != problem else { return [] }
    return [.report(problem)]
  }

  mutating func resolve(_ code: Problem.Code) -> [Effect] {
    // Most often there is none, and no code to be looked for.
    reported.isEmpty || reported.removeValue(forKey: code) == nil ? [] : [.resolve(code)]
  }
}
