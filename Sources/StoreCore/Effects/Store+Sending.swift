extension Store {
  /// Dispatches an action of an effect. It is dropped if the effect is over, or is cancelled before the action is reduced.
  func dispatch(_ action: Action, of run: EffectRun) {
    if run.maySend { enter(action, Passage(run))?.takeAll() }
  }

  /// Does something as soon as the store's lock has been released, in order: at once, if the caller isn't inside of it.
  func afterwards(_ body: @escaping Work) {
    if turn.phase == nil { body() } else { turn.postpone(inside: .changing, body) }
  }
}
