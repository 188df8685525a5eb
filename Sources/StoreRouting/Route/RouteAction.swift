import StoreCore

/// What can be done to a route. An app has one case for it among its own actions:
///
///     enum AppAction: Sendable, Codable { case route(RouteAction), rename(String) }
///
///     let app = Reducer<App, AppAction> { app, action in
///       switch action {
///       case .route(let action): app.route.reduce(action)
///       case .rename(let title): app.title = title
///       }
///     }
///
/// `pop` and `replace` say what they expect on top, and change nothing if something else is there. So a button that is
/// pressed twice goes back once, and the same step taken in two instances at once is one step.
public enum RouteAction: Sendable, Hashable {
  /// Go there, wherever that is.
  case goto(Route)
  /// The same, as it has happened on a screen already: what ``Router/setRoute(_:)`` dispatches.
  case set(Route)
  /// Go further in.
  case push(Route)
  /// Go back out of the innermost segments, if they are these; of the innermost one, whatever it is, if nil.
  case pop(Route? = nil)
  /// Replace the innermost segments, if they are these; the innermost one, whatever it is, if nil.
  case replace(Route? = nil, with: Route)
}

extension Route {
  /// Changes the route as the action says.
  public mutating func reduce(_ action: RouteAction) {
    switch action {
    case .goto(let route), .set(let route): self = route
    case .push(let route): segments += route.segments
    case .pop(let top): _ = take(top)
    case .replace(let top, let route): if take(top) { segments += route.segments }
    }
  }

  /// The same as a reducer: `Store(Route(), reducer: Route.reduce)`.
  @Sendable public static func reduce(_ route: inout Route, _ action: RouteAction) {
    route.reduce(action)
  }

  private mutating func take(_ top: Route?) -> Bool {
    guard let top else { return segments.popLast() != nil }
    guard hasSuffix(top) else { return false }
    segments.removeLast(top.segments.count)
    return true
  }
}

extension RouteAction: Codable {
  private enum Key: String, CodingKey {
    case goto, set, push, pop, replace, with
  }

  /// Reads `{"push": ["comments"]}`, `{"pop": null}`, `{"replace": ["a"], "with": ["b"]}`, …
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    if let route = try container.decodeIfPresent(Route.self, forKey: .goto) {
      self = .goto(route)
    } else if let route = try container.decodeIfPresent(Route.self, forKey: .set) {
      self = .set(route)
    } else if let route = try container.decodeIfPresent(Route.self, forKey: .push) {
      self = .push(route)
    } else if container.contains(.pop) {
      self = .pop(try container.decodeIfPresent(Route.self, forKey: .pop))
    } else if container.contains(.replace) {
      let top = try container.decodeIfPresent(Route.self, forKey: .replace)
      self = .replace(top, with: try container.decode(Route.self, forKey: .with))
    } else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "expected 'goto', 'set', 'push', 'pop' or 'replace'"))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .goto(let route): try container.encode(route, forKey: .goto)
    case .set(let route): try container.encode(route, forKey: .set)
    case .push(let route): try container.encode(route, forKey: .push)
    case .pop(let top): try container.encode(top, forKey: .pop)
    case .replace(let top, let route):
      try container.encode(top, forKey: .replace)
      try container.encode(route, forKey: .with)
    }
  }
}

extension RouteAction: CustomStringConvertible {
  /// As a log has it: `push /comments`.
  public var description: String {
    switch self {
    case .goto(let route): "goto \(route)"
    case .set(let route): "set \(route)"
    case .push(let route): "push \(route)"
    case .pop(let top): top.map { "pop \($0)" } ?? "pop"
    case .replace(let top, let route): "replace \(top.map { "\($0) " } ?? "")with \(route)"
    }
  }
}
