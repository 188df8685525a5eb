extension Replica {
  mutating func fail(_ problem: Problem) -> [Instruction] {
    trouble.failures += 1
    // A refusal is put to the test again soon at first, then more and more rarely.
    let retry = Instruction.setTimer(.retry, .milliseconds(100 << min(trouble.failures - 1, 5)))
    switch phase {
    case .idle:
      return report(problem) + [retry]
    case .locking where problem.code != .cannotLock:
      // A look in the meantime. The lock is still waited for.
      return report(problem) + [retry]
    case .locking where !outbox.hasMore && isCommitted:
      // Who may not lock may not write either: somebody else decides.
      phase = .idle
      judgement.isAwaited = false
      return publishIfStale()
    case .locking:
      phase = .idle
      trouble.obstacle = .system(problem)
      return publishIfStale() + report(problem) + [retry]
    default:
      return stop(.system(problem), problem) + [retry]
    }
  }

  mutating func expire(_ timer: Timer) -> [Instruction] {
    switch timer {
    case .settle:
      guard let age = presence.unsettled?.awaitedAge else { return presence.unsettled == nil ? [] : [.look] }
      presence.unsettled?.age = age
      presence.unsettled?.awaitedAge = nil
      return [.look]
    case .grace:
      guard presence.absence == .momentary else { return [] }
      presence.absence = .overdue
      return [.look]
    case .retry:
      if case .system = trouble.obstacle { trouble.obstacle = nil }
      return [.look]
    }
  }

  /// The file is well; if it changed, what was wrong with writing this state into it need not be wrong any more.
  mutating func release(isChanged: Bool) -> [Instruction] {
    switch trouble.obstacle {
    case .contents(let problem):
      trouble.obstacle = nil
      return resolve(problem.code)
    case .state(let problem) where isChanged:
      trouble.obstacle = nil
      return resolve(problem.code)
    case .state, .system, nil:
      return []
    }
  }

  mutating func report(_ problem: Problem) -> [Instruction] {
    guard trouble.reported.updateValue(problem, forKey: problem.code) != problem else { return [] }
    return [.report(.occurred(problem))]
  }

  mutating func resolve(_ code: Problem.Code) -> [Instruction] {
    // Most often there is none, and no code to be looked for.
    trouble.reported.isEmpty || trouble.reported.removeValue(forKey: code) == nil ? [] : [.report(.resolved(code))]
  }
}
