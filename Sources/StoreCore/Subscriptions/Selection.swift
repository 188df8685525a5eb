/// A part of the state, and the steps it passes through on its way to a subscriber.
///
///     let subscription = store.select(\.search.query)
///       .debounce(for: .milliseconds(300))
///       .only(where: { !$0.isEmpty })
///       .subscribe { query, cause in print(query) }
///
/// A value: it may be kept, extended, and subscribed to any number of times; each subscription starts anew. Values come
/// to a subscriber one at a time and in the total order, with the cause of the change they are from.
///
/// ``debounce(for:clock:)``, ``throttle(for:clock:)``, ``present(priority:_:)`` and ``deliver(on:)`` hand the values on
/// from another thread; the other steps and the subscriber run on the thread that delivers. When the store is closed or
/// freed, what waits in a step is passed on without waiting longer.
public struct Selection<Value: Sendable>: Sendable {
  @usableFromInline let attach: @Sendable (Lifetime, Sink<Value>) -> Void
  @usableFromInline let store: any AnyStore

  @inlinable
  init(
    of store: any AnyStore,
    _ attach: @escaping @Sendable (Lifetime, Sink<Value>) -> Void
  ) {
    self.store = store
    self.attach = attach
  }
}

extension Selection {
  /// Calls the handler with the value as it is now, with the cause `start`, and then whenever another one comes.
  ///
  /// Without a step that moves to another thread, the first call is made before this returns, unless another thread, or a
  /// subscriber further up the stack, is delivering. No lock is held; the handler may dispatch, subscribe and cancel.
  ///
  /// - Parameter handler: Called by one thread at a time.
  /// - Returns: what must be kept as long as the handler shall be called.
  @inlinable
  public func subscribe(_ handler: @escaping @Sendable (Value, Cause) -> Void) -> Subscription {
    let lifetime = Lifetime()
    attach(lifetime, Selection.sink(lifetime, handler))
    return Subscription { lifetime.cancel() }
  }

  /// Calls the handler with the value as it is now, and then whenever another one comes.
  @inlinable
  public func subscribe(_ handler: @escaping @Sendable (Value) -> Void) -> Subscription {
    subscribe { value, _ in handler(value) }
  }

  /// Calls the handler for as long as the owner lives, which is not kept alive for it.
  ///
  ///     store.select(\.counter).subscribe(owner: label) { label, counter, cause in label.write("\(counter)") }
  ///
  /// The subscription ends by itself, at the first change of the store that finds no owner; what is returned need not be
  /// kept.
  ///
  /// - Parameters:
  ///   - owner: Whose life bounds the subscription.
  ///   - handler: Called with the owner, by one thread at a time.
  /// - Returns: a means to end it before.
  @inlinable
  @discardableResult
  public func subscribe<Owner: AnyObject & Sendable>(
    owner: Owner, _ handler: @escaping @Sendable (Owner, Value, Cause) -> Void
  ) -> Subscription {
    let lifetime = Lifetime { [weak owner] in owner != nil }
    let sink = Selection.sink(lifetime) { [weak owner] value, cause in
      if let owner { handler(owner, value, cause) }
    }
    attach(lifetime, sink)
    return Subscription(endsWhenFreed: false) { lifetime.cancel() }
  }

  /// Calls the handler for as long as the owner lives, which is not kept alive for it.
  @inlinable
  @discardableResult
  public func subscribe<Owner: AnyObject & Sendable>(
    owner: Owner, _ handler: @escaping @Sendable (Owner, Value) -> Void
  ) -> Subscription {
    subscribe(owner: owner) { owner, value, _ in handler(owner, value) }
  }

  /// The value as it is now, and then the newest one whenever there is another.
  ///
  ///     for await query in store.select(\.query).debounce(for: .seconds(1)).values { print(query) }
  ///
  /// Nothing queues up: a slow consumer misses values in between, but never the last, and never holds up the store. The
  /// sequence doesn't keep the store alive, and ends, after the last value, when the store is closed or freed. Each
  /// sequence is for one loop: ask again for another.
  public var values: AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let lifetime = Lifetime()
    continuation.onTermination = { _ in lifetime.cancel() }
    attach(lifetime, Sink(receive: { value, _ in continuation.yield(value) }, end: { continuation.finish() }))
    return stream
  }

  @inlinable
  static func sink(_ lifetime: Lifetime, _ handler: @escaping @Sendable (Value, Cause) -> Void) -> Sink<Value> {
    Sink(receive: { value, cause in if !lifetime.isCancelled { handler(value, cause) } }, end: {})
  }
}

extension Store {
  /// The whole state, on its way to a subscriber: as it is now, and then after every change.
  @inlinable
  public var selection: Selection<State> {
    Selection(of: self) { lifetime, sink in
      let receive: @Sendable (State, Cause) -> Void = { if lifetime.goesOn() { sink.receive($0, $1) } }
      let subscription =
        lifetime.isInTurns
        ? self.attach(node: Subscriber(receive))
        : self.attach(Subscriber(receive) { _, _ in sink.end() }, skipFirst: false)
      lifetime.onCancel { subscription.cancel() }
    }
  }
}
