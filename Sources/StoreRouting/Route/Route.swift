/// Where the user is in an app, as a part of its state: a path of segments.
///
///     let route: Route = "/episodes/42/comments"
///     route.segments  // ["episodes", "42", "comments"]
///
/// It is encoded as the list of its segments, in which whole numbers stand as numbers: `["episodes", 42, "comments"]`;
/// both forms are read.
public struct Route: Sendable, Hashable {
  /// The segments from the outermost to the innermost. Empty at the root.
  public var segments: [String]

  /// Makes a route of segments as they are.
  public init(_ segments: [String] = []) {
    self.segments = segments
  }

  /// The route with nothing in it: `/`.
  public static let root = Route()

  /// Whether it is the route with nothing in it.
  public var isRoot: Bool { segments.isEmpty }

  /// Whether it begins with all segments of another one.
  public func hasPrefix(_ prefix: Route) -> Bool { segments.starts(with: prefix.segments) }

  /// Whether it ends with all segments of another one.
  public func hasSuffix(_ suffix: Route) -> Bool { segments.suffix(suffix.segments.count) == suffix.segments[...] }

  /// The route that is left without its first segments.
  public func dropFirst(_ count: Int = 1) -> Route { Route(Array(segments.dropFirst(count))) }

  /// Both routes, one inside of the other.
  public static func + (outer: Route, inner: Route) -> Route { Route(outer.segments + inner.segments) }
}

extension Route: LosslessStringConvertible {
  /// Reads a path such as `/episodes/a%2Fb`: segments are separated by slashes, and percent-encoded where that is needed.
  ///
  /// Nil, if a percent sign isn't followed by two hexadecimal digits, or what is encoded isn't UTF-8. Empty segments
  /// are left out. For links that come from outside use ``DeepLink``, which refuses more, and says why.
  public init?(_ description: String) {
    segments = []
    for part in description.split(separator: "/") {
      guard let segment = PercentEncoding.decode(part) else { return nil }
      segments.append(segment)
    }
  }

  /// The path: `/episodes/42`, or `/` at the root. Read again it is the same route, unless a segment is empty.
  public var description: String {
    "/" + segments.map(PercentEncoding.encode).joined(separator: "/")
  }
}

extension Route: ExpressibleByStringLiteral {
  /// A path: `"/episodes/42"`. Traps where ``init(_:)-(String)`` gives nil.
  public init(stringLiteral path: String) {
    guard let route = Route(path) else { preconditionFailure("'\(path)' is no route: it isn't percent-encoded right") }
    self = route
  }
}

extension Route: ExpressibleByArrayLiteral {
  /// Segments as they are: `["episodes", id]`.
  public init(arrayLiteral segments: String...) {
    self.init(segments)
  }
}

extension Route: Codable {
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    segments = []
    while !container.isAtEnd {
      if let number = try? container.decode(Int.self) {  // If it is something else, the other form says what is wrong.
        segments.append(String(number))
      } else {
        segments.append(try container.decode(String.self))
      }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for segment in segments {
      // What reads back as another text, such as `007`, is none.
      if let number = Int(segment), String(number) == segment {
        try container.encode(number)
      } else {
        try container.encode(segment)
      }
    }
  }
}
