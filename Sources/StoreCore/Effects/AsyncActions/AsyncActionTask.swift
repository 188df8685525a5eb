/// An asynchronous action that is being executed, or has been.
///
/// Nobody needs to keep it: the action is executed to its end, or until the store is closed or freed.
public struct AsyncActionTask<Success: Sendable, Failure: Error>: Sendable {
  let run: EffectRun
  let task: Task<Result<Success, Failure>, Never>

  /// What the action came to, once it has. Whether who waits is cancelled makes no difference to it.
  ///
  /// - Throws: what the action threw.
  public var value: Success {
    get async throws(Failure) { try await task.value.get() }
  }

  /// Cancels the action's task. None of its actions begins to be reduced once this has returned.
  public func cancel() { run.cancel() }
}

extension AsyncActionTask where Failure == Never {
  /// What the action came to, once it has. Whether who waits is cancelled makes no difference to it.
  public var value: Success {
    // A property of its own, as the compiler (6.3) crashes on a read of the general one with a failure that never is.
    get async {
      switch await task.value {
      case .success(let value): value
      }
    }
  }
}
