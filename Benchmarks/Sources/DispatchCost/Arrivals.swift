import Synchronization

/// Waits for what was started elsewhere to have come to its end.
final class Arrivals: Sendable {
  private struct Counts: Sendable {
    var arrived = 0
    var awaited: (count: Int, continuation: CheckedContinuation<Void, Never>)?
  }

  private let counts = Mutex(Counts())

  func arrive() {
    let continuation: CheckedContinuation<Void, Never>? = counts.withLock { counts in
      counts.arrived += 1
      guard let awaited = counts.awaited, awaited.count <= counts.arrived else { return nil }
      counts.arrived -= awaited.count
      return counts.awaited.take()?.continuation
    }
    continuation?.resume()
  }

  /// Returns when so many have arrived since the last time.
  func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = counts.withLock { counts in
        if counts.arrived < count { counts.awaited = (count, continuation) }
        defer { if counts.arrived >= count { counts.arrived -= count } }
        return counts.arrived >= count
      }
      if isThere { continuation.resume() }
    }
  }
}
