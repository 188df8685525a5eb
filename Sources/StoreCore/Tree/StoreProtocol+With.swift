extension StoreProtocol {
  /// Makes a store below this one, with a state of its own beside this one's.
  ///
  ///     let sheet = root.with(Sheet()) { (sheet: inout Sheet, action: AppAction) in sheet.reduce(action) }
  ///     sheet.dispatch(.sheet(.open(42)))
  ///     sheet.state.parent  // the state of the root, which has reduced the action first
  ///     sheet.state.local   // what the sheet's reducer made of it
  ///
  /// An action dispatched here goes up first, all the way to the root, which reduces it; then the stores on its way do, each after
  /// the one above. It doesn't go down to other stores, but the state does: whenever this store's changes, that of those below
  /// follows, with the same cause. All of that is one change of the whole tree, under one lock and in one total order: each store
  /// hears of an action once, and in no state that it is told do parent and child disagree. So a middleware's `changed` and a
  /// reducer may use no other store of the tree.
  ///
  /// Middleware see an action in each store that it comes through on its way up. What one of them drops or holds back, the stores
  /// below reduce at once all the same, as if it had ended there: so a screen shows what is typed while the app waits for a pause. A node reduces where the store above does.
  ///
  /// The node is a store like any other: it has its own middleware, effects and subscribers, may have nodes below it, and keeps the
  /// store above alive, but not the other way round. Its dependencies are those of the store above, which its `commit()` commits as
  /// well. When it is closed it ignores actions, also for those above.
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
    node(local, reducer.reduce, embed, nil, [])
  }

  /// Makes a store below this one, with middleware of its own: they see an action before it goes up.
  ///
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
  /// - Parameters:
  ///   - local: The node's own state.
  ///   - reducer: What actions do to the node's own state.
  ///   - embed: This store's action that goes up, or nil if an action stays below.
  ///   - reducing: Where that is done; nil is where the store above does it, which keeps the order.
  ///   - middleware: Those around the node's reducer.
  /// - Returns: the node.
  /// - Throws: what a middleware's `start` threw. Those already started are abandoned, the last first.
  @inlinable
  public func with<Local: Sendable, LocalAction: Sendable>(
    _ local: Local, reducer: Reducer<Local, LocalAction>, action embed: @escaping @Sendable (LocalAction) -> Action?,
    reducing: Reducing? = nil, middleware: [any Middleware<NodeState<State, Local>, LocalAction>]
  ) throws -> Store<NodeState<State, Local>, LocalAction> {
    try node(local, reducer.reduce, embed, reducing, middleware).started()
  }

  /// Makes a store below this one, whose reducer returns effects.
  ///
  ///     let sheet = root.with(Sheet(), effects: sheetEffects, action: AppAction.sheet)
  @inlinable
  public func with<Local: Sendable, LocalAction: Sendable>(
    _ local: Local, effects reducer: EffectReducer<Local, LocalAction>,
    action embed: @escaping @Sendable (LocalAction) -> Action?
  ) -> Store<NodeState<State, Local>, LocalAction> {
    node(local, reducer, embed, nil, [])
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
  /// - Throws: what a middleware's `start` threw. Those already started are abandoned, the last first.
  @inlinable
  public func with<Local: Sendable, LocalAction: Sendable>(
    _ local: Local, effects reducer: EffectReducer<Local, LocalAction>,
    action embed: @escaping @Sendable (LocalAction) -> Action?, reducing: Reducing? = nil,
    middleware: [any Middleware<NodeState<State, Local>, LocalAction>]
  ) throws -> Store<NodeState<State, Local>, LocalAction> {
    try node(local, reducer, embed, reducing, middleware).started()
  }

  @inlinable
  func node<Local: Sendable, LocalAction: Sendable>(
    _ local: Local, _ reducer: EffectReducer<Local, LocalAction>, _ embed: @escaping @Sendable (LocalAction) -> Action?,
    _ reducing: Reducing?, _ middleware: [any Middleware<NodeState<State, Local>, LocalAction>]
  ) -> Store<NodeState<State, Local>, LocalAction> {
    let returned = ReturnedEffects<NodeState<State, Local>, LocalAction>()
    let reduce = reducer.reduce
    let node = node(local, { returned.take(reduce(&$0, $1)) }, embed, reducing, middleware)
    node.attach(returned)
    return node
  }

  @inlinable
  func node<Local: Sendable, LocalAction: Sendable>(
    _ local: Local, _ reducer: @escaping @Sendable (inout Local, LocalAction) -> Void,
    _ embed: @escaping @Sendable (LocalAction) -> Action?, _ reducing: Reducing?,
    _ middleware: [any Middleware<NodeState<State, Local>, LocalAction>]
  ) -> Store<NodeState<State, Local>, LocalAction> {
    let (selection, above) = (selection, self.reducing)
    let root = selection.store.root
    root.turn.refuse("with was called")
    let inbox = NodeInbox<State, Local, LocalAction>(root.turn)
    let lifetime = Lifetime(isInTurns: true)
    selection.attach(lifetime, Sink(receive: { state, _ in inbox.receive(parent: state) }, end: {}))
    // It reduces before the stores above do, which then come in a turn of their own.
    let isAhead = reducing?.isOnCaller == true && !above.isOnCaller
    let link = ParentLink<NodeState<State, Local>, LocalAction>(
      self, root: root, reducing: reducing ?? above, lifetime: lifetime,
      rise: { node, action, passage in
        let embedded = embed(action)
        if let embedded, !isAhead {
          return Passage(passage?.run, below: passage, to: { self.enter(embedded, $0) }) {
            inbox.receive(action: action, below: $0)
          }
        }
        if let embedded { self.enter(embedded, passage.map { Passage($0.run) })?.rise() }
        node.reduce(action, passage)
        return nil
      })
    return inbox.join(root) { parent in
      withDependencies(from: dependencies, { _ in }) {
        Store(
          NodeState(parent: parent, local: local), { node, action in reducer(&node.local, action) }, middleware, link,
          reducing ?? .onCaller)
      }
    }
  }
}
