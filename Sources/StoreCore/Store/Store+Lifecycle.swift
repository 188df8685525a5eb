extension Store {
  /// The middleware of a type, in the order of the list, so that a library finds its own; also those in a slot.
  public func middleware<M: Middleware>(ofType type: M.Type) -> [M] {
    allMiddleware.compactMap { $0 as? M }
  }

  /// Whether actions are ignored, as ``close()`` was called.
  @usableFromInline package var isClosed: Bool { core.withLock { $0.isClosed } }

  /// Waits until all that was dispatched before is safe: lets go of actions that are held back, and calls `flush()` of every
  /// middleware, in order.
  ///
  /// - Throws: the first error, after all were asked.
  public func commit() async throws {
    var failure: (any Error)?
    for middleware in middleware { await middleware.settle() }
    await worker?.drain()
    for middleware in middleware {
      do { try await middleware.flush() } catch { failure = failure ?? error }
    }
    do { try await link?.above.commit() } catch { failure = failure ?? error }
    if let failure { throw failure }
  }

  /// Ends the life of the store in good order: cancels the effects, and calls `close()` of every middleware, the last first.
  ///
  /// Actions that are held back are let go; from then on actions are ignored. Reading and rebasing still work, but nobody hears of
  /// it: the store has let go of its effects, its subscribers and the nodes below, so that nothing of them keeps it alive.
  ///
  /// Of two calls at a time, each closes some, and may return before the other.
  ///
  /// - Throws: the first error, after all were asked. Calling it again closes those that failed.
  public func close() async throws {
    for middleware in open.withLock({ $0 }) { await middleware.settle() }
    await worker?.drain()
    core.withLock { $0.isClosed = true }
    link?.lifetime.cancel()
    // Before any middleware is closed that they may be using.
    existingRuns?.end()
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
    end()
    if let failure { throw failure }
    // Their closures may well keep the store.
    let all = core.withLock { core in
      defer { (core.subscribers, core.children, core.middleware) = (Roster(), Roster(), Roster()) }
      return (core.subscribers, core.children, core.middleware)
    }
    // Freed outside of the lock.
    withExtendedLifetime(all) {}
  }
}
