import Synchronization

/// The store's side of a subscription.
@usableFromInline
struct Subscriber<State: Sendable>: Sendable {
  @usableFromInline let cancellation = Cancellation()
  @usableFromInline let handler: @Sendable (State, Cause) -> Void

  @inlinable
  init(_ handler: @escaping @Sendable (State, Cause) -> Void) {
    self.handler = handler
  }
}

/// What a subscription and its subscriber share: not the handler, which may well capture who keeps the subscription.
@usableFromInline
final class Cancellation: Sendable {
  @usableFromInline let flag = Atomic<Bool>(false)

  @usableFromInline
  init() {}

  @inlinable
  var isCancelled: Bool { flag.load(ordering: .acquiring) }

  /// Whether this call is the one that cancels.
  func cancel() -> Bool {
    !flag.exchange(true, ordering: .acquiringAndReleasing)
  }
}
