/// A middleware that passes actions on to another store, where they are still those of the effect that sent them.
protocol SendsUp<Action>: Sendable {
  associatedtype Action: Sendable

  func dispatch(_ action: Action, of run: EffectRun, next: @escaping @Sendable (Action) -> Void)
}

extension Store {
  /// Dispatches an action of an effect. It is dropped if the effect is over, or is cancelled before the action is reduced.
  func dispatch(_ action: Action, of run: EffectRun) {
    if run.maySend { pass(action, of: run) }
  }

  /// Takes in what an effect has dispatched, here or in a store below: it may be over by now.
  func pass(_ action: Action, of run: EffectRun) {
    if let phase = turn.phase { return turn.postpone(inside: phase) { self.send(action, of: run) } }
    send(action, of: run)
  }

  /// Sends the action through the middleware. They are chained for it alone: however late one of them passes it on, it is
  /// known at the end of the chain whose it is, and what nobody's effect dispatches costs nothing more.
  @usableFromInline
  func send(_ action: Action, of run: EffectRun) {
    var chain: @Sendable (Action) -> Void = { [weak self] in self?.reduce($0, of: run) }
    // Once a store above has reduced it this one does so as well, even if its effect ends by that.
    var rest: @Sendable (Action) -> Void = { [weak self] in self?.reduce($0) }
    for middleware in middleware.reversed() {
      let (next, last) = (chain, rest)
      if let link = middleware as? any SendsUp<Action> {
        chain = { link.dispatch($0, of: run, next: last) }
      } else {
        chain = { middleware.dispatch($0, next: next) }
      }
      rest = { middleware.dispatch($0, next: last) }
    }
    chain(action)
  }

  @usableFromInline
  func reduce(_ action: Action, of run: EffectRun) {
    if let phase = turn.phase { return turn.postpone(inside: phase) { self.reduce(action, of: run) } }
    change(.reducing, action: action, cause: .action) { state in
      if run.isRevoked { return false }
      reducer(&state, action)
      return true
    }
  }

  /// Does something as soon as the store's lock has been released, in order. Called from inside of `changed`.
  func afterwards(_ body: @escaping @Sendable () -> Void) {
    if let phase = turn.phase { turn.postpone(inside: phase, body) } else { body() }
  }
}
