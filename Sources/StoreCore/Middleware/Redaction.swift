/// What must not leave the program where its states and actions are reported, such as in a recording: a part of the state, or
/// of an action, stands in for another.
///
///     let recorder = Recorder<App, AppAction>(
///       "session.recording", redacting: [.state(\.query, as: "•"), .actions { if case .type = $0 { .type("•") } else { $0 } }])
///
/// The store itself never sees it. Several are applied in their order.
public struct Redaction<State: Sendable, Action: Sendable>: Sendable {
  let state: (@Sendable (inout State) -> Void)?
  let action: (@Sendable (Action) -> Action)?

  /// A part of the state is reported as another value.
  public static func state<Value: Sendable>(
    _ part: WritableKeyPath<State, Value> & Sendable, as value: Value
  ) -> Redaction {
    Redaction(state: { $0[keyPath: part] = value }, action: nil)
  }

  /// An optional part of the state is reported as the value, where there is any.
  public static func state<Value: Sendable>(
    _ part: WritableKeyPath<State, Value?> & Sendable, as value: Value
  ) -> Redaction {
    Redaction(state: { if $0[keyPath: part] != nil { $0[keyPath: part] = value } }, action: nil)
  }

  /// Actions are reported as others.
  public static func actions(_ transform: @escaping @Sendable (Action) -> Action) -> Redaction {
    Redaction(state: nil, action: transform)
  }
}

extension Array {
  /// A state as it is reported.
  package func redacted<State, Action>(_ state: consuming State) -> State where Element == Redaction<State, Action> {
    var state = state
    for redaction in self { redaction.state?(&state) }
    return state
  }

  /// An action as it is reported.
  package func redacted<State, Action>(_ action: Action) -> Action where Element == Redaction<State, Action> {
    reduce(action) { action, redaction in redaction.action?(action) ?? action }
  }
}
