import HotReload

/// When each step of a recording is due; times are nanoseconds of ``MonotonicClock``.
struct PlaybackSchedule {
  private let speed: Double
  /// What the others are counted from.
  private var origin: (now: UInt64, at: Duration) = (0, .zero)
  private var last = Duration.zero

  init(speed: Double) { self.speed = speed }

  /// It is now, and so far in the recording.
  mutating func begin(at: Duration? = nil, now: UInt64) {
    last = at ?? last
    origin = (now, last)
  }

  /// When a step is due. Delays don't add up, as all are counted from the beginning.
  mutating func time(of at: Duration, now: UInt64) -> UInt64 {
    // Another recording that was put behind the first.
    if at < last { begin(at: at, now: now) }
    last = at
    let rest = Double((at - origin.at).nanoseconds) / speed
    return origin.now + UInt64(min(max(rest, 0), 1e18))
  }
}
