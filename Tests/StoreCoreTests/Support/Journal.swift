import Synchronization

/// Notes things from any thread, in the order they come.
final class Journal<Entry: Sendable>: Sendable {
  private struct Kept {
    var entries: [Entry] = []
    var awaiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func takeAwaiting() -> [CheckedContinuation<Void, Never>] {
      let met = awaiting.filter { $0.count <= entries.count }
      awaiting.removeAll { $0.count <= entries.count }
      return met.map(\.continuation)
    }
  }

  private let kept = Mutex(Kept())

  var entries: [Entry] { kept.withLock { $0.entries } }

  func note(_ entry: Entry) {
    let met = kept.withLock { kept in
      kept.entries.append(entry)
      return kept.takeAwaiting()
    }
    for continuation in met { continuation.resume() }
  }

  func clear() {
    kept.withLock { $0.entries = [] }
  }

  /// The entries, as soon as there are so many.
  func entries(_ count: Int) async -> [Entry] {
    await withCheckedContinuation { continuation in
      let met = kept.withLock { kept in
        kept.awaiting.append((count, continuation))
        return kept.takeAwaiting()
      }
      for continuation in met { continuation.resume() }
    }
    return entries
  }
}

/// Keeps one value for several threads.
final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) {
    self.value = Mutex(value)
  }
}
