import Synchronization

/// A change on its way to those who were subscribed when it was made.
@usableFromInline
struct Delivery<State: Sendable>: Sendable {
  @usableFromInline let state: State
  @usableFromInline let cause: Cause
  @usableFromInline let subscribers: [Subscriber<State>]

  @inlinable
  init(state: State, cause: Cause, subscribers: [Subscriber<State>]) {
    self.state = state
    self.cause = cause
    self.subscribers = subscribers
  }

  @inlinable
  func send() {
    for subscriber in subscribers where !subscriber.cancellation.isCancelled { subscriber.handler(state, cause) }
  }
}

extension Store {
  /// Delivers, and then what others left in the outbox meanwhile, until it is empty.
  @inlinable
  func deliver(_ first: consuming Delivery<State>) {
    var next: Delivery<State>? = first
    var batch: [Delivery<State>] = []
    while next != nil {
      // Lets go of its copy of the state before the next turn, which then reduces in place.
      next.take()?.send()
      if batch.isEmpty { batch = core.withLock { $0.takeOutbox() } }
      next = batch.popLast()
    }
  }
}

extension Store.Core {
  /// The delivery, if the caller is to deliver it after unlocking, or nil, if somebody is delivering already.
  @inlinable
  mutating func enqueue(_ delivery: Delivery<State>) -> Delivery<State>? {
    if isDelivering {
      outbox.append(delivery)
      return nil
    }
    isDelivering = true
    return delivery
  }

  /// What came meanwhile, the oldest last. If nothing did, nobody is delivering any more.
  @inlinable
  mutating func takeOutbox() -> [Delivery<State>] {
    if outbox.isEmpty {
      isDelivering = false
      return []
    }
    let taken = outbox
    outbox = []
    return taken.reversed()
  }
}
