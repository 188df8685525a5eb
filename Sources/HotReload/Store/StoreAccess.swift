import StoreCore

/// What a view does with its store, specialised for an app's types: otherwise each of them, and whatever is made of it, is looked up
/// anew for each change, which takes longer than the change.
@usableFromInline
struct StoreAccess<State: Sendable, Action: Sendable>: Sendable {
  /// ``StoreCore/Store/rebase(cause:_:)``.
  @usableFromInline let rebase: @Sendable (Store<State, Action>, Cause, (inout State) -> Void) -> Void
  /// ``StoreCore/Store/withState(_:)``.
  @usableFromInline let read: @Sendable (Store<State, Action>, (borrowing State) -> Void) -> Void

  /// To be made where the app's types are known.
  @inlinable
  init() {
    rebase = { store, cause, body in store.rebase(cause: cause) { state, _ in body(&state) } }
    read = { store, body in store.withState { state, _ in body(state) } }
  }
}
