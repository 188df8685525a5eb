/// What actions do to a state, as a value that can be composed.
///
/// A feature keeps its state, its actions and its reducer in a file of its own:
///
///     let counter = Reducer<Counter, CounterAction> { counter, action in
///       switch action {
///       case .add(let step): counter.count += step
///       case .reset: counter.count = 0
///       }
///     }
///
/// and is plugged into the app in one line:
///
///     let app = Reducer<App, AppAction>.combine(
///       counter.scope(state: \.counter, action: \.counter),
///       search.scope(state: \.search, action: \.search))
///
///     let store = Store(App(), reducer: app)
///
/// Pure: a reducer uses nothing but what it is given, so that it can be applied again. It is called like a function:
/// `app(&state, action)`.
public struct Reducer<State, Action>: Sendable {
  /// The function itself.
  public let reduce: @Sendable (inout State, Action) -> Void

  /// Makes a reducer of a function that changes the state in place.
  @inlinable
  public init(_ reduce: @escaping @Sendable (inout State, Action) -> Void) {
    self.reduce = reduce
  }

  /// Makes a reducer of a function that returns the new state: `Reducer(returning: +)`.
  ///
  /// The old state exists while the new one is made, so that an array which changes is copied; the form that changes the
  /// state in place doesn't.
  @inlinable
  public init(returning reduce: @escaping @Sendable (State, Action) -> State) {
    self.reduce = { state, action in state = reduce(state, action) }
  }

  /// Changes nothing, whatever the action.
  @inlinable
  public static var empty: Reducer {
    Reducer { _, _ in }
  }

  /// Applies an action to the state.
  @inlinable
  public func callAsFunction(_ state: inout State, _ action: Action) {
    reduce(&state, action)
  }
}

extension Reducer {
  /// Reduces the actions of one type, in a store whose `Action` is an existential: each feature has a type of its own.
  ///
  ///     protocol AppAction: Sendable {}
  ///     struct Renamed: AppAction { var title: String }
  ///
  ///     let app = Reducer<App, any AppAction>.combine(
  ///       .on(Renamed.self) { app, renamed in app.title = renamed.title },
  ///       counter.scope(state: \.counter, action: { $0 as? CounterAction }))
  ///
  /// - Parameters:
  ///   - type: The type of action to reduce; others change nothing.
  ///   - reduce: Changes the state.
  /// - Returns: a reducer of all actions.
  @inlinable
  public static func on<Specific: SendableMetatype>(
    _ type: Specific.Type, _ reduce: @escaping @Sendable (inout State, Specific) -> Void
  ) -> Reducer {
    Reducer { state, action in
      if let action = action as? Specific { reduce(&state, action) }
    }
  }
}
