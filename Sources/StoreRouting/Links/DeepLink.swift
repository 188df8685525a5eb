/// A place in an app as a link has it: a route, and what else the link says.
///
///     let link = try DeepLink("episodes://shows/82?sort=new%20first", base: .scheme("episodes"))
///     link.route    // /shows/82
///     link["sort"]  // new first
///     store.dispatch(.route(.goto(link.route)))
///
/// Links come from anybody, so what isn't certainly meant is an error and not a guess: see ``init(_:base:)``. Whether there
/// is such a place, and who may go there, is for the app to say.
public struct DeepLink: Sendable, Hashable {
  /// A name and a value of the query. Nil is the value of a name without an equals sign.
  public struct Item: Sendable, Hashable {
    /// What stands before the equals sign, decoded.
    public var name: String
    /// What stands after the equals sign, decoded.
    public var value: String?

    /// Makes an item of texts as they are.
    public init(_ name: String, _ value: String? = nil) {
      self.name = name
      self.value = value
    }
  }

  /// What stands before the path.
  public enum Base: Sendable, Hashable {
    /// Nothing: `/shows/82`.
    case none
    /// The scheme of an app: `episodes:///shows/82`. As many write them so, what stands where others have the host is read as
    /// the first segment: `episodes://shows/82`.
    case scheme(String)
    /// A web site: `https://example.org`.
    case origin(String)
  }

  /// The path, and before it what stands in the host's place.
  public var route: Route
  /// The query, in its order; a name may occur more than once.
  public var query: [Item]
  /// What follows the number sign.
  public var fragment: String?

  /// Makes a link of its parts.
  public init(route: Route, query: [Item] = [], fragment: String? = nil) {
    self.route = route
    self.query = query
    self.fragment = fragment
  }

  /// The value of the first item of the query with the name: nil if there is none, or it has no value.
  public subscript(name: String) -> String? {
    query.first { $0.name == name }.flatMap(\.value)
  }

  /// The link as text, percent-encoded: everything but letters and digits of ASCII, and `-._~`.
  ///
  /// Read again it is the same link, unless it has what no link can have: segments that are empty, `.` or `..`, control
  /// characters, or an item without name and value.
  public func text(base: Base = .none) -> String {
    var text =
      switch base {
      case .none: ""
      case .scheme(let scheme): scheme + "://"
      case .origin(let origin): origin
      }
    text += route.description
    if !query.isEmpty {
      text += "?"
      text += query.map { item in
        PercentEncoding.encode(item.name) + (item.value.map { "=" + PercentEncoding.encode($0) } ?? "")
      }.joined(separator: "&")
    }
    if let fragment { text += "#" + PercentEncoding.encode(fragment) }
    return text
  }
}

extension DeepLink: CustomStringConvertible {
  /// The text without a base.
  public var description: String { text() }
}
