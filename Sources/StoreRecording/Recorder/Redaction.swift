/// What a recording must not tell: a part of the state, or of an action, stands in for another.
///
///     let recorder = Recorder<App, AppAction>(
///       "session.recording", redacting: [.state(\.token, as: ""), .actions { $0.isLogin ? .login("") : $0 }])
///
/// A replay starts from what was recorded, and so a reducer never sees what was left out.
public struct Redaction<State: Sendable, Action: Sendable>: Sendable {
  let state: (@Sendable (inout State) -> Void)?
  let action: (@Sendable (Action) -> Action)?

  /// A part of the state is recorded as another value.
  public static func state<Value: Sendable>(
    _ part: WritableKeyPath<State, Value> & Sendable, as value: Value
  ) -> Redaction {
    Redaction(state: { $0[keyPath: part] = value }, action: nil)
  }

  /// An optional part of the state is recorded as the value, where there is any.
  public static func state<Value: Sendable>(
    _ part: WritableKeyPath<State, Value?> & Sendable, as value: Value
  ) -> Redaction {
    Redaction(state: { if $0[keyPath: part] != nil { $0[keyPath: part] = value } }, action: nil)
  }

  /// Actions are recorded as others.
  public static func actions(_ transform: @escaping @Sendable (Action) -> Action) -> Redaction {
    Redaction(state: nil, action: transform)
  }
}
