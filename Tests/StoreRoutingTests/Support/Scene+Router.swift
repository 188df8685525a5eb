import StoreCore
import StoreRouting

/// A state with a route, that may refuse to change it.
struct App: Sendable {
  var route = Route()
  var isLocked = false
}

enum Action: Sendable {
  case route(RouteAction)
  case lock
}

extension Scene {
  func makeStore(
    _ route: Route = .root, isKept: Bool = true, middleware: [any Middleware<App, Action>] = []
  ) -> Store<App, Action> {
    let reducer = Reducer<App, Action> { app, action in
      switch action {
      case .route(let action): if !app.isLocked { app.route.reduce(action) }
      case .lock: app.isLocked = true
      }
    }
    let store: Store<App, Action>
    do { store = try Store(App(route: route), reducer: reducer, middleware: middleware) } catch {
      fatalError("\(error)")
    }
    if isKept { keep(store) }
    return store
  }

  func makeRouter(
    _ store: Store<App, Action>, report: @escaping @Sendable (RoutingProblem) -> Void = { _ in }
  ) -> Router {
    Router(store, route: \.route, action: Action.route, root: Actor(self), clock: clock, report: report)
  }
}
