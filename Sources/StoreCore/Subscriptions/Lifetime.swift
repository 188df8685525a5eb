import Synchronization

/// What the steps of one subscription share: whether it was cancelled, and what must then be done.
@usableFromInline
final class Lifetime: Sendable {
  private let cancellation = Cancellation()
  private let endings = Mutex<[@Sendable () -> Void]>([])
  /// Whether whose life bounds it lives.
  private let hasOwner: @Sendable () -> Bool
  /// Whether a node of a tree subscribes: it hears inside of the turn.
  @usableFromInline let isInTurns: Bool

  @usableFromInline
  init(isInTurns: Bool = false, while hasOwner: @escaping @Sendable () -> Bool = { true }) {
    self.isInTurns = isInTurns
    self.hasOwner = hasOwner
  }

  @usableFromInline
  var isCancelled: Bool { cancellation.isCancelled }

  /// Whether it goes on; ends it, if nobody is there any more for whom it could.
  @usableFromInline
  func goesOn() -> Bool {
    if isCancelled { return false }
    if hasOwner() { return true }
    cancel()
    return false
  }

  /// Calls the body when the subscription is cancelled: at once, if it was. It must not keep a step, which keeps this.
  @usableFromInline
  func onCancel(_ body: @escaping @Sendable () -> Void) {
    let isLate = endings.withLock { endings in
      if isCancelled { return true }
      endings.append(body)
      return false
    }
    if isLate { body() }
  }

  @usableFromInline
  func cancel() {
    guard cancellation.cancel() else { return }
    for ending in endings.withLock({ $0.takeAll() }) { ending() }
  }
}

/// Where values go: the next step, or the one who subscribed. Called by one at a time.
@usableFromInline
struct Sink<Value: Sendable>: Sendable {
  @usableFromInline let receive: @Sendable (Value, Cause) -> Void
  /// The store was closed or freed. Where a middleware could not be closed, changes from outside may still come.
  @usableFromInline let end: @Sendable () -> Void

  @inlinable
  init(receive: @escaping @Sendable (Value, Cause) -> Void, end: @escaping @Sendable () -> Void) {
    self.receive = receive
    self.end = end
  }
}
