import Synchronization

/// Calls a closure when a time has come that may be moved until then, never twice at once.
///
/// It owns its task: freed, it is silent.
protocol Alarm: AnyObject, Sendable {
  /// Sets the time, from now, in place of the one set before. Callable from the closure too.
  func set(after duration: Duration)

  /// Forgets the time. A call of the closure that is under way may still be finishing.
  func cancel()
}

/// Makes an alarm on a clock of any kind.
func makeAlarm(on clock: some Clock<Duration>, _ body: @escaping @Sendable () -> Void) -> any Alarm {
  ClockAlarm(clock, body)
}

private final class ClockAlarm<C: Clock>: Alarm where C.Duration == Duration {
  private struct Setting {
    var due: C.Instant?
    /// Sleeps until the alarm is due, and calls the closure.
    var sleeper: Task<Void, Never>?
    /// The number of the sleeper: one that was replaced knows it by this.
    var number = 0
    var isCalling = false
  }

  private let clock: C
  private let body: @Sendable () -> Void
  private let setting = Mutex(Setting())

  init(_ clock: C, _ body: @escaping @Sendable () -> Void) {
    self.clock = clock
    self.body = body
  }

  deinit {
    setting.withLock { $0.sleeper }?.cancel()
  }

  func set(after duration: Duration) {
    let due = clock.now.advanced(by: duration)
    let replaced = setting.withLock { setting in
      // Who sleeps until an earlier time sees on waking that it was moved.
      let isEarlier = setting.due.map { due < $0 } ?? false
      setting.due = due
      let replaced = isEarlier ? dismiss(&setting) : nil
      if setting.sleeper == nil {
        setting.number += 1
        setting.sleeper = sleep(setting.number)
      }
      return replaced
    }
    replaced?.cancel()
  }

  func cancel() {
    let sleeper = setting.withLock { setting in
      setting.due = nil
      return dismiss(&setting)
    }
    sleeper?.cancel()
  }

  /// Takes the sleeper away, unless it is calling: it then looks again at what is due, and so never calls beside another.
  private func dismiss(_ setting: inout Setting) -> Task<Void, Never>? {
    if setting.isCalling { return nil }
    setting.number += 1
    return setting.sleeper.take()
  }

  private func sleep(_ number: Int) -> Task<Void, Never> {
    Task.detached { [weak self, clock] in
      while let due = self?.next(number) {
        do {
          if clock.now < due { try await clock.sleep(until: due, tolerance: nil) }
        } catch {
          if Task.isCancelled { return }
          // A clock that can't wait: too early is better than never.
        }
        self?.call(number, due)
      }
    }
  }

  /// The time to sleep until; nil if there is nothing to wait for, or another sleeper does.
  private func next(_ number: Int) -> C.Instant? {
    setting.withLock { setting in
      guard setting.number == number else { return nil }
      if setting.due == nil { setting.sleeper = nil }
      return setting.due
    }
  }

  private func call(_ number: Int, _ due: C.Instant) {
    let isDue = setting.withLock { setting in
      guard setting.number == number, setting.due == due else { return false }
      setting.due = nil
      setting.isCalling = true
      return true
    }
    guard isDue else { return }
    body()
    setting.withLock { $0.isCalling = false }
  }
}
