extension Store {
  /// Makes a store of a state and a composed reducer; the rest is as with a reducer that is a function.
  @inlinable
  public convenience init(_ state: State, reducer: StoreCore.Reducer<State, Action>, reducing: Reducing = .onCaller) {
    self.init(state, reducer: reducer.reduce, reducing: reducing)
  }

  /// Makes a store of a composed reducer with middleware around it; the rest is as with a reducer that is a function.
  ///
  /// - Throws: what a middleware's `start` threw. Those already started are abandoned, the last first.
  @inlinable
  public convenience init(
    _ state: State, reducer: StoreCore.Reducer<State, Action>, reducing: Reducing = .onCaller,
    middleware: [any Middleware<State, Action>]
  ) throws {
    try self.init(state, reducer: reducer.reduce, reducing: reducing, middleware: middleware)
  }
}
