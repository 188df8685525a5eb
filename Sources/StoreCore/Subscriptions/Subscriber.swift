import Synchronization

/// The store's side of a subscription. A class, so that who has a list of them can call each without retaining it.
@usableFromInline
final class Subscriber<State: Sendable>: Sendable {
  @usableFromInline let cancellation: Cancellation
  @usableFromInline let handler: @Sendable (State, Cause) -> Void
  /// Wants to know, after the last delivery, that the store was closed or freed.
  @usableFromInline let end: (@Sendable (State, _ version: UInt64) -> Void)?

  @inlinable
  init(
    _ handler: @escaping @Sendable (State, Cause) -> Void, _ cancellation: Cancellation = Cancellation(),
    end: (@Sendable (State, UInt64) -> Void)? = nil
  ) {
    self.handler = handler
    self.cancellation = cancellation
    self.end = end
  }

  @inlinable
  func tell(_ state: State, _ cause: Cause) {
    if !cancellation.isCancelled { handler(state, cause) }
  }

  /// Who hears of the end in the order of deliveries; nil where nobody wants to.
  func ending(_ version: UInt64) -> Subscriber? {
    end.map { end in Subscriber({ state, _ in end(state, version) }, cancellation) }
  }
}

/// What a subscription and its subscriber share: not the handler, which may well capture who keeps the subscription.
@usableFromInline
final class Cancellation: Sendable {
  @usableFromInline let flag = Atomic<Bool>(false)
  /// The subscriber's place in the list of the store, whose lock guards it.
  let place = Atomic<Int>(0)

  @usableFromInline
  init() {}

  @inlinable
  var isCancelled: Bool { flag.load(ordering: .acquiring) }

  /// Whether this call is the one that cancels.
  func cancel() -> Bool {
    !flag.exchange(true, ordering: .acquiringAndReleasing)
  }
}
