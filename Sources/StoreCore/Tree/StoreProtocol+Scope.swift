extension StoreProtocol {
  /// A view of a part of the state, with actions of its own.
  ///
  ///     let counter = store.scope(state: \.counter, action: AppAction.counter)
  ///
  /// - Parameters:
  ///   - part: A key path or a closure. Called inside the lock: be quick, and don't call the store.
  ///   - embed: The action of this store that an action of the view stands for.
  /// - Returns: the view.
  @inlinable
  public func scope<Part: Sendable & Equatable, PartAction: Sendable>(
    state part: @escaping @Sendable (State) -> Part, action embed: @escaping @Sendable (PartAction) -> Action
  ) -> StoreView<Part, PartAction> {
    StoreView(
      read: { self.read(part) }, send: { self.dispatch(embed($0)) },
      selection: selection.map(part).removingDuplicates(by: ==))
  }

  /// A view of a part of the state that can't be compared, with actions of its own: every change wakes it.
  ///
  /// - Parameters:
  ///   - part: A key path or a closure. Called inside the lock: be quick, and don't call the store.
  ///   - embed: The action of this store that an action of the view stands for.
  /// - Returns: the view.
  @inlinable
  public func scope<Part: Sendable, PartAction: Sendable>(
    state part: @escaping @Sendable (State) -> Part, action embed: @escaping @Sendable (PartAction) -> Action
  ) -> StoreView<Part, PartAction> {
    StoreView(
      read: { self.read(part) }, send: { self.dispatch(embed($0)) }, selection: selection.map(part))
  }

  /// A view of a part of the state, or of what is derived from it, with the same actions.
  @inlinable
  public func map<Part: Sendable & Equatable>(
    state part: @escaping @Sendable (State) -> Part
  ) -> StoreView<Part, Action> {
    scope(state: part, action: { $0 })
  }

  /// A view of a part of the state that can't be compared, with the same actions: every change wakes it.
  @inlinable
  public func map<Part: Sendable>(state part: @escaping @Sendable (State) -> Part) -> StoreView<Part, Action> {
    scope(state: part, action: { $0 })
  }

  /// A view of the same state, with actions of its own.
  @inlinable
  public func map<PartAction: Sendable>(
    actions embed: @escaping @Sendable (PartAction) -> Action
  ) -> StoreView<State, PartAction> {
    StoreView(read: { self.read { $0 } }, send: { self.dispatch(embed($0)) }, selection: selection)
  }

  @inlinable
  func read<Part>(_ part: (State) -> Part) -> (state: Part, version: UInt64) {
    withState { state, version in (part(copy state), version) }
  }
}
