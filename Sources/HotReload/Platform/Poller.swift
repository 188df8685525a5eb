import CLinux
import Glibc

/// Waits for descriptors or for a time, whichever comes first.
package enum Poller {
  /// Waits until one of the descriptors can be read. The corresponding C function is `ppoll`.
  ///
  /// - Parameters:
  ///   - descriptors: What to wait for. Negative ones are left out.
  ///   - writer: A descriptor that is written to: its failure, such as a pipe that nobody reads, counts too.
  ///   - deadline: A time of `MonotonicClock`; nil waits for ever.
  /// - Returns: Whether a descriptor can be read; false when the time came.
  /// - Throws: `ENOMEM`, or `EINVAL` with more descriptors than a process may have.
  @discardableResult
  package static func wait(
    for descriptors: [Int32], orFailureOf writer: Int32 = -1, until deadline: UInt64?
  ) throws(SystemError) -> Bool {
    var entries = descriptors.map(entry)
    entries.append(pollfd(fd: writer, events: 0, revents: 0))
    var span = entries.mutableSpan
    return try poll(&span, until: deadline)
  }

  /// As ``wait(for:orFailureOf:until:)``, and tells of each descriptor whether it can be read. Allocates nothing.
  package static func readable<let count: Int>(
    among descriptors: [count of Int32], until deadline: UInt64?
  ) throws(SystemError) -> [count of Bool] {
    var entries = [count of pollfd] { entry(descriptors[$0]) }
    var span = entries.mutableSpan
    try poll(&span, until: deadline)
    return [count of Bool] { entries[$0].revents != 0 }
  }

  private static func entry(_ descriptor: Int32) -> pollfd { pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0) }

  /// - Returns: Whether anything happened to one of them before the time came.
  @discardableResult
  private static func poll(_ entries: inout MutableSpan<pollfd>, until deadline: UInt64?) throws(SystemError) -> Bool {
    try entries.withUnsafeMutableBufferPointer { entries throws(SystemError) in
      try SystemError.check("ppoll") {
        guard let deadline else { return System.calls.ppoll(entries.baseAddress, nfds_t(entries.count), nil, nil) }
        let now = MonotonicClock.now()
        let rest = deadline > now ? deadline - now : 0
        var time = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
        return System.calls.ppoll(entries.baseAddress, nfds_t(entries.count), &time, nil)
      } > 0
    }
  }
}
