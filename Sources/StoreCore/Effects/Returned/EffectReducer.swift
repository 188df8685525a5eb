/// A reducer that returns effects, as a value that can be composed like a ``Reducer``.
///
/// A feature is plugged into the app in one line, its effects with it:
///
///     let searching = EffectReducer<Search, SearchAction> { search, action in
///       guard case .type(let text) = action else { return .none }
///       search.text = text
///       return .run { send in send(.found((try? await Dependencies.current.api.search(text)) ?? [])) }
///     }
///
///     let app = EffectReducer<App, AppAction>.combine(
///       searching.scope(state: \.search, action: \.search, embed: AppAction.search),
///       EffectReducer(counter.scope(state: \.counter, action: \.counter)))
///
///     let store = Store(App(), effects: app)
///
/// The ids of effects that can be cancelled are those of the whole store.
public struct EffectReducer<State, Action: Sendable>: Sendable {
  /// The function itself.
  public let reduce: @Sendable (inout State, Action) -> Effect<Action>

  /// Makes a reducer of a function that changes the state in place, and returns what is to be done besides.
  @inlinable
  public init(_ reduce: @escaping @Sendable (inout State, Action) -> Effect<Action>) {
    self.reduce = reduce
  }

  /// Makes one of a reducer without effects.
  @inlinable
  public init(_ reducer: Reducer<State, Action>) {
    reduce = { state, action in
      reducer.reduce(&state, action)
      return .none
    }
  }

  /// Applies an action to the state.
  @inlinable
  public func callAsFunction(_ state: inout State, _ action: Action) -> Effect<Action> {
    reduce(&state, action)
  }
}

extension EffectReducer {
  /// Applies several reducers to the same state and action, one after another: each sees what those before it did. Their
  /// effects are performed at a time.
  @inlinable
  public static func combine(_ reducers: EffectReducer...) -> EffectReducer {
    combine(reducers)
  }

  /// Applies several reducers to the same state and action, one after another: each sees what those before it did. Their
  /// effects are performed at a time.
  @inlinable
  public static func combine(_ reducers: [EffectReducer]) -> EffectReducer {
    EffectReducer { state, action in
      var effects: [Effect<Action>] = []
      for reducer in reducers {
        let effect = reducer.reduce(&state, action)
        if !effect.isNone { effects.append(effect) }
      }
      return effects.count == 1 ? effects[0] : effects.isEmpty ? .none : .merge(effects)
    }
  }

  /// Reduces a part of a larger state by those of the larger set of actions that mean it.
  ///
  /// The part is changed in place.
  ///
  /// - Parameters:
  ///   - part: Where the part is.
  ///   - extract: The action for the part: a key path or a closure. With nil, nothing is changed.
  ///   - embed: The action of the larger set that an action of the part's effects stands for.
  /// - Returns: a reducer of the larger state and actions.
  @inlinable
  public func scope<Whole, WholeAction: Sendable>(
    state part: WritableKeyPath<Whole, State> & Sendable,
    action extract: @escaping @Sendable (WholeAction) -> Action?,
    embed: @escaping @Sendable (Action) -> WholeAction
  ) -> EffectReducer<Whole, WholeAction> {
    EffectReducer<Whole, WholeAction> { [reduce] whole, action in
      guard let action = extract(action) else { return .none }
      return reduce(&whole[keyPath: part], action).map(embed)
    }
  }

  /// Reduces a part that isn't always there: an optional, or a case of an enum that has a settable property for it.
  ///
  /// While the part is nil, its actions change nothing and lead to nothing.
  ///
  /// - Parameters:
  ///   - part: Where the part is.
  ///   - extract: The action for the part: a key path or a closure. With nil, nothing is changed.
  ///   - embed: The action of the larger set that an action of the part's effects stands for.
  /// - Returns: a reducer of the larger state and actions.
  @inlinable
  public func scope<Whole, WholeAction: Sendable>(
    state part: WritableKeyPath<Whole, State?> & Sendable,
    action extract: @escaping @Sendable (WholeAction) -> Action?,
    embed: @escaping @Sendable (Action) -> WholeAction
  ) -> EffectReducer<Whole, WholeAction> {
    EffectReducer<Whole, WholeAction> { [reduce] whole, action in
      guard let action = extract(action), whole[keyPath: part] != nil else { return .none }
      return reduce(&whole[keyPath: part]!, action).map(embed)
    }
  }

  /// Reduces the value of one case of an enum; in the other cases, its actions change nothing and lead to nothing.
  ///
  /// The value is taken out and put back, so that an array in it is copied when it changes.
  ///
  /// - Parameters:
  ///   - value: The value of the case, or nil in the others.
  ///   - embedState: The case made of the value.
  ///   - extract: The action for the case: a key path or a closure. With nil, nothing is changed.
  ///   - embed: The action of the larger set that an action of the case's effects stands for.
  /// - Returns: a reducer of the enum and the larger set of actions.
  @inlinable
  public func scope<Whole, WholeAction: Sendable>(
    case value: @escaping @Sendable (Whole) -> State?, embedState: @escaping @Sendable (State) -> Whole,
    action extract: @escaping @Sendable (WholeAction) -> Action?, embed: @escaping @Sendable (Action) -> WholeAction
  ) -> EffectReducer<Whole, WholeAction> {
    EffectReducer<Whole, WholeAction> { [reduce] whole, action in
      guard let action = extract(action), var state = value(whole) else { return .none }
      defer { whole = embedState(state) }
      return reduce(&state, action).map(embed)
    }
  }

  /// Reduces a part of a larger state by the same actions: each feature hears all of them.
  @inlinable
  public func scope<Whole>(
    state part: WritableKeyPath<Whole, State> & Sendable
  ) -> EffectReducer<Whole, Action> {
    EffectReducer<Whole, Action> { [reduce] whole, action in reduce(&whole[keyPath: part], action) }
  }

  /// Reduces the same state by those of a larger set of actions that mean it.
  @inlinable
  public func scope<WholeAction: Sendable>(
    action extract: @escaping @Sendable (WholeAction) -> Action?, embed: @escaping @Sendable (Action) -> WholeAction
  ) -> EffectReducer<State, WholeAction> {
    EffectReducer<State, WholeAction> { [reduce] state, action in
      guard let action = extract(action) else { return .none }
      return reduce(&state, action).map(embed)
    }
  }

  /// Reduces each element of a collection by the actions that name it.
  ///
  ///     enum ListAction: Sendable {
  ///       case row(Row.ID, RowAction)
  ///
  ///       var row: (Row.ID, RowAction)? { if case .row(let id, let action) = self { (id, action) } else { nil } }
  ///     }
  ///
  ///     let list: EffectReducer<List, ListAction> =
  ///       EffectReducer(row).forEach(\.rows, action: \.row, embed: ListAction.row)
  ///
  /// An action for an element that is gone changes nothing and leads to nothing.
  ///
  /// - Parameters:
  ///   - elements: Where the elements are: an array of identifiable elements, a dictionary, or `Entities`.
  ///   - extract: The identity and the action: a key path or a closure. With nil, nothing is changed.
  ///   - embed: The action that an action of an element's effects stands for.
  /// - Returns: a reducer of the state that has the elements.
  @inlinable
  public func forEach<Whole, WholeAction: Sendable, Elements: ElementsByID & SendableMetatype>(
    _ elements: WritableKeyPath<Whole, Elements> & Sendable,
    action extract: @escaping @Sendable (WholeAction) -> (Elements.ElementID, Action)?,
    embed: @escaping @Sendable (Elements.ElementID, Action) -> WholeAction
  ) -> EffectReducer<Whole, WholeAction> where Elements.ElementByID == State, Elements.ElementID: Sendable {
    EffectReducer<Whole, WholeAction> { [reduce] whole, action in
      guard let (id, action) = extract(action) else { return .none }
      var effect = Effect<Action>.none
      whole[keyPath: elements].update(id: id) { effect = reduce(&$0, action) }
      return effect.map { embed(id, $0) }
    }
  }
}

extension Effect {
  /// Whether there is nothing to do.
  @usableFromInline
  var isNone: Bool {
    if case .none = operation { true } else { false }
  }
}

extension Store {
  /// Makes a store of a composed reducer that returns effects.
  @inlinable
  public convenience init(
    _ state: State, effects reducer: EffectReducer<State, Action>, reducing: Reducing = .onCaller
  ) {
    self.init(state, effects: reducer.reduce, reducing: reducing)
  }

  /// Makes a store of a composed reducer that returns effects, with middleware around it.
  ///
  /// - Throws: what a middleware's `start` threw. Those already started are abandoned, the last first.
  @inlinable
  public convenience init(
    _ state: State, effects reducer: EffectReducer<State, Action>, reducing: Reducing = .onCaller,
    middleware: [any Middleware<State, Action>]
  ) throws {
    try self.init(state, effects: reducer.reduce, reducing: reducing, middleware: middleware)
  }
}
