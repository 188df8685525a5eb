import Synchronization

/// Runs the coroutines of one simulation on the thread that asks for it, one after another, in the order in which they
/// became ready: the same seed gives the same run.
final class StepExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Performs a play on the calling thread, from beginning to end.
  static func perform<Result: Sendable>(_ play: @escaping @Sendable (StepExecutor) async -> Result) -> Result {
    let executor = StepExecutor()
    let curtain = Curtain<Result>()
    Task(executorPreference: executor) {
      let result = await play(executor)
      curtain.result.withLock { $0 = result }
    }
    executor.drain()
    guard let result = curtain.result.withLock({ $0 }) else {
      preconditionFailure("nobody in a play waits for what is outside")
    }
    return result
  }

  /// Starts a coroutine beside those that there are.
  func start(_ coroutine: @escaping () async -> Void) {
    // Everything here runs on the one thread that drains the jobs, and never at the same time.
    nonisolated(unsafe) let coroutine = coroutine
    Task(executorPreference: self) { await coroutine() }
  }

  private func drain() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  private final class Curtain<Result: Sendable>: Sendable {
    let result = Mutex<Result?>(nil)
  }
}
