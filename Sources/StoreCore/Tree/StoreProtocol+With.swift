extension StoreProtocol {
  /// Makes a store below this one, with a state of its own beside this one's.
  ///
  ///     let sheet = root.with(Sheet()) { (sheet: inout Sheet, action: AppAction) in sheet.reduce(action) }
  ///     sheet.dispatch(.sheet(.open(42)))
  ///     sheet.state.parent  // the state of the root, which has reduced the action first
  ///     sheet.state.local   // what the sheet's reducer made of it
  ///
  /// An action dispatched here goes up first, all the way to the root; then this store reduces it. It doesn't go down to
  /// other stores, but the state does: whenever this store's changes, that of those below follows, with the same cause.
  /// Subscribers of the node so hear of one action twice, once for the parent's state and once for its own. As any
  /// subscriber does, a node hears of the parent's change before the dispatch returns, unless another thread is delivering.
  /// A node reduces where the store above does, and so after it.
  /// Each store has its own total order: of two actions that are dispatched at the same time, or one by a subscriber of the
  /// other, the root may reduce one first, and the node the other.
  ///
  /// The node is a store like any other: it has its own middleware, effects and subscribers, may have nodes below it, and
  /// keeps the store above alive, but not the other way round. Its dependencies are those of the store above, which its
  /// `commit()` commits as well. When it is closed it ignores actions, also for those above.
  ///
  /// - Parameters:
  ///   - local: The node's own state.
  ///   - reducer: What actions do to the node's own state.
  /// - Returns: the node.
  @inlinable
  public func with<Local: Sendable>(
    _ local: Local, reducer: @escaping @Sendable (inout Local, Action) -> Void
  ) -> Store<NodeState<State, Local>, Action> {
    with(local, reducer: Reducer(reducer), action: { $0 })
  }

  /// Makes a store below this one, with a state of its own beside this one's.
  @inlinable
  public func with<Local: Sendable>(
    _ local: Local, reducer: Reducer<Local, Action>
  ) -> Store<NodeState<State, Local>, Action> {
    with(local, reducer: reducer, action: { $0 })
  }

  /// Makes a store below this one, with a state and actions of its own.
  ///
  ///     let sheet = root.with(Sheet(), reducer: sheetReducer, action: AppAction.sheet)
  ///
  /// - Parameters:
  ///   - local: The node's own state.
  ///   - reducer: What actions do to the node's own state.
  ///   - embed: This store's action that goes up, or nil if an action stays below.
  /// - Returns: the node.
  @inlinable
  public func with<Local: Sendable, LocalAction: Sendable>(
    _ local: Local, reducer: Reducer<Local, LocalAction>, action embed: @escaping @Sendable (LocalAction) -> Action?
  ) -> Store<NodeState<State, Local>, LocalAction> {
    do {
      return try with(local, reducer: reducer, action: embed, middleware: [])
    } catch {
      fatalError("no middleware threw, and yet: \(error)")
    }
  }

  /// Makes a store below this one, with middleware of its own: they see an action before it goes up.
  ///
  /// - Parameters:
  ///   - local: The node's own state.
  ///   - reducer: What actions do to the node's own state.
  ///   - reducing: Where that is done; nil is where the store above does it, which keeps the order.
  ///   - middleware: Those around the node's reducer.
  /// - Returns: the node.
  /// - Throws: what a middleware's `start` threw. Those already started are abandoned, the last first.
  @inlinable
  public func with<Local: Sendable>(
    _ local: Local, reducer: Reducer<Local, Action>, reducing: Reducing? = nil,
    middleware: [any Middleware<NodeState<State, Local>, Action>]
  ) throws -> Store<NodeState<State, Local>, Action> {
    try with(local, reducer: reducer, action: { $0 }, reducing: reducing, middleware: middleware)
  }

  /// Makes a store below this one, with actions and middleware of its own: they see an action before it goes up.
  ///
  ///     let sheet = try root.with(
  ///       Sheet(), reducer: sheetReducer, action: AppAction.sheet, reducing: .inBackground(), middleware: [])
  ///
  /// - Throws: what a middleware's `start` threw. Those already started are abandoned, the last first.
  @inlinable
  public func with<Local: Sendable, LocalAction: Sendable>(
    _ local: Local, reducer: Reducer<Local, LocalAction>, action embed: @escaping @Sendable (LocalAction) -> Action?,
    reducing: Reducing? = nil, middleware: [any Middleware<NodeState<State, Local>, LocalAction>]
  ) throws -> Store<NodeState<State, Local>, LocalAction> {
    let link = ParentLink<State, Local, LocalAction>(self, embed)
    let reduce = reducer.reduce
    return try withDependencies(from: dependencies, { _ in }) {
      try Store(
        NodeState(parent: link.initial, local: local), reducer: { node, action in reduce(&node.local, action) },
        reducing: reducing ?? self.reducing, middleware: middleware + [link])
    }
  }

  /// Makes a store below this one, whose reducer returns effects.
  ///
  ///     let sheet = root.with(Sheet(), effects: sheetEffects, action: AppAction.sheet)
  ///
  /// - Parameters:
  ///   - local: The node's own state.
  ///   - reducer: What actions do to the node's own state, and what is to be done besides.
  ///   - embed: This store's action that goes up, or nil if an action stays below.
  /// - Returns: the node.
  @inlinable
  public func with<Local: Sendable, LocalAction: Sendable>(
    _ local: Local, effects reducer: EffectReducer<Local, LocalAction>,
    action embed: @escaping @Sendable (LocalAction) -> Action?
  ) -> Store<NodeState<State, Local>, LocalAction> {
    do {
      return try with(local, effects: reducer, action: embed, middleware: [])
    } catch {
      fatalError("no middleware threw, and yet: \(error)")
    }
  }

  /// Makes a store below this one, whose reducer returns effects.
  @inlinable
  public func with<Local: Sendable>(
    _ local: Local, effects reducer: EffectReducer<Local, Action>
  ) -> Store<NodeState<State, Local>, Action> {
    with(local, effects: reducer, action: { $0 })
  }

  /// Makes a store below this one, whose reducer returns effects, with middleware of its own.
  ///
  /// - Parameters:
  ///   - local: The node's own state.
  ///   - reducer: What actions do to the node's own state, and what is to be done besides.
  ///   - embed: This store's action that goes up, or nil if an action stays below.
  ///   - reducing: Where that is done; nil is where the store above does it, which keeps the order.
  ///   - middleware: Those around the node's reducer: they see an action before it goes up.
  /// - Returns: the node.
  /// - Throws: what a middleware's `start` threw. Those already started are abandoned, the last first.
  @inlinable
  public func with<Local: Sendable, LocalAction: Sendable>(
    _ local: Local, effects reducer: EffectReducer<Local, LocalAction>,
    action embed: @escaping @Sendable (LocalAction) -> Action?, reducing: Reducing? = nil,
    middleware: [any Middleware<NodeState<State, Local>, LocalAction>]
  ) throws -> Store<NodeState<State, Local>, LocalAction> {
    let link = ParentLink<State, Local, LocalAction>(self, embed)
    let reduce = reducer.reduce
    return try withDependencies(from: dependencies, { _ in }) {
      try Store(
        NodeState(parent: link.initial, local: local), effects: { node, action in reduce(&node.local, action) },
        reducing: reducing ?? self.reducing, middleware: middleware + [link])
    }
  }
}
