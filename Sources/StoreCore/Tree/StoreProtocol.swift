/// What a store and a view of one have in common, so that what is built for one works with the other.
public protocol StoreProtocol<State, Action>: AnyObject, Sendable {
  /// What it shows.
  associatedtype State: Sendable
  /// What can be dispatched to it.
  associatedtype Action: Sendable

  /// The state as it is now. Tracked by Observation.
  var state: State { get }

  /// Calls `body` with the state and the number of changes the store has made so far. Not tracked by Observation.
  ///
  /// A store's lock is held: be quick, and don't call the store.
  func withState<R, E: Error>(_ body: (borrowing State, _ version: UInt64) throws(E) -> R) throws(E) -> R

  /// Reduces an action into the state and tells those who listen.
  func dispatch(_ action: Action)

  /// Waits until all that was dispatched before is safe.
  ///
  /// - Throws: the first error of a middleware, after all were asked.
  func commit() async throws

  /// Those that the store was made with; its effects run with them, and those of the stores below it.
  var dependencies: Dependencies { get }

  /// Where it reduces actions; so do the stores below it, unless they are told otherwise.
  var reducing: Reducing { get }

  /// Calls the handler with the state and where it came from: first as it is now, with the cause `start`, and then after changes,
  /// in the total order.
  ///
  /// - Returns: what must be kept as long as the handler shall be called.
  func subscribe(skipFirst: Bool, _ handler: @escaping @Sendable (State, Cause) -> Void) -> Subscription

  /// The whole state, on its way to a subscriber.
  var selection: Selection<State> { get }
}

extension Store: StoreProtocol {}
