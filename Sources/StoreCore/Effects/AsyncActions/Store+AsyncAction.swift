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
    return execute(action, as: run, in: context)
  }

  @usableFromInline
  func execute<A: AsyncAction>(
    _ action: A, as run: EffectRun, in context: AsyncActionContext<A.State, A.Action>
  ) -> AsyncActionTask<A.Success, A.Failure> {
    let runs = runs
    runs.add(run)
    let start: @Sendable () -> Task<Result<A.Success, A.Failure>, Never> = { [dependencies] in
      runs.start(run, with: dependencies, isAtOnce: true) {
        do throws(A.Failure) {
          return .success(try await action.execute(in: context))
        } catch {
          return .failure(error)
        }
      }
    }
    guard let phase = turn.phase else { return AsyncActionTask(run: run, task: start()) }
    let (started, task) = AsyncStream.makeStream(of: Task<Result<A.Success, A.Failure>, Never>.self)
    // A reducer must not: a replay would start it again.
    turn.postpone(inside: phase) { task.yield(start()) }
    let outcome = Task {
      for await task in started { return await task.value }
      preconditionFailure("what was put off inside of a turn was not done")
    }
    return AsyncActionTask(run: run, task: outcome)
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
    guard let base = base as? any AnyStore else { preconditionFailure("a view is of a store, or of another view") }
    return base.execute(action, as: run, in: context)
  }
}
