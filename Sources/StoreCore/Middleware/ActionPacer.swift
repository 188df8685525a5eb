import Synchronization

/// What holds back actions until their time has come.
protocol ActionPacing<Action>: Sendable {
  associatedtype Action: Sendable

  /// Tells it the clock of the store.
  func start(_ clock: any Clock<Duration>)

  func dispatch(_ action: Action, _ next: @escaping @Sendable (Action) -> Void)

  /// Lets go of what waits.
  func settle() async

  /// Lets go of what waits, and holds back nothing more.
  func close() async
}

/// Keeps the newest action of each key. One worker lets them go, so that none overtakes another.
final class ActionPacer<Action: Sendable, Key: Hashable & Sendable>: ActionPacing {
  private struct Held: Sendable {
    let action: Action
    let next: @Sendable (Action) -> Void
    /// Its place among all that were held back.
    let order: UInt64
  }

  private struct Pace: Sendable {
    var newest: Held?
    /// A throttle's interval is on, or the action before is being reduced.
    var isPausing = false
    let alarm: any Alarm
  }

  private struct Paces: Sendable {
    var byKey: [Key: Pace] = [:]
    var order: UInt64 = 0
    var clock: any Clock<Duration>
    var isClosed = false
  }

  private let interval: Duration
  private let isThrottle: Bool
  private let key: @Sendable (Action) -> Key?
  private let usesStoreClock: Bool
  private let paces: Mutex<Paces>
  private let worker = SerialWorker()

  init(
    _ interval: Duration, _ clock: (any Clock<Duration>)?, isThrottle: Bool,
    _ key: @escaping @Sendable (Action) -> Key?
  ) {
    self.interval = interval
    usesStoreClock = clock == nil
    paces = Mutex(Paces(clock: clock ?? ContinuousClock()))
    self.isThrottle = isThrottle
    self.key = key
  }

  func start(_ clock: any Clock<Duration>) {
    if usesStoreClock { paces.withLock { $0.clock = clock } }
  }

  func dispatch(_ action: Action, _ next: @escaping @Sendable (Action) -> Void) {
    guard let key = key(action) else { return next(action) }
    let isHeld = paces.withLock { paces in
      if paces.isClosed { return false }
      var pace = paces.byKey[key] ?? Pace(alarm: makeAlarm(on: paces.clock) { [weak self] in self?.letGo(key) })
      let isHeld = !isThrottle || pace.isPausing
      if isHeld {
        paces.order += 1
        pace.newest = Held(action: action, next: next, order: paces.order)
      }
      if isThrottle { pace.isPausing = true } else { pace.alarm.set(after: interval) }
      paces.byKey[key] = pace
      return isHeld
    }
    if isHeld { return }
    next(action)
    if isThrottle { paces.withLock { $0.byKey[key]?.alarm.set(after: interval) } }
  }

  func settle() async {
    worker.enqueue { self.letAllGo() }
    await worker.drain()
  }

  func close() async {
    paces.withLock { $0.isClosed = true }
    await settle()
  }

  private func letGo(_ key: Key) {
    worker.enqueue {
      let held = self.take(key)
      if let held { held.next(held.action) }
      self.paces.withLock { paces in
        guard let pace = paces.byKey[key] else { return }
        if self.isThrottle && held != nil {
          pace.alarm.set(after: self.interval)
        } else if pace.newest == nil && !pace.isPausing {
          paces.byKey[key] = nil
        }
      }
    }
  }

  private func take(_ key: Key) -> Held? {
    paces.withLock { paces in
      let held = paces.byKey[key]?.newest.take()
      paces.byKey[key]?.isPausing = isThrottle && held != nil
      return held
    }
  }

  private func letAllGo() {
    let held = paces.withLock { paces in
      let held = paces.byKey.values.compactMap(\.newest).sorted { $0.order < $1.order }
      for key in paces.byKey.keys { paces.byKey[key]?.newest = nil }
      return held
    }
    for held in held { held.next(held.action) }
  }
}
