extension Store {
  /// Makes a store of a state and a composed reducer.
  @inlinable
  public convenience init(_ state: State, reducer: StoreCore.Reducer<State, Action>) {
    self.init(state, reducer: reducer.reduce)
  }

  /// Makes a store of a composed reducer, with middleware around it: the first in the list sees an action first.
  ///
  /// - Throws: what a middleware's `start` threw. Those already started are abandoned, the last first.
  @inlinable
  public convenience init(
    _ state: State, reducer: StoreCore.Reducer<State, Action>, middleware: [any Middleware<State, Action>]
  ) throws {
    try self.init(state, reducer: reducer.reduce, middleware: middleware)
  }
}
