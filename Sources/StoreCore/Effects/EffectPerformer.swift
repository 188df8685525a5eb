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
    switch operation {
    case .none: return []
    case .send(let action):
      if let parent { store?.dispatch(action, of: parent) } else { store?.dispatch(action) }
      return []
    case .cancel(let id):
      cancel(id)
      return []
    case .cancellable(let inner, let id, let cancelInFlight):
      if cancelInFlight { cancel(id) }
      return start(inner, ids: ids + [id])
    case .merge(let all): return all.flatMap { start($0, ids: ids) }
    case .run(let body):
      return launch(ids) { run in
        await body(Send { [weak store] in store?.dispatch($0, of: run) })
      }
    case .concatenate(let all):
      for (index, operation) in all.enumerated() {
        let first = start(operation, ids: ids)
        if first.isEmpty { continue }
        let rest = all[(index + 1)...]
        if rest.isEmpty { return first }
        return launch(ids) { run in await finish(first, then: rest, ids: ids, as: run) } + first
      }
      return []
    }
  }

  private func finish(_ first: [EffectRun], then rest: ArraySlice<Operation>, ids: [EffectID], as run: EffectRun) async
  {
    var current = first
    let performer = EffectPerformer(store: store, runs: runs, parent: run)
    for operation in rest {
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
