/// Shows one segment of a route, and has a child for the next one: coordinators form a tree, as routes do.
///
///     @MainActor final class EpisodesCoordinator: Coordinator {
///       func child(for segment: String) async -> (any Coordinator)? {
///         Int(segment).map { DetailCoordinator(episode: $0) }
///       }
///       func prepare(for route: Route) async throws { try await library.load() }
///       func start(at route: Route) async { screen.show(list) }
///       func stop() async { screen.hide(list) }
///     }
///
/// To `/episodes/42` belong the root coordinator, its child for `episodes`, and the child of that for `42`. A ``Router``
/// takes them from route to route. It makes one call at a time, each when the one before has returned, in this order:
///
/// 1. `child(for:)` and `prepare(for:)`, from the root inwards. What throws here leaves everything as it was.
/// 2. `stop()` of those that don't belong to the route any more, the innermost first.
/// 3. `start(at:)` of the new ones, the outermost first.
/// 4. `show(_:)` of the innermost, if it was there before.
///
/// What doesn't matter to a coordinator it needn't have. It may be isolated to an actor, such as the main actor, or be
/// one. A router keeps its coordinators; a coordinator that keeps the router should hold it weakly.
public protocol Coordinator: AnyObject, Sendable {
  /// What warnings call it: the name of its type, unless it says otherwise.
  var name: String { get }

  /// Who shows the next segment. Nil: this coordinator itself shows all the rest.
  func child(for segment: String) async -> (any Coordinator)?

  /// Gets ready for a route, before any of it is shown: loads what it takes, or asks somebody.
  ///
  /// Called of each coordinator that belongs to the route and whose part of it changes. Its task is cancelled when the
  /// app goes on to another route meanwhile; it should then end soon, as the other one waits.
  ///
  /// - Parameter route: What is left of the route for this coordinator and its children.
  /// - Throws: what refuses the route. It isn't shown then, and the router reports it.
  func prepare(for route: Route) async throws

  /// Shows itself, being new. The coordinators around it have been started.
  func start(at route: Route) async

  /// Shows another rest of the route: having been started before, it is the innermost one now.
  func show(_ route: Route) async

  /// Takes itself away. Its children have been stopped.
  func stop() async
}

extension Coordinator {
  public var name: String { "\(Self.self)" }
  public func child(for segment: String) async -> (any Coordinator)? { nil }
  public func prepare(for route: Route) async throws {}
  public func start(at route: Route) async {}
  public func show(_ route: Route) async {}
  public func stop() async {}
}
