/// Runs an operation, and the tasks it starts, with other dependencies.
///
///     let store = withDependencies { $0.clock = clock } operation: { Store(App(), reducer: app) }
///
/// In a test, `withDependencies(from: Dependencies()) { … }` begins with nothing that anybody else has set or made.
///
/// - Parameters:
///   - base: What the operation begins with: by default those of who calls.
///   - update: Sets what is to be different.
///   - operation: What is run; it finds them as ``Dependencies/current``.
/// - Returns: what the operation returned.
/// - Throws: what the operation threw.
public func withDependencies<R, E: Error>(
  from base: Dependencies = .current, _ update: (inout Dependencies) -> Void, operation: () throws(E) -> R
) throws(E) -> R {
  var dependencies = base
  update(&dependencies)
  return try Dependencies.$current.withValue(dependencies) { Result(catching: operation) }.get()
}

/// Runs an asynchronous operation, and the tasks it starts, with other dependencies; otherwise as the synchronous form.
nonisolated(nonsending) public func withDependencies<R>(
  from base: Dependencies = .current, _ update: (inout Dependencies) -> Void,
  operation: nonisolated(nonsending) () async throws -> R
) async rethrows -> R {
  var dependencies = base
  update(&dependencies)
  return try await Dependencies.$current.withValue(dependencies, operation: operation)
}
