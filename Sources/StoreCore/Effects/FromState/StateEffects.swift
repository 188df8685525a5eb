import Synchronization

/// Runs what the state asks for: starts an effect whose token is new, and cancels one whose token is gone or another.
///
/// It hears of changes inside the store's lock, not as a subscriber. So a run is revoked in the same instant in which the
/// state no longer asks for it, and nothing of it is reduced from there on; a subscriber that is slow holds nobody up;
/// and what an action asks for is claimed before another instance can see the action.
final class StateEffects<State: Sendable, Action: Sendable, Part, ID, Token>: Middleware
where Part: Sendable & Equatable, ID: Sendable & Hashable, Token: Sendable & Equatable {
  typealias Plan = EffectPlan<State, Action, Part, ID, Token>

  private struct Entry {
    let token: Token
    /// None if it is not for this instance to run.
    let run: EffectRun?
  }

  private struct Ledger {
    var part: Part?
    var entries: [ID: Entry] = [:]
    /// This instance is the elected one as long as it has this.
    var leadership: EffectClaim?
    var isLeader = false
    var isEnded = false
  }

  private let plan: Plan
  /// Tells it from others of the same name in the store.
  private let number: (number: Int, suffix: String)
  private weak let store: Store<State, Action>?
  private let runs: EffectRuns<State, Action>
  private let claims: (any EffectClaims)?
  private let ledger = Mutex(Ledger())

  init(_ plan: Plan, store: Store<State, Action>, claims: (any EffectClaims)?) {
    self.plan = plan
    self.store = store
    self.claims = claims
    runs = store.runs
    number = runs.names.withLock { $0.take(plan.name) }
    runs.atEnd(self) { [weak self] in self?.end() }
  }

  /// Takes in the state at the beginning. Called inside the store's lock.
  func join(_ state: borrowing State) {
    if plan.owner == .elected, let claims {
      let leadership = claims.claim(plan.name + number.suffix, isOrigin: false) { [weak self] in self?.lead() }
      ledger.withLock { $0.leadership = leadership }
    }
    let state = copy state
    update(plan.part(state), .start) { [claims, plan] id, token in
      claims?.isFromElsewhere(state) { plan.token(of: id, in: $0) == token } ?? false
    }
  }

  func changed(_ change: Change<State, Action>, state: borrowing State) {
    let part = plan.part(copy state)
    // By far the most changes are of something else. Nobody but the holder of the store's lock changes the part.
    if ledger.withLock({ $0.part == part }) { return }
    update(part, change.cause.kind)
  }

  /// Cancels everything, and starts nothing any more.
  func end() {
    runs.stopListening(self)
    let (left, leadership) = ledger.withLock { ledger in
      let left = (ledger.entries.values.compactMap(\.run), ledger.leadership)
      for run in left.0 { run.revoke() }
      if !ledger.isEnded { runs.names.withLock { $0.free(number.number, number.suffix, of: plan.name) } }
      ledger = Ledger(isEnded: true)
      return left
    }
    for run in left { runs.drop(run) }
    let cancel: @Sendable () -> Void = {
      for run in left { run.cancel() }
      withExtendedLifetime(leadership) {}
    }
    if let store { store.afterwards(cancel) } else { cancel() }
  }

  private func update(
    _ part: Part, _ cause: Cause.Kind, isFromElsewhere: (ID, Token) -> Bool = { _, _ in false }
  ) {
    let (gone, new) = ledger.withLock { ledger -> ([EffectRun], [(ID, Token, EffectRun)]) in
      if ledger.isEnded { return ([], []) }
      ledger.part = part
      let tokens = plan.tokens(part)
      var gone: [ID: EffectRun] = [:]
      for (id, entry) in ledger.entries where tokens[id] != entry.token {
        ledger.entries[id] = nil
        gone[id] = entry.run
        entry.run?.revoke()
      }
      var new: [(ID, Token, EffectRun)] = []
      for (id, token) in tokens where ledger.entries[id] == nil {
        let isOurs =
          admits(cause, wasRunning: gone[id] != nil, isLeader: ledger.isLeader)
          && (plan.owner == .everyone || !isFromElsewhere(id, token))
        let run = isOurs ? EffectRun(plan.claim(id, token) + number.suffix) : nil
        ledger.entries[id] = Entry(token: token, run: run)
        if let run { new.append((id, token, run)) }
      }
      return (Array(gone.values), new)
    }
    if !gone.isEmpty { store?.afterwards { for run in gone { self.drop(run) } } }
    for (id, token, run) in new { begin(id, token, run, isOrigin: cause == .action) }
  }

  /// Whether what a change asks for is for this instance to run, now or when its turn comes.
  private func admits(_ cause: Cause.Kind, wasRunning: Bool, isLeader: Bool) -> Bool {
    let isReplicated = claims != nil
    switch (cause, plan.isLasting) {
    // An action of this instance, be it that the store has it from the one that it is a part of.
    case (.action, true), (.start, true): return true
    case (.instance, true): return plan.owner == .everyone || isReplicated
    case (.action, false): return plan.owner != .elected || isLeader || !isReplicated
    // It was asked for where it is performed: on that device.
    case (.device, _): return plan.owner == .everyone
    case (.instance, false): return plan.owner == .everyone || plan.owner == .elected && isLeader
    // The run that was on has got another number, as an action of this instance was reduced again after the edit.
    // A return to an earlier state is no reason to give up what goes on in it either.
    case (.edit, true), (.restore, true): return wasRunning
    default: return false
    }
  }

  private func begin(_ id: ID, _ token: Token, _ run: EffectRun, isOrigin: Bool) {
    runs.add(run)
    if run.isRevoked { return }
    let launch: @Sendable () -> Void = { [weak self] in self?.launch(id, token, run) }
    guard let claims, plan.owner != .everyone, plan.isLasting || plan.owner == .elected else { return launch() }
    if plan.owner == .origin {
      let surplus = run.hold(claims.claim(run.name, isOrigin: isOrigin, granted: launch))
      // Not let go of inside the store's lock.
      if let surplus { store?.afterwards { withExtendedLifetime(surplus) {} } }
      return
    }
    if let leadership = ledger.withLock({ $0.isLeader ? $0.leadership : nil }) {
      run.hold(leadership)
      launch()
    }
  }

  /// This instance has been elected: it takes over what the state asks for.
  private func lead() {
    store?.afterwards { [self] in
      let (leadership, waiting) = ledger.withLock { ledger in
        ledger.isLeader = !ledger.isEnded
        return (ledger.leadership, ledger.entries.compactMap { id, entry in entry.run.map { (id, entry.token, $0) } })
      }
      for (id, token, run) in waiting {
        if let leadership { run.hold(leadership) }
        launch(id, token, run)
      }
    }
  }

  private func launch(_ id: ID, _ token: Token, _ run: EffectRun) {
    store?.afterwards { [self] in
      guard let store, run.mayStart() else { return }
      let context = StateEffectContext(store: store, run: run) { [weak store, plan] in
        store?.withState { state, _ in plan.token(of: id, in: copy state) == token ? copy state : nil } ?? nil
      }
      runs.start(run, with: store.dependencies) { [plan] in await plan.perform(id, token, context) }
    }
  }

  private func drop(_ run: EffectRun) {
    runs.drop(run)
    run.cancel()
  }
}
