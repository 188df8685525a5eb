/// An action that takes its time: it is executed rather than reduced, and dispatches what it comes to.
///
///     struct LoadFeed: AsyncAction {
///       func execute(in context: AsyncActionContext<App, AppAction>) async throws {
///         let user = try context.state.user
///         context.dispatch(.loaded(try await context.dependencies.api.feed(of: user)))
///       }
///     }
///
///     try await store.dispatch(LoadFeed()).value
///
/// Where a type is too much, ``Thunk`` does with a closure.
public protocol AsyncAction<State, Action>: Sendable {
  /// The state of the stores it can be dispatched to.
  associatedtype State: Sendable
  /// The actions of the stores it can be dispatched to.
  associatedtype Action: Sendable
  /// What it comes to for who dispatched it.
  associatedtype Success: Sendable = Void
  /// What it can throw: `Never` for one whose `execute` doesn't.
  associatedtype Failure: Error

  /// Does the work: on the thread that dispatches it, up to where it first waits, and then on no particular one. It should end soon when its task is cancelled; whether it does or not, what
  /// it dispatches then goes nowhere.
  func execute(in context: AsyncActionContext<State, Action>) async throws(Failure) -> Success
}

/// An asynchronous action made of a closure, as an action creator returns it: what it needs is handed to that.
///
///     func loadFeed(of user: User.ID, from api: any API) -> Thunk<App, AppAction, Void, any Error> {
///       Thunk { context in context.dispatch(.loaded(try await api.feed(of: user))) }
///     }
///
///     try await store.dispatch(loadFeed(of: 7, from: api)).value
public struct Thunk<State: Sendable, Action: Sendable, Success: Sendable, Failure: Error>: AsyncAction {
  private let body: @Sendable (AsyncActionContext<State, Action>) async throws(Failure) -> Success

  /// Makes an action of a closure, which is called once for each dispatch.
  public init(_ body: @escaping @Sendable (AsyncActionContext<State, Action>) async throws(Failure) -> Success) {
    self.body = body
  }

  public func execute(in context: AsyncActionContext<State, Action>) async throws(Failure) -> Success {
    try await body(context)
  }
}
