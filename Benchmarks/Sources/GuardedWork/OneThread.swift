import Glibc
import Synchronization

/// Runs a task on the thread that waits for it, and so without the pool's threads, whose number differs from machine to machine
/// and which callgrind is not at ease with.
final class OneThread: TaskExecutor {
  private struct Queue {
    var jobs: [UnownedJob] = []
    var isDone = false
  }

  private let queue = Mutex(Queue())
  /// A pipe, as what is written to it is read by a thread that sleeps until then.
  private let (output, input): (Int32, Int32)

  init() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { fatalError("no pipe: \(errno)") }
    (output, input) = (ends[0], ends[1])
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.withLock { $0.jobs.append(job) }
    wake()
  }

  /// Runs it to its end.
  func run(_ body: @escaping @Sendable () async throws -> Void) {
    Task(executorPreference: self) {
      do { try await body() } catch { fatalError("\(error)") }
      self.queue.withLock { $0.isDone = true }
      self.wake()
    }
    while true {
      let (jobs, isDone) = queue.withLock { queue in
        defer { queue.jobs = [] }
        return (queue.jobs, queue.isDone)
      }
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      if !jobs.isEmpty { continue }
      if isDone { return }
      var byte: UInt8 = 0
      _ = read(output, &byte, 1)
    }
  }

  private func wake() {
    var byte: UInt8 = 0
    _ = write(input, &byte, 1)
  }
}
