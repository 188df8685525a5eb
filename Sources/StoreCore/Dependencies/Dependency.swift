/// A dependency, read from ``Dependencies/current`` when this is made, and kept.
///
///     struct Importer {
///       @Dependency(\.api) var api
///     }
///
/// So whoever makes the importer inside of ``withDependencies(from:_:operation:)`` decides what it uses, also later.
@propertyWrapper
public struct Dependency<Value: Sendable>: Sendable {
  /// The dependency, as it was when this was made.
  public let wrappedValue: Value

  /// - Parameter path: Which dependency: a property that an extension of ``Dependencies`` declares.
  public init(_ path: KeyPath<Dependencies, Value>) {
    wrappedValue = Dependencies.current[keyPath: path]
  }
}
