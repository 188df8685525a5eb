import Glibc

/// A thread of a simulated process: a real one, which runs only while it has the baton.
package final class SimulatedThread {
  struct Wait {
    let deadline: UInt64
    let condition: () -> Bool
  }

  package let process: SimulatedProcess
  let scheduler: Scheduler
  let baton = Semaphore()
  /// What it waits for; nil while it could go on.
  var wait: Wait?
  var hasEnded = false
  /// The real thread.
  private(set) var identity = pthread_t()
  private var body: (() -> Void)?

  init(in process: SimulatedProcess, on scheduler: Scheduler, _ body: @escaping () -> Void) {
    (self.process, self.scheduler, self.body) = (process, scheduler, body)
  }

  // MARK: The one that calls

  // Made once, and never changed.
  private static let slot: pthread_key_t = {
    var key = pthread_key_t()
    guard pthread_key_create(&key, nil) == 0 else { fatalError("the process has no thread-specific keys left") }
    return key
  }()

  /// The simulated thread that this is called on; nil on any other.
  static var current: SimulatedThread? {
    pthread_getspecific(slot).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  /// Ends the calling thread's part for good, without leaving where it is: nothing is cleaned up, as when a process is killed.
  static func park() -> Never {
    while true { pause() }
  }

  // MARK: Its life

  func launch() {
    let start = Unmanaged.passRetained(self)
    let code = pthread_create(
      &identity, nil,
      { context in
        let thread = Unmanaged<SimulatedThread>.fromOpaque(context!).takeRetainedValue()
        pthread_setspecific(SimulatedThread.slot, Unmanaged.passUnretained(thread).toOpaque())
        thread.baton.wait()
        thread.body?()
        thread.body = nil
        // What goes away with the body may still close what it had open.
        pthread_setspecific(SimulatedThread.slot, nil)
        thread.scheduler.retire(thread)
        return nil
      }, start.toOpaque())
    guard code == 0 else { fatalError("no thread can be started: error \(code)") }
  }
}

/// A count that threads wait for. The corresponding C type is `sem_t`.
final class Semaphore {
  private let raw = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(raw, 0, 0) }

  deinit {
    sem_destroy(raw)
    raw.deallocate()
  }

  func post() { sem_post(raw) }

  func wait() {
    while sem_wait(raw) != 0 {}
  }
}

extension SimulatedThread {
  /// Has the calling thread wait until a condition holds, or until a time has come; what the condition looks at is changed by others
  /// that run.
  ///
  /// - Returns: Whether it holds.
  @discardableResult
  package static func wait(until deadline: UInt64 = .max, for condition: @escaping () -> Bool) -> Bool {
    guard let current else { preconditionFailure("this is no thread of a simulated process") }
    return condition() || current.scheduler.wait(current, until: deadline, for: condition)
  }
}
