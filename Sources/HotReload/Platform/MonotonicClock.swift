import Glibc

/// Time that only goes forward, in nanoseconds from an arbitrary start.
package enum MonotonicClock {
  /// The corresponding C function is `clock_gettime` with `CLOCK_MONOTONIC`.
  package static func now() -> UInt64 {
    var time = timespec()
    _ = System.calls.clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Blocks this thread. Only for waits that are bounded by milliseconds; whatever can be waited *for* goes
  /// through `Poller`.
  package static func sleep(nanoseconds: UInt64) {
    var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    var rest = time
    while System.calls.clock_nanosleep(CLOCK_MONOTONIC, 0, &time, &rest) == EINTR { time = rest }
  }
}
