import Synchronization

extension Store {
  /// Calls the handler with the state and where it came from: first as it is now, with the cause `start`, and then
  /// after every change, in the total order.
  ///
  ///     let subscription = store.subscribe { state, cause in print(state, cause) }
  ///
  /// The first call is made before this returns, unless another thread, or a subscriber further up the stack, is
  /// delivering: then it comes in its turn. Handlers are called in subscription order, never two at a time, with no
  /// lock held; they may dispatch, subscribe and cancel. Those subscribed when a change is made hear of it.
  ///
  /// - Parameters:
  ///   - skipFirst: Leaves the first call out.
  ///   - handler: Called on whatever thread is delivering: the one that made the change, if nobody else is.
  /// - Returns: what must be kept as long as the handler shall be called.
  @inlinable
  public func subscribe(
    skipFirst: Bool = false, _ handler: @escaping @Sendable (State, Cause) -> Void
  ) -> Subscription {
    attach(Subscriber(handler), skipFirst: skipFirst)
  }

  /// Calls the handler with a part of the state, first as it is now, and then whenever it is another.
  ///
  ///     let subscription = store.subscribe(select: \.counter) { counter, cause in print(counter, cause) }
  ///
  /// The part last told is kept for comparison, so that a reducer which changes an array selected whole copies it.
  ///
  /// - Parameters:
  ///   - select: The part: a key path or a closure, called after unlocking, once a change.
  ///   - skipFirst: Leaves the first call out: the part is then told when it differs from what it is now.
  ///   - handler: Called as the handler of the whole state is.
  /// - Returns: what must be kept as long as the handler shall be called.
  @inlinable
  public func subscribe<Value: Sendable & Equatable>(
    select: @escaping @Sendable (State) -> Value, skipFirst: Bool = false,
    _ handler: @escaping @Sendable (Value, Cause) -> Void
  ) -> Subscription {
    subscribe(select: select, removingDuplicates: ==, skipFirst: skipFirst, handler)
  }

  /// Calls the handler with a part of the state, first as it is now, and then whenever it is another.
  @inlinable
  public func subscribe<Value: Sendable & Equatable>(
    select: @escaping @Sendable (State) -> Value, skipFirst: Bool = false,
    _ handler: @escaping @Sendable (Value) -> Void
  ) -> Subscription {
    subscribe(select: select, removingDuplicates: ==, skipFirst: skipFirst) { value, _ in handler(value) }
  }

  /// Calls the handler with a part of the state, first as it is now, and then whenever it is not a duplicate.
  ///
  /// - Parameters:
  ///   - select: The part: a key path or a closure, called after unlocking, once a change.
  ///   - isDuplicate: Compares the part last told with the part as it is now. To hear of every change, answer false.
  ///   - skipFirst: Leaves the first call out: the part is then told when it differs from what it is now.
  ///   - handler: Called as the handler of the whole state is.
  /// - Returns: what must be kept as long as the handler shall be called.
  @inlinable
  public func subscribe<Value: Sendable>(
    select: @escaping @Sendable (State) -> Value,
    removingDuplicates isDuplicate: @escaping @Sendable (Value, Value) -> Bool, skipFirst: Bool = false,
    _ handler: @escaping @Sendable (Value, Cause) -> Void
  ) -> Subscription {
    let told = Told<Value>()
    let subscriber = Subscriber<State> { state, cause in
      let value = select(state)
      let last = told.value.withLock { $0 }
      if let last, isDuplicate(last, value) { return }
      told.value.withLock { $0 = value }
      if last == nil && skipFirst { return }
      handler(value, cause)
    }
    // The first delivery is needed in any case: it says what to compare with.
    return attach(subscriber, skipFirst: false)
  }

  /// Calls the handler with a part of the state, first as it is now, and then whenever it is not a duplicate.
  @inlinable
  public func subscribe<Value: Sendable>(
    select: @escaping @Sendable (State) -> Value,
    removingDuplicates isDuplicate: @escaping @Sendable (Value, Value) -> Bool, skipFirst: Bool = false,
    _ handler: @escaping @Sendable (Value) -> Void
  ) -> Subscription {
    subscribe(select: select, removingDuplicates: isDuplicate, skipFirst: skipFirst) { value, _ in handler(value) }
  }

  @usableFromInline
  func attach(_ subscriber: Subscriber<State>, skipFirst: Bool) -> Subscription {
    turn.refuse("subscribe was called")
    let first: Delivery<State>? = core.withLock { core in
      if !core.isEnded { core.subscribers.add(subscriber, subscriber.cancellation) }
      let first = skipFirst ? nil : core.enqueueStart(of: subscriber, for: deliverer)
      guard core.isEnded, let ending = subscriber.ending(core.version) else { return first }
      let last = core.enqueueStart(of: ending, for: deliverer)
      return first ?? last
    }
    if let first { deliver(first) }
    return Subscription { [weak self, cancellation = subscriber.cancellation] in
      if cancellation.cancel() { self?.remove(cancellation) }
    }
  }

  /// A node of a tree hears of the state inside of the turn, as it is now and whenever it changes.
  @usableFromInline
  func attach(node: Subscriber<State>) -> Subscription {
    takeTurn(.reading) { core in
      if !core.isEnded { core.children.add(node, node.cancellation) }
      node.tell(core.state, .start)
    }
    return Subscription { [weak self, cancellation = node.cancellation] in
      if cancellation.cancel() { self?.remove(cancellation) }
    }
  }

  /// Takes who was cancelled off the lists.
  func remove(_ cancellation: Cancellation) {
    // Inside a turn the lock is taken: it stays until the next cancellation, and hears of nothing.
    if turn.phase != nil { return deliverer.hasLeftovers.store(true, ordering: .relaxed) }
    _ = core.withLock { core in
      deliverer.hasLeftovers.exchange(false, ordering: .relaxed)
        ? core.removeCancelled() : core.remove(cancellation)
    }
  }
}

extension StoreProtocol {
  /// Calls the handler with the state: first as it is now, and then after every change, in the total order.
  ///
  /// The same as the form whose handler takes a cause too.
  @inlinable
  public func subscribe(skipFirst: Bool = false, _ handler: @escaping @Sendable (State) -> Void) -> Subscription {
    subscribe(skipFirst: skipFirst) { state, _ in handler(state) }
  }
}

extension Store.Core {
  /// What to free after unlocking.
  fileprivate typealias Removed = (
    subscribers: [Subscriber<State>], children: [Subscriber<State>], middleware: [Store.Listener]
  )

  fileprivate mutating func remove(_ cancellation: Cancellation) -> Removed {
    let nobody = { Subscriber<State>({ _, _ in }) }
    return (
      subscribers.remove(cancellation, leaving: nobody()), children.remove(cancellation, leaving: nobody()),
      middleware.remove(cancellation, leaving: Store.Listener(Nobody()))
    )
  }

  fileprivate mutating func removeCancelled() -> Removed {
    (subscribers.removeCancelled(), children.removeCancelled(), middleware.removeCancelled())
  }

  fileprivate mutating func enqueueStart(
    of subscriber: Subscriber<State>, for deliverer: Deliverer
  ) -> Delivery<State>? {
    enqueue(Delivery(state: state, cause: .start, subscribers: [subscriber]), for: deliverer)
  }
}

/// The part of the state a subscriber was last told. Only who is delivering uses it, but not always the same thread.
@usableFromInline
final class Told<Value: Sendable>: Sendable {
  @usableFromInline let value = Mutex<Value?>(nil)

  @inlinable
  init() {}
}
