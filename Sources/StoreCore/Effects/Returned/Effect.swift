/// What a reducer wants done besides: work that takes its time and comes back as actions.
///
///     let store = Store(Search()) { search, action -> Effect<SearchAction> in
///       switch action {
///       case .type(let text):
///         search.text = text
///         return .run { send in
///           send(.found(try await Dependencies.current.api.search(text)))
///         } catch: { error in
///           .failed("\(error)")
///         }
///         .cancellable(id: "search", cancelInFlight: true)
///       case .found(let results): search.results = results
///       case .failed(let message): search.message = message
///       }
///       return .none
///     }
///
/// An effect is a description; the store performs it once the action has been reduced, and only in the instance where it
/// was dispatched: where a replay or a rebase reduces the action again, what the reducer returns is dropped.
public struct Effect<Action: Sendable>: Sendable {
  @usableFromInline
  enum Operation: Sendable {
    case none
    case run(@Sendable (Send<Action>) async -> Void)
    case send(Action)
    case cancel(EffectID)
    case group(EffectGroup<Action>)
  }

  @usableFromInline let operation: Operation

  init(_ operation: Operation) {
    self.operation = operation
  }

  /// Nothing to do.
  public static var none: Effect { Effect(.none) }

  /// Runs a task, on no particular thread. It should end soon when it is cancelled; whether it does or not, what it sends
  /// then goes nowhere.
  public static func run(_ operation: @escaping @Sendable (_ send: Send<Action>) async -> Void) -> Effect {
    Effect(.run(operation))
  }

  /// Runs a task that may throw; what it throws becomes an action, unless it was cancelled or throws that something was: a
  /// `CancellationError` is the end of it.
  public static func run(
    _ operation: @escaping @Sendable (_ send: Send<Action>) async throws -> Void,
    catch failure: @escaping @Sendable (any Error) -> Action
  ) -> Effect {
    run { send in
      do { try await operation(send) } catch is CancellationError {} catch { send(failure(error)) }
    }
  }

  /// Dispatches an action, right after the one that was reduced.
  public static func send(_ action: Action) -> Effect { Effect(.send(action)) }

  /// Cancels what is running with this id. Nothing of it is reduced after the action that led to this.
  public static func cancel(id: some Hashable & Sendable) -> Effect { Effect(.cancel(EffectID(id))) }

  /// All at a time.
  public static func merge(_ effects: Effect...) -> Effect { merge(effects) }

  /// All at a time.
  public static func merge(_ effects: some Sequence<Effect>) -> Effect {
    Effect(.group(EffectGroup(.merged, effects.map(\.operation))))
  }

  /// One after another.
  public static func concatenate(_ effects: Effect...) -> Effect { concatenate(effects) }

  /// One after another.
  public static func concatenate(_ effects: some Sequence<Effect>) -> Effect {
    Effect(.group(EffectGroup(.concatenated, effects.map(\.operation))))
  }

  /// Gives what is running a name to cancel it by. Any number of effects may share one.
  ///
  /// - Parameters:
  ///   - id: The name, in the whole store.
  ///   - cancelInFlight: Whether those that are running with this id are cancelled first: only the newest runs.
  /// - Returns: the effect that can be cancelled.
  public func cancellable(id: some Hashable & Sendable, cancelInFlight: Bool = false) -> Effect {
    Effect(.group(EffectGroup(.cancellable(EffectID(id), cancelInFlight: cancelInFlight), [operation])))
  }

  /// The same effect of another type of actions, such as those of the feature around.
  public func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> Effect<Other> {
    Effect<Other>(operation.map(transform))
  }
}
