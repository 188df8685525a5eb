/// Commits that follow each other, between which the lock is kept.
struct Burst {
  /// An action that follows the last commit within this time is one of many, most likely, and so long the lock is kept for the next
  /// one: what it costs to leave it to others and to get it back.
  static let pause: UInt64 = 500_000
  /// The same where the lock had to be waited for: whoever dispatches has to wait for a processor then as well, most likely.
  static let gap: UInt64 = 2_000_000
  /// At first the next request is asked for again and again: mostly it comes before this thread could go to sleep and wake up.
  static let attention: UInt64 = 50_000

  /// Whether the next commit is expected to follow at once.
  var isOn = false
  /// When the last one ended.
  var lastCommit: UInt64 = 0
  /// Whether the lock had to be waited for in the kernel's queue the last time.
  var isContended = false
  /// Whether whoever waits for these commits is on the processor of this thread.
  var crowding = Crowding()

  /// A commit begins.
  mutating func beginCommit(at now: UInt64) {
    if now - lastCommit < (isContended ? Self.gap : Self.pause) { isOn = true }
  }

  /// Whether the lock is kept after the last commit; others may have waited for it for some time.
  func keepsLock(since start: UInt64) -> Bool { isOn && lastCommit - start < SharedFile.longestHold }
}
