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
    view(part, { $0.removingDuplicates(by: ==) }, embed)
  }

  /// A view of a part of the state that can't be compared, with actions of its own: every change wakes it.
  @inlinable
  public func scope<Part: Sendable, PartAction: Sendable>(
    state part: @escaping @Sendable (State) -> Part, action embed: @escaping @Sendable (PartAction) -> Action
  ) -> StoreView<Part, PartAction> {
    view(part, { $0 }, embed)
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
    view({ $0 }, { $0 }, embed)
  }

  @inlinable
  func view<Part: Sendable, PartAction: Sendable>(
    _ part: @escaping @Sendable (State) -> Part, _ select: (Selection<Part>) -> Selection<Part>,
    _ embed: @escaping @Sendable (PartAction) -> Action
  ) -> StoreView<Part, PartAction> {
    let this = self as? StoreView<State, Action>
    let depth = (this?.depth ?? 0) + 1
    if let this, depth > 64 {
      // What is read, and what is dispatched, goes through each view in turn. A node keeps its part of the state, and ends that.
      let node = with((), reducer: { _, _ in })
      return StoreView(
        of: this.base, depth: 1, read: { node.withState { (part($0.parent), $1) } },
        enter: { node.enter(embed($0), $1) }, selection: select(node.selection.map { part($0.parent) }))
    }
    return StoreView(
      of: this?.base ?? self, depth: depth, read: { self.withState { (part(copy $0), $1) } },
      enter: { self.enter(embed($0), $1) },
      selection: select(selection.map(part)))
  }
}
