/// A middleware that wants to know which actions were dropped, as they were sent by effects that had ended.
package protocol LateActionListener<Action>: Middleware {
  /// - Parameters:
  ///   - action: The action, which nobody else hears of.
  ///   - effect: What the effect is called among those that run.
  func cameTooLate(_ action: Action, from effect: String)
}

extension Store {
  /// Dispatches an action of an effect. It is dropped if the effect is over, or is cancelled before the action is reduced.
  func dispatch(_ action: Action, of run: EffectRun) {
    if run.maySend {
      enter(action, Passage(run))?.rise()
    } else if !run.isRevoked {
      for case let listener as any LateActionListener<Action> in middleware {
        listener.cameTooLate(action, from: run.name)
      }
    }
  }

  /// Does something as soon as the store's lock has been released, in order: at once, if the caller isn't inside of it.
  func afterwards(_ body: @escaping Work) {
    if turn.phase == nil { body() } else { turn.postpone(inside: .changing, body) }
  }
}
