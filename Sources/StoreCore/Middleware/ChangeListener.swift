/// A middleware that hears of changes and leaves actions alone: `dispatch` goes past it, which costs an action nothing.
///
/// It doesn't implement ``Middleware/dispatch(_:next:)``.
package protocol ChangeListener<State, Action>: Middleware {
  /// Takes the place of ``Middleware/changed(_:state:)`` for those changes that an action made, if it isn't nil. Asked once.
  ///
  /// A closure that is made where the app's types are known is specialised for them, and what is reached through `any
  /// Middleware` isn't: that spends most of its time in finding out which types it is for.
  var record: (@Sendable (Action) -> Void)? { get }
}

extension ChangeListener {
  package var record: (@Sendable (Action) -> Void)? { nil }
}

/// A middleware that does nothing.
struct Nobody<State: Sendable, Action: Sendable>: ChangeListener {}

extension Store {
  /// Those that see actions.
  @usableFromInline
  static func acting(in list: [any Middleware<State, Action>]) -> [any Middleware<State, Action>] {
    list.filter { !($0 is any ChangeListener) }
  }

  @usableFromInline
  static func record(of middleware: any Middleware<State, Action>) -> (@Sendable (Action) -> Void)? {
    (middleware as? any ChangeListener<State, Action>)?.record
  }
}
