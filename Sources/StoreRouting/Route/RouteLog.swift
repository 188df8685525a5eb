import StoreCore
import Synchronization

/// A middleware that remembers the last routes of a store, and where each came from: for a bug report, or a test.
///
///     let log = RouteLog<App, AppAction>(\.route, action: { if case .route(let action) = $0 { action } else { nil } })
///     let store = try Store(App(), reducer: app, middleware: [log])
///     print(log)
///     // 0 start: /
///     // 3 action push /episodes: /episodes   (the router, or a button)
///     // 5 action set /: /                    (the user went back on the screen)
///     // 6 action: /welcome                   (the reducer, at some other action)
///     // 7 edit: /episodes/42
///
/// It hears of every route, in the total order, also of those that a router skips.
public final class RouteLog<State: Sendable, Action: Sendable>: Middleware {
  /// One change of the route.
  public struct Entry: Sendable, Hashable, CustomStringConvertible {
    /// How many changes the state had seen, with this one.
    public let version: UInt64
    /// Where the change came from.
    public let cause: Cause
    /// What was done to the route; nil where some other action led there, or none.
    public let action: RouteAction?
    /// The route from then on.
    public let route: Route

    /// `3 action push /episodes: /episodes`.
    public var description: String { "\(version) \(cause)\(action.map { " \($0)" } ?? ""): \(route)" }
  }

  private let limit: Int
  private let select: @Sendable (State) -> Route
  private let extract: @Sendable (Action) -> RouteAction?
  private let kept = Mutex<[Entry]>([])

  /// Makes a log.
  ///
  /// - Parameters:
  ///   - route: Where in the state the route is: a key path or a closure, called inside the store's lock.
  ///   - action: What an action does to the route: a key path or a closure. With nil, it is about something else.
  ///   - limit: How many entries are kept: the newest.
  public init(
    _ route: @escaping @Sendable (State) -> Route, action: @escaping @Sendable (Action) -> RouteAction?,
    limit: Int = 100
  ) {
    precondition(limit > 0, "a route log keeps at least one entry")
    select = route
    extract = action
    self.limit = limit
  }

  /// What is remembered, the oldest first.
  public var entries: [Entry] { kept.withLock { $0 } }

  public func start(_ store: Store<State, Action>) {
    let (route, version) = store.withState { (select(copy $0), $1) }
    note(Entry(version: version, cause: .start, action: nil, route: route))
  }

  public func changed(_ change: Change<State, Action>, state: borrowing State) {
    let action = change.action.flatMap(extract)
    note(Entry(version: change.version, cause: change.cause, action: action, route: select(copy state)))
  }

  private func note(_ entry: Entry) {
    kept.withLock { kept in
      if let last = kept.last, last.route == entry.route || last.version > entry.version { return }
      kept.append(entry)
      if kept.count > limit { kept.removeFirst(kept.count - limit) }
    }
  }
}

extension RouteLog: CustomStringConvertible {
  /// A line for each entry.
  public var description: String { entries.map(\.description).joined(separator: "\n") }
}
