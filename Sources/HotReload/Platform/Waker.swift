import CLinux
import Glibc

/// Wakes a thread that waits in `Poller`, from any thread, any number of times.
package final class Waker: Sendable {
  private let descriptor: FileDescriptor

  /// The corresponding C function is `eventfd`.
  package init() throws(SystemError) {
    let raw = try SystemError.check("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
    descriptor = FileDescriptor(owning: raw, path: "eventfd")
  }

  /// What to wait for in `Poller`.
  package var rawDescriptor: Int32 { descriptor.rawValue }

  /// Makes the waiting thread go on; one that isn't waiting goes on at once when it comes to wait.
  package func wake() {
    var one: UInt64 = 1
    // Only fails when 2⁶⁴ − 2 wakes are unread, and then the thread wakes anyway.
    _ = write(descriptor.rawValue, &one, 8)
  }

  /// Forgets all wakes so far. Call it before looking at what one was woken for.
  package func reset() {
    var count: UInt64 = 0
    _ = read(descriptor.rawValue, &count, 8)
  }
}
