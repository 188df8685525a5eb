import HotReload

/// How long a test waits for what should come at once, before it fails instead of hanging.
///
/// All tests run at once, by as many threads as there are processors, so what an asynchronous task does may come only after what
/// hundreds of others do: two processors took 79 seconds for all of them, and one that waited for a minute failed. Under a sanitizer
/// they take several times as long.
public enum TestPatience {
  /// In nanoseconds.
  public static let limit: UInt64 = 300_000_000_000

  /// When what isn't there by then doesn't come, by `MonotonicClock`.
  public static var deadline: UInt64 { MonotonicClock.now() + limit }
}
