/// A closure around the reducer: changes an action, drops it, delays it, or does something instead.
///
///     let cleaner = Interceptor<App, AppAction> { action, next in
///       if case .rename("") = action { return }  // dropped
///       next(action)
///     }
///
/// The form with the store is the plainest of the effects: whatever the world answers is dispatched as another action.
///
///     let loader = Interceptor<App, AppAction> { action, store, next in
///       next(action)
///       guard case .load(let id) = action else { return }
///       Task { [weak store] in store?.dispatch(.show(try await api.episode(id))) }
///     }
///
/// Such a one serves one store. What it holds back or starts is its own affair: neither `commit()` nor `close()` waits for it.
public final class Interceptor<State: Sendable, Action: Sendable>: Middleware {
  /// Goes on to the next middleware, and in the end to the reducer.
  public typealias Next = @Sendable (Action) -> Void

  private let intercept: @Sendable (Action, @escaping Next) -> Void
  private let store = WeakStore<State, Action>()

  /// Makes an interceptor of a closure.
  ///
  /// - Parameter intercept: Called on the thread that dispatches, with no lock held. Not calling `next` drops the action;
  ///   `next` may also be called later, from any thread, or more than once.
  public init(_ intercept: @escaping @Sendable (_ action: Action, _ next: @escaping Next) -> Void) {
    self.intercept = intercept
  }

  /// Makes an interceptor of a closure that also gets the store, to dispatch other actions, which pass through all
  /// middleware.
  ///
  /// - Parameter intercept: Called on the thread that dispatches, with no lock held. What it starts should hold the store
  ///   weakly.
  public init(
    _ intercept: @escaping @Sendable (_ action: Action, _ store: Store<State, Action>, _ next: @escaping Next) -> Void
  ) {
    self.intercept = { [store] action, next in
      // While the store is being made, actions of others that are started pass. Without one nobody hears of them.
      guard let store = store.store else { return next(action) }
      intercept(action, store, next)
    }
  }

  public func start(_ store: Store<State, Action>) {
    self.store.set(store)
  }

  public func dispatch(_ action: Action, next: @escaping Next) {
    intercept(action, next)
  }
}
