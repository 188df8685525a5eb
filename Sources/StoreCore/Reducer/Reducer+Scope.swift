/// Fits the reducer of a feature into the app that has the feature's state as a part, and its actions among its own.
///
/// Swift has no key paths to the cases of an enum, so the app's actions have a property for each feature:
///
///     enum AppAction: Sendable {
///       case counter(CounterAction), search(SearchAction)
///
///       var counter: CounterAction? { if case .counter(let action) = self { action } else { nil } }
///     }
extension Reducer {
  /// Reduces a part of a larger state by those of the larger set of actions that mean it.
  ///
  /// The part is changed in place.
  ///
  ///     let app: Reducer<App, AppAction> = counter.scope(state: \.counter, action: \.counter)
  ///
  /// - Parameters:
  ///   - part: Where the part is.
  ///   - extract: The action for the part: a key path or a closure. With nil, nothing is changed.
  /// - Returns: a reducer of the larger state and actions.
  @inlinable
  public func scope<Whole, WholeAction>(
    state part: WritableKeyPath<Whole, State> & Sendable,
    action extract: @escaping @Sendable (WholeAction) -> Action?
  ) -> Reducer<Whole, WholeAction> {
    Reducer<Whole, WholeAction> { [reduce] whole, action in
      if let action = extract(action) { reduce(&whole[keyPath: part], action) }
    }
  }

  /// Reduces a part that isn't always there: an optional, or a case of an enum that has a settable property for it.
  ///
  /// The part is changed in place, and while it is nil, its actions change nothing: what arrives late for a sheet that
  /// was closed meanwhile does no harm.
  ///
  /// - Parameters:
  ///   - part: Where the part is.
  ///   - extract: The action for the part: a key path or a closure. With nil, nothing is changed.
  /// - Returns: a reducer of the larger state and actions.
  @inlinable
  public func scope<Whole, WholeAction>(
    state part: WritableKeyPath<Whole, State?> & Sendable,
    action extract: @escaping @Sendable (WholeAction) -> Action?
  ) -> Reducer<Whole, WholeAction> {
    Reducer<Whole, WholeAction> { [reduce] whole, action in
      guard let action = extract(action), whole[keyPath: part] != nil else { return }
      reduce(&whole[keyPath: part]!, action)
    }
  }

  /// Reduces the value of one case of an enum; in the other cases, its actions change nothing.
  ///
  ///     enum Screen: Sendable {
  ///       case list(List), detail(Detail)
  ///
  ///       var detail: Detail? { if case .detail(let detail) = self { detail } else { nil } }
  ///     }
  ///
  ///     let screen: Reducer<Screen, ScreenAction> = detail.scope(case: \.detail, embed: Screen.detail, action: \.detail)
  ///
  /// The value is taken out and put back, so that an array in it is copied when it changes.
  ///
  /// - Parameters:
  ///   - value: The value of the case, or nil in the others.
  ///   - embed: The case made of the value.
  ///   - extract: The action for the case: a key path or a closure. With nil, nothing is changed.
  /// - Returns: a reducer of the enum and the larger set of actions.
  @inlinable
  public func scope<Whole, WholeAction>(
    case value: @escaping @Sendable (Whole) -> State?, embed: @escaping @Sendable (State) -> Whole,
    action extract: @escaping @Sendable (WholeAction) -> Action?
  ) -> Reducer<Whole, WholeAction> {
    Reducer<Whole, WholeAction> { [reduce] whole, action in
      guard let action = extract(action), var state = value(whole) else { return }
      reduce(&state, action)
      whole = embed(state)
    }
  }

  /// Reduces a part of a larger state by the same actions: each feature hears all of them.
  @inlinable
  public func scope<Whole>(state part: WritableKeyPath<Whole, State> & Sendable) -> Reducer<Whole, Action> {
    Reducer<Whole, Action> { [reduce] whole, action in reduce(&whole[keyPath: part], action) }
  }

  /// Reduces the same state by those of a larger set of actions that mean it.
  @inlinable
  public func scope<WholeAction>(
    action extract: @escaping @Sendable (WholeAction) -> Action?
  ) -> Reducer<State, WholeAction> {
    Reducer<State, WholeAction> { [reduce] state, action in
      if let action = extract(action) { reduce(&state, action) }
    }
  }
}
