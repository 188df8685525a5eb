/// Names a dependency, and makes the value that stands where nobody has set one.
///
///     struct APIKey: DependencyKey {
///       static func makeDefault(in dependencies: Dependencies) -> any API { LiveAPI() }
///     }
///
///     extension Dependencies {
///       var api: any API {
///         get { self[APIKey.self] }
///         set { self[APIKey.self] = newValue }
///       }
///     }
///
/// A store can be a dependency as well: make it in `makeDefault`, and each container has one of its own.
public protocol DependencyKey {
  /// What the key stands for.
  associatedtype Value: Sendable

  /// Makes the default, once in each container, when it is asked for first.
  ///
  /// - Parameter dependencies: What it may be made from; they are ``Dependencies/current`` meanwhile, too. A default that
  ///   needs itself, also in a roundabout way, traps with the names of those involved.
  /// - Returns: the value for everybody who has set none.
  static func makeDefault(in dependencies: Dependencies) -> Value
}
