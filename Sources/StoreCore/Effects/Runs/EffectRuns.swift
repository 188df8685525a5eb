import Synchronization

/// The effects of a store that are running: they are cancelled when it is closed or freed.
final class EffectRuns<State: Sendable, Action: Sendable>: Middleware {
  private struct Registry {
    var running: [ObjectIdentifier: EffectRun] = [:]
    /// Those that nobody asks for any more, but whose tasks are not over: they need not heed their cancellation.
    var ending: [ObjectIdentifier: EffectRun] = [:]
    /// To be called when nothing is running.
    var idle: [@Sendable () -> Void] = []
    var named: [EffectID: [ObjectIdentifier: EffectRun]] = [:]
    /// Told when all are ended.
    var listeners: [ObjectIdentifier: @Sendable () -> Void] = [:]
    var isEnded = false

    mutating func tellIfIdle() {
      guard running.isEmpty, ending.isEmpty else { return }
      for body in idle.takeAll() { body() }
    }

    /// Takes a run off the list; it counts as running until its task is over.
    mutating func drop(_ run: EffectRun) {
      let key = ObjectIdentifier(run)
      guard running.removeValue(forKey: key) != nil else { return }
      for id in run.ids {
        named[id]?[key] = nil
        if named[id]?.isEmpty == true { named[id] = nil }
      }
      if run.isRunning { ending[key] = run } else { tellIfIdle() }
    }

    /// The task of a run is over.
    mutating func finish(_ run: EffectRun) {
      drop(run)
      ending[ObjectIdentifier(run)] = nil
      tellIfIdle()
    }
  }

  private let registry = Mutex(Registry())
  /// Those that effects of the state go by.
  let names = Mutex(EffectNames())

  /// The names of those that are running, without those that stand in line.
  var running: [String] {
    registry.withLock { Array($0.running.values) + Array($0.ending.values) }.filter(\.isRunning).map(\.name)
  }

  /// Calls back when nothing is running. It must be quick, and not call the store: locks are held.
  func whenIdle(_ body: @escaping @Sendable () -> Void) {
    registry.withLock { registry in
      registry.idle.append(body)
      registry.tellIfIdle()
    }
  }

  /// Puts a run on the list; one that comes too late is revoked, and so is one whose parent has been.
  func add(_ run: EffectRun, startedBy parent: EffectRun? = nil) {
    registry.withLock { registry in
      if registry.isEnded || parent?.isRevoked == true { return run.revoke() }
      let key = ObjectIdentifier(run)
      registry.running[key] = run
      for id in run.ids { registry.named[id, default: [:]][key] = run }
    }
  }

  /// Starts the task of a run that was added; it takes itself off the list at its end.
  @discardableResult
  func start<R: Sendable>(
    _ run: EffectRun, with dependencies: Dependencies, isAtOnce: Bool = false, _ body: @escaping @Sendable () async -> R
  ) -> Task<R, Never> {
    run.start(with: dependencies, isAtOnce: isAtOnce, body) { [weak self] in self?.finish(run) }
  }

  private func finish(_ run: EffectRun) { registry.withLock { $0.finish(run) } }

  func drop(_ run: EffectRun) { registry.withLock { $0.drop(run) } }

  /// Revokes those with an id; their tasks are still to be cancelled, outside the store's lock.
  func revoke(_ id: EffectID) -> [EffectRun] {
    registry.withLock { registry in
      let runs = registry.named[id].map { Array($0.values) } ?? []
      for run in runs {
        run.revoke()
        registry.drop(run)
      }
      return runs
    }
  }

  /// Cancels all, and whatever comes later.
  func end() {
    let (left, listeners) = registry.withLock { registry in
      let left = (registry.running.values, registry.listeners.values)
      for run in left.0 { run.revoke() }
      for body in registry.idle { body() }
      registry = Registry(isEnded: true)
      return left
    }
    for run in left { run.cancel() }
    for listener in listeners { listener() }
  }

  /// Calls the closure when all are ended, or never if they have been, or if who listens has stopped that.
  func atEnd(_ listener: AnyObject, _ body: @escaping @Sendable () -> Void) {
    registry.withLock { if !$0.isEnded { $0.listeners[ObjectIdentifier(listener)] = body } }
  }

  func stopListening(_ listener: AnyObject) {
    registry.withLock { $0.listeners[ObjectIdentifier(listener)] = nil }
  }

  func close() async { end() }

  func abandon(state: borrowing State) { end() }
}

extension Store {
  /// The names of the effects that are running, in no order: for a test, or a look into a program that waits.
  public var runningEffects: [String] { existingRuns?.running ?? [] }

  /// Calls back as soon as no effect is running: at once, if none is. It must be quick, and not call the store.
  package func whenEffectsEnd(_ body: @escaping @Sendable () -> Void) {
    if let existingRuns { existingRuns.whenIdle(body) } else { body() }
  }

  /// Made when the first effect starts.
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

  var existingRuns: EffectRuns<State, Action>? {
    open.withLock { $0.lazy.compactMap { $0 as? EffectRuns<State, Action> }.first }
  }
}
