import CLinux
import Glibc
import Synchronization

/// Wakes a thread that waits in `Poller`, from any thread, any number of times.
///
/// To wake one that is awake is no more than a flag, if that thread says when it is about to wait: see ``prepareToWait()``.
package final class Waker: Sendable {
  private let descriptor: FileDescriptor
  /// Changed in one step each, so that all threads see the changes in one order, and what was done before.
  private let state = Atomic<UInt8>(0)

  /// It was woken since it was last reset.
  private static let isWoken: UInt8 = 1
  /// Its thread looks whether it was, before it waits.
  private static let isAwake: UInt8 = 2

  /// The corresponding C function is `eventfd`.
  package init() throws(SystemError) {
    let raw = try SystemError.check("eventfd") { System.calls.eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
    descriptor = FileDescriptor(owning: raw, path: "eventfd")
  }

  /// What to wait for in `Poller`.
  package var rawDescriptor: Int32 { descriptor.rawValue }

  /// Makes the waiting thread go on; one that isn't waiting goes on at once when it comes to wait.
  package func wake() {
    guard state.bitwiseOr(Self.isWoken, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
    var one: UInt64 = 1
    // Only fails when 2⁶⁴ − 2 wakes are unread, and then the thread wakes anyway.
    _ = System.calls.write(descriptor.rawValue, &one, 8)
  }

  /// Forgets all wakes so far. Call it before looking at what one was woken for.
  package func reset() {
    // In this order: a wake in between is one of those so far. The other way round it would be taken off the descriptor and stay
    // in the flag, so that no later one was written.
    empty()
    _ = state.exchange(0, ordering: .acquiringAndReleasing)
  }

  // MARK: For the thread that waits, where it tells when

  /// Whether it was woken since it last waited.
  package var isWoken: Bool { state.load(ordering: .acquiring) & Self.isWoken != 0 }

  /// To be called before waiting in `Poller`.
  ///
  /// - Returns: Whether to wait; not if it was woken already. Either way call ``awake(isReadable:)`` next.
  func prepareToWait() -> Bool {
    state.bitwiseAnd(~Self.isAwake, ordering: .acquiringAndReleasing).oldValue & Self.isWoken == 0
  }

  /// Forgets all wakes so far, and from now on has them not written. Call it before looking at what one was woken for.
  ///
  /// - Parameter isReadable: Whether `Poller` has found that the descriptor can be read, as it stays until it is.
  func awake(isReadable: Bool) {
    _ = state.exchange(Self.isAwake, ordering: .acquiringAndReleasing)
    if isReadable { empty() }
  }

  private func empty() {
    var count: UInt64 = 0
    _ = System.calls.read(descriptor.rawValue, &count, 8)
  }
}
