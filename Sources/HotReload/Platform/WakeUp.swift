import CLinux
import Glibc

/// How a thread is woken that wakes for the sake of others.
///
/// A thread that Linux wakes may by default take the processor at once from the one that woke it, for as long as 3 ms, and does so
/// although another processor is idle: a wake-up would cost that long. A thread of the policy for batches waits for its turn. It has that
/// policy only while it sleeps, since threads that it starts, such as those of Swift's tasks, would inherit it.
package struct WakeUp: Sendable {
  /// Whether the calling thread has the usual policy; any other was chosen for it.
  private let isUsual = System.calls.sched_getscheduler(0) == SCHED_OTHER

  /// For the thread that this is called on.
  package init() {}

  /// Waits so that the calling thread, when it is woken, takes the processor from nobody. The corresponding C function is
  /// `sched_setscheduler`; where that is forbidden, the thread is woken as others are.
  package func politely<Outcome>(_ wait: () -> Outcome) -> Outcome {
    guard isUsual else { return wait() }
    set(Int32(LINUX_SCHED_BATCH))
    defer { set(SCHED_OTHER) }
    return wait()
  }

  private func set(_ policy: Int32) {
    var parameters = sched_param()
    _ = sched_setscheduler(0, policy, &parameters)
  }
}
