import Synchronization

/// Says that a view has actions to drain, and wakes the driver for the first of them since it last looked.
///
/// Whoever submits raises it after the action is in the view's queue; the driver lowers it before it drains. Both are
/// exchanges of one flag, which all threads see in one order: who finds it raised is sure that the driver has yet to
/// lower it, and so to drain what was submitted by then. Who raises it wakes the driver, which goes on at once should it only
/// be about to sleep.
@usableFromInline
package final class SubmissionSignal: Sendable {
  private let isRaised = Atomic<Bool>(false)
  /// Whom to wake; nil while the driver is not there yet, and looks anyway when it comes.
  private let waker = Mutex<Waker?>(nil)

  @usableFromInline
  package init() {}

  /// Before the driver first looks.
  func attach(_ waker: Waker) { self.waker.withLock { $0 = waker } }

  @usableFromInline
  package func raise() {
    if !isRaised.exchange(true, ordering: .acquiringAndReleasing) { waker.withLock { $0 }?.wake() }
  }

  /// Whether it was raised.
  func lower() -> Bool { isRaised.exchange(false, ordering: .acquiringAndReleasing) }
}
