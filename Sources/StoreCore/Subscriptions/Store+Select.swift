extension StoreProtocol {
  /// A part of the state, on its way to a subscriber: as it is now, and then whenever it is another.
  ///
  ///     let subscription = store.select(\.counter).subscribe { counter in print(counter) }
  ///
  /// - Parameter part: A key path or a closure, called after unlocking, once a change.
  /// - Returns: what steps may be added to, and what may be subscribed to.
  @inlinable
  public func select<Part: Sendable & Equatable>(
    _ part: @escaping @Sendable (State) -> Part
  ) -> Selection<Part> {
    selection.map(part).removingDuplicates(by: ==)
  }

  /// A part of the state that can't be compared: as it is now, and then after every change.
  ///
  /// Add `removingDuplicates(by:)` to say when it is worth passing on.
  ///
  /// - Parameter part: A key path or a closure, called after unlocking, once a change.
  /// - Returns: what steps may be added to, and what may be subscribed to.
  @inlinable
  public func select<Part: Sendable>(_ part: @escaping @Sendable (State) -> Part) -> Selection<Part> {
    selection.map(part)
  }

  /// What a selector derives from the state: as it is now, and then whenever it is another.
  @inlinable
  public func select<Value: Sendable & Equatable>(_ selector: Selector<State, Value>) -> Selection<Value> {
    select(selector.derive)
  }

  /// What a selector derives from the state: as it is now, and then after every change.
  @inlinable
  public func select<Value: Sendable>(_ selector: Selector<State, Value>) -> Selection<Value> {
    select(selector.derive)
  }
}

extension StoreProtocol {
  /// Calls the handler with the state for as long as the owner lives, which is not kept alive for it: first as it is now,
  /// with the cause `start`, and then after changes.
  ///
  ///     store.subscribe(owner: label) { label, state, cause in label.write("\(state.count)") }
  ///
  /// - Parameters:
  ///   - owner: Whose life bounds the subscription.
  ///   - handler: Called with the owner, by one thread at a time.
  /// - Returns: a means to end it before; it need not be kept.
  @inlinable
  @discardableResult
  public func subscribe<Owner: AnyObject & Sendable>(
    owner: Owner, _ handler: @escaping @Sendable (Owner, State, Cause) -> Void
  ) -> Subscription {
    selection.subscribe(owner: owner, handler)
  }

  /// Calls the handler with the state for as long as the owner lives, which is not kept alive for it.
  @inlinable
  @discardableResult
  public func subscribe<Owner: AnyObject & Sendable>(
    owner: Owner, _ handler: @escaping @Sendable (Owner, State) -> Void
  ) -> Subscription {
    selection.subscribe(owner: owner, handler)
  }
}
