extension Store {
  /// Starts an asynchronous action, and doesn't wait for it.
  ///
  /// Its part up to the first wait is done on this thread, before this returns. So actions that several dispatch there are reduced in the
  /// order in which those were started. From a middleware's `changed` that part is put off, as any dispatch is.
  ///
  /// It doesn't go through the middleware, which are about actions of the app: those that it dispatches do.
  ///
  /// Callable from anywhere but a reducer. It is cancelled when the store is closed or freed. One that is started after
  /// the store was closed is executed in a cancelled task.
  ///
  /// - Returns: what to wait for it with, or to cancel it. As it may throw, somebody should look.
  public func dispatch<A: AsyncAction<State, Action>>(_ action: A) -> AsyncActionTask<A.Success, A.Failure> {
    start(action)
  }

  /// Starts an asynchronous action that throws nothing, and doesn't wait for it.
  @discardableResult
  public func dispatch<A: AsyncAction<State, Action>>(
    _ action: A
  ) -> AsyncActionTask<A.Success, Never> where A.Failure == Never {
    start(action)
  }

  private func start<A: AsyncAction<State, Action>>(_ action: A) -> AsyncActionTask<A.Success, A.Failure> {
    let run = EffectRun("\(A.self)")
    let context = AsyncActionContext<State, Action>(
      read: { [weak self] in self?.withState { state, _ in copy state } },
      send: { [weak self] in self?.dispatch($0, of: run) }, dependencies: dependencies)
    return AsyncActionTask(run: run, task: host(run) { await action.outcome(in: context) })
  }
}

extension StoreView {
  /// Starts an asynchronous action of the view's state and actions, and doesn't wait for it; otherwise as one of the store.
  public func dispatch<A: AsyncAction<State, Action>>(_ action: A) -> AsyncActionTask<A.Success, A.Failure> {
    start(action)
  }

  /// Starts an asynchronous action that throws nothing, and doesn't wait for it.
  @discardableResult
  public func dispatch<A: AsyncAction<State, Action>>(
    _ action: A
  ) -> AsyncActionTask<A.Success, Never> where A.Failure == Never {
    start(action)
  }

  private func start<A: AsyncAction<State, Action>>(_ action: A) -> AsyncActionTask<A.Success, A.Failure> {
    let run = EffectRun("\(A.self)")
    let context = AsyncActionContext<State, Action>(
      read: { [read] in read().state }, send: { [enter] in if run.maySend { enter($0, Passage(run))?.rise() } },
      dependencies: dependencies)
    return AsyncActionTask(run: run, task: host(run) { await action.outcome(in: context) })
  }
}

extension AsyncAction {
  fileprivate func outcome(in context: AsyncActionContext<State, Action>) async -> Result<Success, Failure> {
    do throws(Failure) {
      return .success(try await execute(in: context))
    } catch {
      return .failure(error)
    }
  }
}

/// A store, or a view that leads to one, on whose list an asynchronous action runs.
protocol AsyncActionHost: Sendable {
  func host<R: Sendable>(_ run: EffectRun, _ body: @escaping @Sendable () async -> R) -> Task<R, Never>
}

extension Store: AsyncActionHost {
  func host<R: Sendable>(_ run: EffectRun, _ body: @escaping @Sendable () async -> R) -> Task<R, Never> {
    let runs = runs
    runs.add(run)
    guard let phase = turn.phase else { return runs.start(run, with: dependencies, isAtOnce: true, body) }
    let (started, task) = AsyncStream.makeStream(of: Task<R, Never>.self)
    // A reducer must not: a replay would start it again.
    turn.postpone(inside: phase) { [dependencies] in
      task.yield(runs.start(run, with: dependencies, isAtOnce: true, body))
    }
    return Task {
      for await task in started { return await task.value }
      preconditionFailure("what was put off inside of a turn was not done")
    }
  }
}

extension StoreView: AsyncActionHost {
  func host<R: Sendable>(_ run: EffectRun, _ body: @escaping @Sendable () async -> R) -> Task<R, Never> {
    guard let base = base as? any AsyncActionHost else {
      preconditionFailure("a view is of a store, or of another view")
    }
    return base.host(run, body)
  }
}
