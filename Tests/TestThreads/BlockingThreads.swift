import Dispatch
import Glibc
import Synchronization

/// An executor whose jobs may block: it starts a thread for each job that finds none idle.
final class BlockingThreads: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    /// Threads that wait for work and have not been woken yet.
    var idle = 0
  }

  private let state = Mutex(State())
  private let work = DispatchSemaphore(value: 0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let wakesThread = state.withLock { state in
      state.jobs.append(job)
      guard state.idle > 0 else { return false }
      state.idle -= 1
      return true
    }
    if wakesThread { work.signal() } else { startThread() }
  }

  private func startThread() {
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { context in
        Unmanaged<BlockingThreads>.fromOpaque(context!).takeRetainedValue().runJobs()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    precondition(code == 0, "a test needs a thread")
    pthread_detach(thread)
  }

  private func runJobs() {
    while true {
      let job = state.withLock { state -> UnownedJob? in
        if state.jobs.isEmpty {
          state.idle += 1
          return nil
        }
        return state.jobs.removeFirst()
      }
      if let job { job.runSynchronously(on: asUnownedTaskExecutor()) } else { work.wait() }
    }
  }
}
