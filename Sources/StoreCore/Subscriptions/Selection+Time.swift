import Synchronization

extension Selection {
  /// Waits until no other value has come for a while, and then passes on the newest.
  ///
  /// The value that is there when the subscription begins waits too; ``skip(_:)`` before this leaves it out.
  ///
  /// - Parameters:
  ///   - quiet: For how long nothing else must come.
  ///   - clock: What measures it; nil is the store's `dependencies.clock`.
  /// - Returns: the selection with this step added.
  public func debounce(for quiet: Duration, clock: (any Clock<Duration>)? = nil) -> Selection {
    paced(.debounce, quiet, clock)
  }

  /// Passes on a value at once, and then not more than one in each interval: the newest.
  ///
  /// The last value is never missed: it comes at the end of its interval.
  ///
  /// - Parameters:
  ///   - interval: What lies at least between two values: from the return of the handler to its next call.
  ///   - clock: What measures it; nil is the store's `dependencies.clock`.
  /// - Returns: the selection with this step added.
  public func throttle(for interval: Duration, clock: (any Clock<Duration>)? = nil) -> Selection {
    paced(.throttle, interval, clock)
  }

  private func paced(_ kind: PaceKind, _ interval: Duration, _ other: (any Clock<Duration>)?) -> Selection {
    Selection(of: store) { [attach, store] lifetime, sink in
      let pace = Pace(kind, interval, other ?? store.dependencies.clock, sink)
      lifetime.onCancel { [weak pace] in pace?.cancel() }
      attach(lifetime, Sink(receive: { pace.receive($0, $1) }, end: { pace.end() }))
    }
  }
}

private enum PaceKind: Sendable {
  case debounce, throttle
}

/// Keeps the newest value until its time has come. The alarm passes it on, so one is passed on at a time.
private final class Pace<Value: Sendable>: Sendable {
  private struct Waiting {
    var newest: (value: Value, cause: Cause)?
    /// A throttle's interval is on, or the handler is being called.
    var isPausing = false
    var isEnded = false
    /// Keeps what waits while nobody else does, as the store was freed.
    var itself: Pace?
    /// Made when first needed, as it calls this.
    var alarm: (any Alarm)?
  }

  private let kind: PaceKind
  private let interval: Duration
  private let clock: any Clock<Duration>
  private let sink: Sink<Value>
  private let waiting = Mutex(Waiting())

  init(_ kind: PaceKind, _ interval: Duration, _ clock: any Clock<Duration>, _ sink: Sink<Value>) {
    self.kind = kind
    self.interval = interval
    self.clock = clock
    self.sink = sink
  }

  func receive(_ value: Value, _ cause: Cause) {
    switch kind {
    case .debounce:
      waiting.withLock { waiting in
        waiting.newest = (value, cause)
        set(interval, &waiting)
      }
    case .throttle:
      let mustWait = waiting.withLock { waiting in
        if waiting.isPausing { waiting.newest = (value, cause) }
        defer { waiting.isPausing = true }
        return waiting.isPausing
      }
      if mustWait { return }
      sink.receive(value, cause)
      waiting.withLock { set(interval, &$0) }
    }
  }

  /// Passes on what waits, and that this is the end, from the alarm's task, so that nothing overtakes.
  func end() {
    waiting.withLock { waiting in
      waiting.isEnded = true
      waiting.itself = self
      set(interval, &waiting)
    }
  }

  func cancel() {
    let alarm = waiting.withLock { waiting in
      waiting.newest = nil
      waiting.itself = nil
      return waiting.alarm
    }
    alarm?.cancel()
  }

  private func set(_ duration: Duration, _ waiting: inout Waiting) {
    let alarm = waiting.alarm ?? makeAlarm(on: clock) { [weak self] in self?.pass() }
    waiting.alarm = alarm
    alarm.set(after: waiting.isEnded ? .zero : duration)
  }

  private func pass() {
    let (newest, isEnd, itself) = waiting.withLock { waiting in
      defer {
        waiting.isPausing = waiting.newest != nil
        waiting.newest = nil
        waiting.isEnded = false
        waiting.itself = nil
      }
      return (waiting.newest, waiting.isEnded, waiting.itself)
    }
    if let newest {
      sink.receive(newest.value, newest.cause)
      if kind == .throttle { waiting.withLock { set(interval, &$0) } }
    }
    if isEnd { sink.end() }
    withExtendedLifetime(itself) {}
  }
}
