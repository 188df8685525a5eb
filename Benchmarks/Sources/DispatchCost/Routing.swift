import Measuring
import StoreCore
import StoreRouting

private final class Nowhere: Coordinator {
  func start(at route: Route) async {}
}

/// Where the route is a part of the state, but not what the action changes.
func routing() throws -> Topic {
  let logged = try Store(
    App(), reducer: reduce,
    middleware: [RouteLog(\.route, action: { if case .route(let action) = $0 { action } else { nil } })])
  let followed = Store(App(), reducer: reduce)
  let router = Router(followed, route: \.route, action: Action.route, root: Nowhere())
  return Topic(
    "Routing",
    [
      Subject("`RouteLog`, another change") { logged.dispatch(.add(1)) },
      Subject("`Router`, another change") { withExtendedLifetime(router) { followed.dispatch(.add(1)) } },
    ])
}
