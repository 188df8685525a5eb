import Glibc

/// The time of day, as far as this machine knows it.
package enum WallClock {
  /// Milliseconds since 1970. The corresponding C function is `clock_gettime` with `CLOCK_REALTIME`.
  package static func now() -> Int64 { nanoseconds() / 1_000_000 }

  /// Nanoseconds since 1970, as those of files.
  static func nanoseconds() -> Int64 {
    var time = timespec()
    _ = System.calls.clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
