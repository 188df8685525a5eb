extension StoreProtocol {
  /// A view of a part of the state, with actions of its own.
  ///
  ///     let counter = store.scope(state: \.counter, action: AppAction.counter)
  ///     let download = store.scope(
  ///       state: { app in app.downloads.first { $0.id == 7 } }, action: { AppAction.download(7, $0) })
  ///
  /// A view of an element is nil when that is gone, and isn't woken by the others.
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
      of: self, read: { self.read(part) }, send: { self.take(embed($0), of: $1) },
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
      of: self, read: { self.read(part) }, send: { self.take(embed($0), of: $1) }, selection: selection.map(part))
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
    StoreView(
      of: self, read: { self.read { $0 } }, send: { self.take(embed($0), of: $1) }, selection: selection)
  }

  /// Takes in an action, be it one that an effect of a store below has dispatched.
  @inlinable
  func take(_ action: Action, of run: EffectRun?) {
    if let run { pass(action, of: run) } else { dispatch(action) }
  }

  /// Takes in what an effect of a store below has dispatched: it may be over by now.
  @usableFromInline
  func pass(_ action: Action, of run: EffectRun) {
    switch self {
    case let store as Store<State, Action>: store.pass(action, of: run)
    case let view as StoreView<State, Action>: view.send(action, run)
    default: dispatch(action)
    }
  }

  @inlinable
  func read<Part>(_ part: (State) -> Part) -> (state: Part, version: UInt64) {
    withState { state, version in (part(copy state), version) }
  }
}
