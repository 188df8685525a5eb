/// What one of the front doors of ``StateEffects`` asks for: for each state, which effects are to be running.
///
/// The doors are inlinable, so that what looks at each state is specialised for it.
@usableFromInline
struct EffectPlan<State: Sendable, Action: Sendable, Part: Sendable & Equatable, ID: Sendable & Hashable, Token>:
  Sendable
where Token: Sendable & Equatable {
  /// The same in all instances.
  @usableFromInline let name: String
  @usableFromInline let owner: EffectOwner
  /// Whether the state says until when an effect is to run. If it doesn't, nobody can tell later whether it has run, so
  /// that nobody can take over.
  @usableFromInline let isLasting: Bool
  /// The part of the state that decides.
  @usableFromInline let part: @Sendable (State) -> Part
  /// Which effects it asks for. One whose token is another is another effect.
  @usableFromInline let tokens: @Sendable (Part) -> [ID: Token]
  /// What is claimed for an effect.
  @usableFromInline let claim: @Sendable (ID, Token) -> String
  /// Performs an effect.
  @usableFromInline let perform: @Sendable (ID, Token, StateEffectContext<State, Action>) async -> Void

  @inlinable
  init(
    name: String, owner: EffectOwner, isLasting: Bool, part: @escaping @Sendable (State) -> Part,
    tokens: @escaping @Sendable (Part) -> [ID: Token], claim: @escaping @Sendable (ID, Token) -> String,
    perform: @escaping @Sendable (ID, Token, StateEffectContext<State, Action>) async -> Void
  ) {
    self.name = name
    self.owner = owner
    self.isLasting = isLasting
    self.part = part
    self.tokens = tokens
    self.claim = claim
    self.perform = perform
  }

  /// The effect's token in a state, if that asks for the effect.
  func token(of id: ID, in state: State) -> Token? { tokens(part(state))[id] }
}

/// What an effect has of the store while it is being performed.
@usableFromInline
struct StateEffectContext<State: Sendable, Action: Sendable>: Sendable {
  weak let store: Store<State, Action>?
  let run: EffectRun
  /// The state as it is now; nil if it doesn't ask for the effect any more.
  @usableFromInline let state: @Sendable () -> State?

  @usableFromInline
  var send: Send<Action> { Send { [self] in store?.dispatch($0, of: run) } }

  @usableFromInline
  func sleep(for delay: Duration) async throws {
    if delay > .zero { try await Dependencies.current.clock.sleep(for: delay) }
  }
}
