extension Store {
  /// The middleware of a type, in the order of the list, so that a library finds its own.
  public func middleware<M: Middleware>(ofType type: M.Type) -> [M] {
    middleware.compactMap { $0 as? M }
  }

  /// Waits until all that was dispatched before is safe: `flush()` of every middleware, in order.
  ///
  /// - Throws: the first error, after all were asked.
  public func commit() async throws {
    var failure: (any Error)?
    for middleware in middleware {
      do { try await middleware.flush() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Ends the life of the store in good order: cancels the effects, and calls `close()` of every middleware, the last
  /// first.
  ///
  /// Actions are ignored from the beginning of the call; reading and rebasing still work.
  ///
  /// - Throws: the first error, after all were asked. Calling it again closes those that failed.
  public func close() async throws {
    core.withLock { $0.isClosed = true }
    endEffects()
    var failure: (any Error)?
    var failed: [any Middleware<State, Action>] = []
    while let middleware = open.withLock({ $0.popLast() }) {
      do {
        try await middleware.close()
      } catch {
        failure = failure ?? error
        failed.append(middleware)
      }
    }
    open.withLock { $0.insert(contentsOf: failed.reversed(), at: 0) }
    endSequences()
    if let failure { throw failure }
  }
}
