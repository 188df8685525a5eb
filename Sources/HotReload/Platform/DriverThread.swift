import CLinux
import Glibc
import Synchronization

/// A thread of our own, for work that blocks. It receives none of the process's signals but those of its own faults.
package final class DriverThread: Sendable {
  private let thread: Mutex<pthread_t?>

  /// Starts a thread. The corresponding C function is `pthread_create`.
  ///
  /// - Parameters:
  ///   - name: Shown by `top -H` and debuggers; cut to 15 bytes.
  ///   - body: The thread's work; it ends with it.
  /// - Throws: `EAGAIN` when there are too many threads.
  package init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let start = Unmanaged.passRetained(Start(body))
    var all = sigset_t()
    var former = sigset_t()
    sigfillset(&all)
    // A fault that is blocked ends the process without a word: no handler, no backtrace.
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS] { sigdelset(&all, fault) }
    // A thread inherits the mask: signals go to the threads that the app has for them.
    pthread_sigmask(SIG_SETMASK, &all, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    var thread = pthread_t()
    let code = System.calls.pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Start>.fromOpaque(context!).takeRetainedValue().body()
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw SystemError(call: "start a thread", errno: code)
    }
    var short = name
    while short.utf8.count > 15 { short.removeLast() }
    pthread_setname_np(thread, short)
    self.thread = Mutex(thread)
  }

  deinit {
    if let thread = thread.withLock({ $0 }) { pthread_detach(thread) }
  }

  /// Whether this is called on the thread itself. The corresponding C function is `pthread_equal`.
  package var isCurrent: Bool {
    thread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  /// Waits for the thread's end. Later calls return at once, and so does one from the thread itself.
  package func join() {
    let own = thread.withLock { thread -> pthread_t? in
      guard let own = thread, pthread_equal(own, pthread_self()) == 0 else { return nil }
      thread = nil
      return own
    }
    if let own { _ = System.calls.pthread_join(own, nil) }
  }

  private final class Start: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
