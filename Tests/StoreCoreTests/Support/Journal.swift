import Synchronization

/// Notes things from any thread, in the order they come.
final class Journal<Entry: Sendable>: Sendable {
  private let kept = Mutex<[Entry]>([])

  var entries: [Entry] { kept.withLock { $0 } }

  func note(_ entry: Entry) {
    kept.withLock { $0.append(entry) }
  }
}

/// Keeps one value for several threads.
final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) {
    self.value = Mutex(value)
  }
}
