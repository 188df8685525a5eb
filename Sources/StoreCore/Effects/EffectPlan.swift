/// What one of the front doors of ``StateEffects`` asks for: for each state, which effects are to be running.
struct EffectPlan<State: Sendable, Action: Sendable, Part: Sendable & Equatable, ID: Sendable & Hashable, Token>:
  Sendable
where Token: Sendable & Equatable {
  /// The same in all instances.
  let name: String
  let owner: EffectOwner
  /// Whether the state says until when an effect is to run. If it doesn't, nobody can tell later whether it has run, so
  /// that nobody can take over.
  let isLasting: Bool
  /// The part of the state that decides.
  let part: @Sendable (State) -> Part
  /// Which effects it asks for. One whose token is another is another effect.
  let tokens: @Sendable (Part) -> [ID: Token]
  /// What is claimed for an effect.
  let claim: @Sendable (ID, Token) -> String
  /// Performs an effect.
  let perform: @Sendable (ID, Token, StateEffectContext<State, Action>) async -> Void

  /// The effect's token in a state, if that asks for the effect.
  func token(of id: ID, in state: State) -> Token? { tokens(part(state))[id] }
}

/// What an effect has of the store while it is being performed.
struct StateEffectContext<State: Sendable, Action: Sendable>: Sendable {
  weak let store: Store<State, Action>?
  let run: EffectRun
  /// The state as it is now; nil if it doesn't ask for the effect any more.
  let state: @Sendable () -> State?

  var send: Send<Action> { Send { [self] in store?.dispatch($0, of: run) } }

  func sleep(for delay: Duration) async throws {
    if delay > .zero { try await Dependencies.current.clock.sleep(for: delay) }
  }
}
