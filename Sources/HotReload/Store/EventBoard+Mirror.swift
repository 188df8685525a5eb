/// The problems that last at the moment, and those who want to hear of their beginning and end.
typealias ProblemBoard = EventBoard<ProblemEvent, [Problem.Code: Problem]>

/// The newest notices, and those who want to hear of more.
typealias NoticeBoard = EventBoard<Notice, [Notice]>

extension ProblemBoard {
  convenience init(unheard: @escaping @Sendable (ProblemEvent) -> Void) {
    self.init(
      [:],
      remember: { event, current in
        switch event {
        case .occurred(let problem): current[problem.code] = problem
        case .resolved(let code): current[code] = nil
        }
      },
      recall: { $0.values.map(ProblemEvent.occurred) }, unheard: unheard)
  }
}

extension NoticeBoard {
  /// How many notices are told to who listens only after they came.
  private static let recallLimit = 16

  convenience init(unheard: @escaping @Sendable (Notice) -> Void) {
    self.init(
      [], remember: { notice, newest in newest = newest.suffix(Self.recallLimit - 1) + [notice] }, recall: { $0 },
      unheard: unheard)
  }
}
