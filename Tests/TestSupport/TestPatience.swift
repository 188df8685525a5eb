import HotReload

/// How long a test waits for what should come at once, before it fails instead of hanging.
///
/// All tests run at once, by as many threads as there are processors, and those that wait for a program keep such a thread meanwhile.
/// So what an asynchronous task does may come only after hundreds of others: with two processors they took 79 seconds, and who waited
/// for a minute failed. Under a sanitizer they take several times as long.
public enum TestPatience {
  /// In nanoseconds.
  public static let limit: UInt64 = 300_000_000_000

  /// When what isn't there by then doesn't come, by `MonotonicClock`.
  public static var deadline: UInt64 { MonotonicClock.now() + limit }
}
