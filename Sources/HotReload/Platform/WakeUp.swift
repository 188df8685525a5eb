import CLinux
import Glibc

/// How a thread is woken that wakes for the sake of others.
///
/// Whom Linux wakes by default may take the processor at once from whoever woke him, for as long as 3 ms, and does so although another
/// processor is idle: to wake him would take that long. A thread of the policy for batches waits for its turn. It is one only while it sleeps,
/// since threads that are started by it, such as those of Swift's tasks, would inherit that.
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
