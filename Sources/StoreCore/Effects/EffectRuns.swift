import Synchronization

/// The effects of a store that are running: they are cancelled when it is closed or freed.
final class EffectRuns<State: Sendable, Action: Sendable>: Middleware {
  private struct Registry {
    var running: [ObjectIdentifier: EffectRun] = [:]
    var isEnded = false
  }

  private let registry = Mutex(Registry())

  /// The names of those that are running.
  var names: [String] { registry.withLock { $0.running.values.map(\.name) } }

  /// Starts a run's task, a cancelled one if the store was closed.
  func start<R: Sendable>(
    _ run: EffectRun, with dependencies: Dependencies, _ body: @escaping @Sendable () async -> R
  ) -> Task<R, Never> {
    let isEnded = registry.withLock { registry in
      if !registry.isEnded { registry.running[ObjectIdentifier(run)] = run }
      return registry.isEnded
    }
    if isEnded { run.withdraw() }
    return run.start(with: dependencies, body) { [weak self, weak run] in
      guard let run else { return }
      _ = self?.registry.withLock { $0.running.removeValue(forKey: ObjectIdentifier(run)) }
    }
  }

  func end() {
    let left = registry.withLock { registry in
      registry.isEnded = true
      defer { registry.running = [:] }
      return registry.running.values
    }
    for run in left { run.withdraw() }
  }

  func close() async { end() }

  func abandon(state: borrowing State) { end() }
}

extension Store {
  /// The names of the effects that are running, in no order: for a test, or a look into a program that waits.
  public var runningEffects: [String] {
    open.withLock { $0.lazy.compactMap { $0 as? EffectRuns<State, Action> }.first }?.names ?? []
  }

  /// Made when the first effect starts, and closed before all other middleware: what they close upon is not in use.
  var runs: EffectRuns<State, Action> {
    let (runs, isNew) = open.withLock { open in
      for case let runs as EffectRuns<State, Action> in open { return (runs, false) }
      let runs = EffectRuns<State, Action>()
      open.append(runs)
      return (runs, true)
    }
    // Who comes while the store is being closed may come too late to be closed with the rest.
    if isNew, turn.phase == nil, core.withLock({ $0.isClosed }) { runs.end() }
    return runs
  }
}
