extension Store {
  /// Performs an effect whenever its state says so.
  ///
  ///     store.effect(\.loading, action: AppAction.loading) { state, send in
  ///       send(.loaded(try await Dependencies.current.api.feed(of: state.user)))
  ///     }
  ///
  ///     store.dispatch(.loading(.run))
  ///
  /// To return is to succeed. What it throws leads to the next attempt, after the backoff, or to failure. When the state
  /// says no longer that it is running, by whatever action, its task is cancelled, and nothing that it sends is reduced.
  ///
  /// - Parameters:
  ///   - part: Where its state is; called inside the lock: be quick, and don't call the store.
  ///   - action: The app's action for those on the effect's state.
  ///   - owner: Which of the instances that share the state performs it.
  ///   - id: Names the effect among the instances. By default it is the place in the source, so that only instances of
  ///     one version of the program agree about it. Several of one name, as a loop makes them, are numbered in the order
  ///     in which the store gets them, which must then be the same in all instances.
  ///   - claims: Settles with other instances who performs it; by default the first middleware that can, when the effect
  ///     is given. What isn't mirrored needs the `owner` ``EffectOwner/local``.
  ///   - fileID: The place in the source.
  ///   - line: The place in the source.
  ///   - operation: Performs it, with the state at the beginning of the attempt.
  /// - Returns: what ends it all before the store ends.
  @inlinable
  @discardableResult
  public func effect(
    _ part: @escaping @Sendable (State) -> EffectState, action: @escaping @Sendable (EffectAction) -> Action,
    owner: EffectOwner = .origin, id: String? = nil, claims: (any EffectClaims)? = nil, fileID: String = #fileID,
    line: Int = #line, _ operation: @escaping @Sendable (_ state: State, _ send: Send<Action>) async throws -> Void
  ) -> EffectRegistration {
    let name = id ?? "\(fileID):\(line)"
    return run(
      EffectPlan(
        name: name, owner: owner, isLasting: true, part: { part($0).current },
        tokens: { attempt in attempt.map { [0: $0] } ?? [:] }, claim: { "\(name) \($1)" },
        perform: { _, attempt, context in
          await context.attempt(
            attempt, action: action, delay: { part($0).delay }, operation: { try await operation($0, context.send) })
        }), claims)
  }

  /// Performs an effect for each element of a collection whose effect state says so; otherwise as that of a single state.
  ///
  ///     store.effect(collection: \.downloads, state: \.effect, action: AppAction.download) { download, send in
  ///       send(.downloaded(download.id, try await Dependencies.current.api.data(of: download.url)))
  ///     }
  ///
  /// Elements are told apart by their `id`, whose text must be the same in all instances. The collection is looked through
  /// after each change that it is different after.
  @inlinable
  @discardableResult
  public func effect<Elements: Collection>(
    collection elements: @escaping @Sendable (State) -> Elements,
    state part: @escaping @Sendable (Elements.Element) -> EffectState,
    action: @escaping @Sendable (Elements.Element.ID, EffectAction) -> Action, owner: EffectOwner = .origin,
    id: String? = nil, claims: (any EffectClaims)? = nil, fileID: String = #fileID, line: Int = #line,
    _ operation: @escaping @Sendable (_ element: Elements.Element, _ send: Send<Action>) async throws -> Void
  ) -> EffectRegistration
  where Elements: Sendable, Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable {
    let name = id ?? "\(fileID):\(line)"
    let element: @Sendable (State, Elements.Element.ID) -> Elements.Element? = { state, id in
      elements(state).first { $0.id == id }
    }
    return run(
      EffectPlan(
        name: name, owner: owner, isLasting: true,
        part: { state in
          var attempts: [Elements.Element.ID: EffectState.Attempt] = [:]
          // Of elements with the same id, the first counts.
          for element in elements(state) where attempts[element.id] == nil {
            attempts[element.id] = part(element).current
          }
          return attempts
        }, tokens: { $0 }, claim: { "\(name) \($0) \($1)" },
        perform: { id, attempt, context in
          await context.attempt(
            attempt, action: { action(id, $0) }, delay: { element($0, id).map { part($0).delay } ?? .zero },
            operation: { state in
              if let element = element(state, id) { try await operation(element, context.send) }
            })
        }), claims)
  }

  /// Performs an effect while a part of the state is true.
  ///
  ///     store.effect(toggle: \.isPlaying) { state, send in
  ///       for await _ in Dependencies.current.ticks { send(.tick) }
  ///     }
  ///
  /// It is cancelled when the part is false. If it ends before, it isn't started again.
  @inlinable
  @discardableResult
  public func effect(
    toggle part: @escaping @Sendable (State) -> Bool, owner: EffectOwner = .origin, id: String? = nil,
    claims: (any EffectClaims)? = nil, fileID: String = #fileID, line: Int = #line,
    _ operation: @escaping @Sendable (_ state: State, _ send: Send<Action>) async -> Void
  ) -> EffectRegistration {
    let name = id ?? "\(fileID):\(line)"
    return run(
      EffectPlan(
        name: name, owner: owner, isLasting: true, part: part, tokens: { $0 ? [0: true] : [:] },
        claim: { _, _ in name },
        perform: { _, _, context in
          if let state = context.state() { await operation(state, context.send) }
        }), claims)
  }

  /// Performs an effect when a part of the state becomes another.
  ///
  ///     store.effect(onChange: \.query, after: .milliseconds(300)) { query, send in
  ///       send(.found((try? await Dependencies.current.api.search(query)) ?? []))
  ///     }
  ///
  /// It is cancelled by the next change. The state doesn't tell whether it has been performed, so nobody takes over from
  /// an instance that dies, and one that joins performs nothing.
  ///
  /// - Parameters:
  ///   - part: What to look at; called inside the lock: be quick, and don't call the store.
  ///   - delay: How long the part must stay the same before, by the store's clock.
  ///   - owner: Which of the instances that share the state performs it.
  ///   - id: Names the effect among the instances; see the effect of a single state.
  ///   - claims: Settles with other instances who performs it; by default the first middleware that can.
  ///   - fileID: The place in the source.
  ///   - line: The place in the source.
  ///   - operation: Performs it, with what the part has become.
  /// - Returns: what ends it all before the store ends.
  @inlinable
  @discardableResult
  public func effect<Value: Sendable & Equatable>(
    onChange part: @escaping @Sendable (State) -> Value, after delay: Duration = .zero, owner: EffectOwner = .origin,
    id: String? = nil, claims: (any EffectClaims)? = nil, fileID: String = #fileID, line: Int = #line,
    _ operation: @escaping @Sendable (_ value: Value, _ send: Send<Action>) async -> Void
  ) -> EffectRegistration {
    let name = id ?? "\(fileID):\(line)"
    return run(
      EffectPlan(
        name: name, owner: owner, isLasting: false, part: part, tokens: { [0: $0] }, claim: { _, _ in name },
        perform: { _, value, context in
          // It throws only if it is cancelled.
          guard (try? await context.sleep(for: delay)) != nil else { return }
          await operation(value, context.send)
        }), claims)
  }

  /// What settles with other instances who performs an effect.
  private var replicator: (any EffectClaims)? {
    allMiddleware.lazy.compactMap { $0 as? any EffectClaims }.first
  }

  @usableFromInline
  func run<Part, ID, Token>(
    _ plan: EffectPlan<State, Action, Part, ID, Token>, _ claims: (any EffectClaims)?
  ) -> EffectRegistration {
    turn.refuse("effect was called")
    // Nobody else knows of what is local.
    let claims = plan.owner == .local ? nil : claims ?? replicator
    let effects = StateEffects(plan, store: self, claims: claims)
    let cancellation = Cancellation()
    // In one turn, so that no change comes in between.
    takeTurn(.changing) { core in
      core.middleware.add(Listener(effects), cancellation)
      effects.join(core.state)
    }
    return EffectRegistration { [weak self, weak effects] in
      guard let effects, cancellation.cancel() else { return }
      self?.remove(cancellation)
      effects.end()
    }
  }
}

extension StateEffectContext {
  /// Makes an attempt, and dispatches what came of it.
  @usableFromInline
  func attempt(
    _ attempt: EffectState.Attempt, action: @Sendable (EffectAction) -> Action, delay: (State) -> Duration,
    operation: (State) async throws -> Void
  ) async {
    do {
      guard let state = state() else { return }
      try await sleep(for: delay(state))
      // Meanwhile the rest of the state may have changed.
      guard let state = self.state() else { return }
      try await operation(state)
      send(action(.succeed(of: attempt)))
    } catch is CancellationError {
      // If it was cancelled by the state, or with the store, this goes nowhere.
      send(action(.cancel(of: attempt)))
    } catch {
      send(action(.retryOrFail(with: "\(error)", of: attempt)))
    }
  }
}
