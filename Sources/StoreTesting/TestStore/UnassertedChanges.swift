import StoreCore
import Synchronization

/// The middleware of a test store: keeps each change, until the test asserts it.
final class UnassertedChanges<State: Sendable, Action: Sendable>: Middleware, LateActionListener {
  struct Event: Sendable {
    let action: Action?
    let cause: Cause
    let state: State
    /// Whether it is the action that the test sends just now.
    var isSent = false
  }

  private struct Core {
    var events: [Event] = []
    /// In words: what was sent by effects that had ended.
    var late: [String] = []
    /// The number of the action that the test sends, as long as nothing has been reduced for it.
    var sending: UInt64?
    var count: UInt64 = 0
    var waiting: [@Sendable () -> Void] = []
  }

  private let core = Mutex(Core())

  /// What isn't asserted yet, in order.
  var events: [Event] { core.withLock { $0.events } }

  /// Takes out what was sent too late.
  func takeLate() -> [String] { core.withLock { $0.late.takeAll() } }

  func cameTooLate(_ action: Action, from effect: String) {
    core.withLock { $0.late.append("\(Readable.text(action)), from \(effect)") }
  }

  /// Runs the dispatch of the test's action.
  ///
  /// - Returns: the change that it made, if it made one right away; it stays for others to see what came before it.
  func sending(_ dispatch: () -> Void) -> Event? {
    let number = core.withLock { core in
      core.count += 1
      core.sending = core.count
      return core.count
    }
    Sending.$number.withValue(number, operation: dispatch)
    return core.withLock { core in
      core.sending = nil
      return core.events.first(where: \.isSent)
    }
  }

  /// Takes out the first of what isn't asserted yet.
  func takeFirst() -> Event? {
    core.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() }
  }

  /// Forgets what isn't asserted yet, up to the first that something holds for.
  func forget(before isWanted: (Event) -> Bool = { _ in false }) {
    core.withLock { core in core.events.removeFirst(core.events.firstIndex(where: isWanted) ?? core.events.count) }
  }

  /// Calls back as soon as there is something.
  func whenThereIsOne(_ ended: @escaping @Sendable () -> Void) {
    let isThere = core.withLock { core in
      if core.events.isEmpty { core.waiting.append(ended) }
      return !core.events.isEmpty
    }
    if isThere { ended() }
  }

  func changed(_ change: Change<State, Action>, state: borrowing State) {
    let state = copy state
    let waiting = core.withLock { core in
      var event = Event(action: change.action, cause: change.cause, state: state)
      // What the dispatch starts inherits the number, so it is the first change that counts.
      if change.action != nil, let number = core.sending, number == Sending.number {
        event.isSent = true
        core.sending = nil
      }
      core.events.append(event)
      return core.waiting.takeAll()
    }
    for ended in waiting { ended() }
  }
}

/// Tells the change that a test's own action makes from all others.
private enum Sending {
  @TaskLocal static var number: UInt64?
}
