import StoreCore

/// What hinders a router.
public enum RoutingProblem: Sendable {
  /// What a coordinator is doing.
  public enum Step: String, Sendable {
    /// Inside of `child(for:)`.
    case child = "finding its child"
    /// Inside of `prepare(for:)`.
    case prepare = "preparing"
    /// Inside of `start(at:)`.
    case start = "starting"
    /// Inside of `show(_:)`.
    case show = "showing"
    /// Inside of `stop()`.
    case stop = "stopping"
  }

  /// A call to a coordinator hasn't returned for so long. Nothing else is shown until it does.
  case stuck(coordinator: String, step: Step, route: Route, after: Duration)
  /// A coordinator threw when it was to prepare for a route. What was shown before still is.
  case refused(coordinator: String, route: Route, error: any Error)
}

extension RoutingProblem: CustomStringConvertible {
  /// `DetailCoordinator has been preparing for /episodes/42 for 3.0 seconds, and the router waits for it`.
  public var description: String {
    switch self {
    case .stuck(let coordinator, let step, let route, let after):
      "\(coordinator) has been \(step.rawValue) for \(route) for \(after), and the router waits for it"
    case .refused(let coordinator, let route, let error):
      "\(coordinator) refused \(route): \(Readable.text(error))"
    }
  }
}
