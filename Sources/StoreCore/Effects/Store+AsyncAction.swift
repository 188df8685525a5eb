extension Store {
  /// Starts an asynchronous action, and doesn't wait for it.
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

  func start<A: AsyncAction<State, Action>>(_ action: A) -> AsyncActionTask<A.Success, A.Failure> {
    // A replay would start it again.
    if let phase = turn.phase, phase != .changing { Turn.trap("dispatch was called", inside: phase) }
    let run = EffectRun("\(A.self)")
    let context = AsyncActionContext(store: self, run: run, dependencies: dependencies)
    runs.add(run)
    let task = runs.start(run, with: dependencies) { () async -> Result<A.Success, A.Failure> in
      do throws(A.Failure) {
        return .success(try await action.execute(in: context))
      } catch {
        return .failure(error)
      }
    }
    return AsyncActionTask(run: run, task: task)
  }
}
