/// Something that stands between `dispatch` and the reducer: a logger, a recorder, a replicator.
///
/// Each requirement has a default that does nothing, so that a middleware says only what it is about:
///
///     struct Printer<State: Sendable, Action: Sendable>: Middleware {
///       func changed(_ change: Change<State, Action>, state: borrowing State) {
///         print(change.version, change.cause)
///       }
///     }
///
/// A store owns its middleware. A middleware that keeps the store must hold it weakly, or neither is ever freed.
public protocol Middleware<State, Action>: Sendable {
  /// The state of the stores it fits.
  associatedtype State: Sendable
  /// The actions of the stores it fits.
  associatedtype Action: Sendable

  /// Begins the life of the middleware, in the order of the list given to the store.
  ///
  /// It may dispatch, rebase and start threads of its own. ``changed(_:state:)`` is called for every change from
  /// here on. An action dispatched while the middleware are being started passes through all of them.
  ///
  /// - Throws: what makes the store unusable; `Store.init` throws it on, after those started have been abandoned.
  func start(_ store: Store<State, Action>) throws

  /// Stands around the reducer: sees an action, changes it, drops it, delays it, or dispatches more.
  ///
  /// No lock is held here. Not calling `next` drops the action; `next` may also be called later, from any thread,
  /// or more than once. Once the store was closed or dropped, `next` does nothing.
  func dispatch(_ action: Action, next: @escaping @Sendable (Action) -> Void)

  /// Whether ``changed(_:state:)`` wants the state before every change, not only before a restore. Asked once, by
  /// `Store.init`.
  ///
  /// It makes the store keep a copy while reducing, so that a reducer which changes an array copies the array.
  var needsStateBefore: Bool { get }

  /// Hears of each change, in the total order, right after the reducer.
  ///
  /// The store's lock is held: be quick, and don't read the store, but the state that is passed. An action dispatched
  /// from here waits, and is dispatched before the outer `dispatch` or `rebase` returns, or, where reducers run in the
  /// background, before the next action is reduced. What that leads to in turn comes right after it, once it is through its
  /// middleware, so that a chain of such actions may be as long as you like. To rebase from here is a mistake that traps. Copying
  /// the state is allowed and makes a later reducer copy what it changes.
  func changed(_ change: Change<State, Action>, state: borrowing State)

  /// Lets go of the actions it holds back, in order, and returns when it has called `next` with them: for a middleware
  /// that delays actions.
  ///
  /// Called by `Store.commit()` before any middleware is flushed, and by `Store.close()` before actions are ignored; in
  /// the order of the list, as the actions of one may be held back by the next.
  func settle() async

  /// Waits until all that was dispatched before is safe. Called by `Store.commit()`.
  func flush() async throws

  /// Ends the life of the middleware in good order: flushes, and leaves nothing behind. Called by `Store.close()`.
  ///
  /// It may still rebase. After an error it can be called again.
  func close() async throws

  /// The last chance of a middleware that was started and not closed, as its store is freed.
  ///
  /// Weak references to the store are already nil, hence the last state is passed.
  func abandon(state: borrowing State)
}

extension Middleware {
  public func start(_ store: Store<State, Action>) throws {}

  public func dispatch(_ action: Action, next: @escaping @Sendable (Action) -> Void) {
    next(action)
  }

  public var needsStateBefore: Bool { false }

  public func changed(_ change: Change<State, Action>, state: borrowing State) {}

  public func settle() async {}

  public func flush() async throws {}

  public func close() async throws {}

  public func abandon(state: borrowing State) {}
}
