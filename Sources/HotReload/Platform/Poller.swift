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
    try readable(among: descriptors, orFailureOf: writer, until: deadline).contains(true)
  }

  /// As ``wait(for:orFailureOf:until:)``, and tells of each descriptor, the last being the writer, whether it can be read or
  /// has failed.
  package static func readable(
    among descriptors: [Int32], orFailureOf writer: Int32 = -1, until deadline: UInt64?
  ) throws(SystemError) -> [Bool] {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    entries.append(pollfd(fd: writer, events: 0, revents: 0))
    try SystemError.check("ppoll") {
      guard let deadline else { return ppoll(&entries, nfds_t(entries.count), nil, nil) }
      let now = MonotonicClock.now()
      let rest = deadline > now ? deadline - now : 0
      var time = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
      return ppoll(&entries, nfds_t(entries.count), &time, nil)
    }
    return entries.map { $0.revents != 0 }
  }
}
