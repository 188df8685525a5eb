/// What an asynchronous action has of the store. It doesn't keep the store alive; that of a view does, as a view keeps its
/// store.
///
/// Another asynchronous action is executed as a part of this one by `try await action.execute(in: context)`.
public struct AsyncActionContext<State: Sendable, Action: Sendable>: Sendable {
  let read: @Sendable () -> State?
  let send: @Sendable (Action) -> Void

  /// Those that the store was made with; they are ``Dependencies/current`` as well.
  public let dependencies: Dependencies

  /// The state as it is now.
  ///
  /// - Throws: `CancellationError` if there is no store any more.
  public var state: State {
    get throws(CancellationError) {
      guard let state = read() else { throw CancellationError() }
      return state
    }
  }

  /// Dispatches an action, as ``Store/dispatch(_:)-(Action)`` does, unless this was cancelled: no action of one that was
  /// cancelled is reduced after the cancellation, nor is one that is dispatched after the end.
  public func dispatch(_ action: Action) {
    send(action)
  }
}
