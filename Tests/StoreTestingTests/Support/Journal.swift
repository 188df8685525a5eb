import Synchronization

/// Notes things from any thread, in the order they come.
final class Journal<Entry: Sendable>: Sendable {
  private let kept = Mutex<[Entry]>([])

  var entries: [Entry] { kept.withLock { $0 } }

  func note(_ entry: Entry) {
    kept.withLock { $0.append(entry) }
  }
}
