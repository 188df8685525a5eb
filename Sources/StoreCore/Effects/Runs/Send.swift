/// What an effect sends its actions with.
///
///     let effect = Effect<AppAction>.run { send in send(.loaded(Feed())) }
///
/// Callable from any thread until the effect has ended. What is sent by an effect that was cancelled goes nowhere, also
/// if it was sent before and had not been reduced by then.
public struct Send<Action: Sendable>: Sendable {
  private let body: @Sendable (Action) -> Void

  init(_ body: @escaping @Sendable (Action) -> Void) {
    self.body = body
  }

  /// Dispatches an action, unless the effect has ended or was cancelled.
  public func callAsFunction(_ action: Action) { body(action) }

  func map<Part>(_ transform: @escaping @Sendable (Part) -> Action) -> Send<Part> {
    Send<Part> { self(transform($0)) }
  }
}
