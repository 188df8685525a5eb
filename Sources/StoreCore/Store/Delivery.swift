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
  static func send(_ state: State, _ cause: Cause, to subscribers: [Subscriber<State>]) {
    for index in 0..<subscribers.count {
      // The list keeps it. To retain and release it for the call would cost as much as the call.
      Unmanaged.passUnretained(subscribers[index])._withUnsafeGuaranteedRef { $0.tell(state, cause) }
    }
  }
}

/// Whether somebody is delivering, and whether more waits for him in the outbox.
///
/// All but the last step of a delivery happens inside the store's lock: whoever has nothing more to deliver goes off duty without
/// it. So a change that nobody else's comes between takes the lock only once.
@usableFromInline
final class Deliverer: Sendable {
  @usableFromInline
  enum Duty: UInt8, AtomicRepresentable, Sendable {
    case nobody
    case somebody
    /// Somebody, for whom there is more in the outbox.
    case more
  }

  @usableFromInline let duty = Atomic<Duty>(.nobody)
  /// Whether anybody listened when that was last looked at. It is only a guess, which of two ways to go: inside the lock each finds
  /// out how it really is, and corrects it.
  @usableFromInline let hasAudience = Atomic<Bool>(false)
  /// Whether somebody was cancelled inside a turn, and so is still in the list.
  let hasLeftovers = Atomic<Bool>(false)

  @usableFromInline
  init() {}

  /// Whether the caller is to deliver from here on; else somebody does, and will look into the outbox once more. The caller holds
  /// the lock.
  @inlinable
  func goOnDuty() -> Bool {
    switch duty.load(ordering: .acquiring) {
    case .more: return false
    case .somebody:
      let (isLeftToHim, _) = duty.compareExchange(
        expected: .somebody, desired: .more, successOrdering: .relaxed, failureOrdering: .acquiring)
      // Else he has gone off duty in this very moment.
      if isLeftToHim { return false }
    case .nobody: break
    }
    duty.store(.somebody, ordering: .relaxed)
    return true
  }

  /// Whether there is nothing more to deliver. Needs no lock.
  @inlinable
  func goOffDuty() -> Bool {
    duty.compareExchange(
      expected: .somebody, desired: .nobody, successOrdering: .releasing, failureOrdering: .relaxed
    ).exchanged
  }
}

extension Store {
  /// Delivers, and then what others left in the outbox meanwhile, until it is empty.
  @inlinable
  func deliver(_ delivery: consuming Delivery<State>) {
    // Lets go of its copy of the state before the next turn, which then reduces in place.
    var first: Delivery<State>? = consume delivery
    if let first = first.take() { Delivery.send(first.state, first.cause, to: first.subscribers) }
    while !deliverer.goOffDuty() { deliverOutbox() }
  }

  @usableFromInline
  func deliverOutbox() {
    var batch = core.withLock { $0.takeOutbox(for: deliverer) }
    while let next = batch.popLast() { Delivery.send(next.state, next.cause, to: next.subscribers) }
  }
}

extension Store.Core {
  /// The delivery, if the caller is to deliver it after unlocking, or nil, if somebody is delivering already.
  @inlinable
  mutating func enqueue(_ delivery: Delivery<State>, for deliverer: Deliverer) -> Delivery<State>? {
    if deliverer.goOnDuty() { return delivery }
    outbox.append(delivery)
    return nil
  }

  /// What came meanwhile, the oldest last.
  mutating func takeOutbox(for deliverer: Deliverer) -> [Delivery<State>] {
    deliverer.duty.store(.somebody, ordering: .relaxed)
    return outbox.takeAll().reversed()
  }
}
