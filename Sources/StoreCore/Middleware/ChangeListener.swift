/// A middleware that hears of changes and leaves actions alone: `dispatch` goes past it, which costs an action nothing.
///
/// It doesn't implement ``Middleware/dispatch(_:next:)``.
package protocol ChangeListener: Middleware {}

extension Store {
  /// Those that see actions.
  @usableFromInline
  static func acting(in list: [any Middleware<State, Action>]) -> [any Middleware<State, Action>] {
    list.filter { !($0 is any ChangeListener) }
  }
}
