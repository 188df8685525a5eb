/// Starts effects, inside the turn of the action that led to them, or later, out of the effect that they come after.
///
/// Inside the turn, what is cancelled is cancelled in the total order, and what is started can be cancelled by the very
/// next action. Tasks are started and cancelled when the lock has been released: cancellation handlers are the app's code.
struct EffectPerformer<State: Sendable, Action: Sendable>: Sendable {
  weak let store: Store<State, Action>?
  let runs: EffectRuns<State, Action>
  /// What they come after; nil inside the turn.
  let parent: EffectRun?

  typealias Operation = Effect<Action>.Operation

  /// Starts an effect.
  ///
  /// - Returns: those to wait for until it is over; none if it is.
  @discardableResult
  func start(_ operation: Operation, ids: [EffectID]) -> [EffectRun] {
    var started: [EffectRun] = []
    // The next one comes last.
    var waiting = [(operation, ids)]
    while let (operation, ids) = waiting.popLast() {
      switch operation {
      case .none: break
      case .send(let action):
        if let parent { store?.dispatch(action, of: parent) } else { store?.dispatch(action) }
      case .cancel(let id): cancel(id)
      case .run(let body):
        started += launch(ids) { run in await body(Send { [weak store] in store?.dispatch($0, of: run) }) }
      case .group(let group):
        switch group.grouping {
        case .merged: waiting.append(contentsOf: group.members.reversed().map { ($0, ids) })
        case .concatenated: started += startSequence(group.members, ids: ids)
        case .cancellable(let id, let cancelInFlight):
          if cancelInFlight { cancel(id) }
          waiting.append(contentsOf: group.members.map { ($0, ids + [id]) })
        }
      }
    }
    return started
  }

  private func startSequence(_ operations: [Operation], ids: [EffectID]) -> [EffectRun] {
    var rest: [Operation] = operations.reversed()
    while let operation = rest.popLast() {
      if case .group(let group) = operation, case .concatenated = group.grouping {
        rest.append(contentsOf: group.members.reversed())
        continue
      }
      let first = start(operation, ids: ids)
      if first.isEmpty { continue }
      if rest.isEmpty { return first }
      return launch(ids) { [rest] run in await finish(first, then: rest, ids: ids, as: run) } + first
    }
    return []
  }

  /// Waits for those that were started, and does the rest, whose last comes first.
  private func finish(_ first: [EffectRun], then rest: [Operation], ids: [EffectID], as run: EffectRun) async {
    var current = first
    let performer = EffectPerformer(store: store, runs: runs, parent: run)
    for operation in rest.reversed() {
      for run in current { await run.wait() }
      if run.isRevoked { return }
      current = performer.start(operation, ids: ids)
    }
    for run in current { await run.wait() }
  }

  private func launch(_ ids: [EffectID], _ body: @escaping @Sendable (EffectRun) async -> Void) -> [EffectRun] {
    guard let store else { return [] }
    let run = EffectRun(ids.last.map { "\($0)" } ?? "\(Effect<Action>.self)", ids: ids)
    runs.add(run, startedBy: parent)
    afterwards { [runs, dependencies = store.dependencies] in
      if !run.isRevoked { runs.start(run, with: dependencies) { await body(run) } }
    }
    return [run]
  }

  private func cancel(_ id: EffectID) {
    let revoked = runs.revoke(id)
    if !revoked.isEmpty { afterwards { for run in revoked { run.cancel() } } }
  }

  private func afterwards(_ body: @escaping @Sendable () -> Void) {
    if parent == nil { store?.afterwards(body) } else { body() }
  }
}
