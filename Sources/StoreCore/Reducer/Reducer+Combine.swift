extension Reducer {
  /// Applies several reducers to the same state and action, one after another: each sees what those before it did.
  @inlinable
  public static func combine(_ reducers: Reducer...) -> Reducer {
    combine(reducers)
  }

  /// Applies several reducers to the same state and action, one after another: each sees what those before it did.
  @inlinable
  public static func combine(_ reducers: [Reducer]) -> Reducer {
    Reducer { state, action in
      for reducer in reducers { reducer.reduce(&state, action) }
    }
  }

  /// Applies this reducer, and then another one.
  @inlinable
  public func combined(with other: Reducer) -> Reducer {
    Reducer { [reduce] state, action in
      reduce(&state, action)
      other.reduce(&state, action)
    }
  }
}
