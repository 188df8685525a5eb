/// A middleware that leaves all to a pacer.
protocol PacedActions: Middleware {
  var pacer: any ActionPacing<Action> { get }
}

extension PacedActions {
  public func start(_ store: Store<State, Action>) {
    pacer.start(store.dependencies.clock)
  }

  public func dispatch(_ action: Action, next: @escaping @Sendable (Action) -> Void) {
    pacer.dispatch(action, next)
  }

  public func settle() async {
    await pacer.settle()
  }

  public func close() async {
    await pacer.close()
  }
}
