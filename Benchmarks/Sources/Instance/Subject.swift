import Documents
import Glibc
import HotReload
import StoreCore

/// The store that is measured. Its methods are not the main actor's, whose queue would cost what no program needs to pay.
final class Subject {
  private let store: Store<Catalogue, CatalogueAction>
  private var subscriptions: [Subscription] = []

  init(_ store: Store<Catalogue, CatalogueAction>) { self.store = store }

  func close() async throws { try await store.close() }

  func perform(_ verb: String, _ numbers: [Double]) async throws -> String {
    switch (verb, numbers.count) {
    case ("watch", 0): watch { $0.sequence }
    case ("watch-count", 0): watch { $0.count }
    case ("subscribe", 1): for _ in 0..<Int(numbers[0]) { subscriptions.append(store.subscribe { _ in }) }
    case ("number", 1):
      let start = now()
      store.dispatch(.number(Int(numbers[0])))
      return "\(start)"
    case ("commits", 1): return try await batches(Int(numbers[0]), of: 1)
    case ("batches", 2): return try await batches(Int(numbers[0]), of: Int(numbers[1]))
    case ("dispatches", 1):
      let start = now()
      for _ in 0..<Int(numbers[0]) { store.dispatch(.add(1)) }
      return "\(now() - start)"
    case ("pauses", 1): return pauses(seconds: numbers[0])
    case ("count", 1): return try await count(seconds: numbers[0], of: 1)
    case ("pipeline", 2): return try await count(seconds: numbers[0], of: Int(numbers[1]))
    case ("rate", 2): return rate(numbers[0], seconds: numbers[1])
    default: fatalError("unknown: \(verb)")
    }
    return "ok"
  }

  private func watch(_ part: @escaping @Sendable (Catalogue) -> Int) {
    subscriptions.append(
      store.subscribe(select: part, skipFirst: true) { (number: Int) in
        // Before anything is made of it, as in the other programs.
        let instant = now()
        say("\(number) \(instant)")
      })
  }

  private func batches(_ rounds: Int, of size: Int) async throws -> String {
    var times: [String] = []
    for _ in 0..<rounds {
      let start = now()
      for _ in 0..<size { store.dispatch(.add(1)) }
      try await store.commit()
      times.append("\(now() - start)")
    }
    return times.joined(separator: " ")
  }

  private func count(seconds: Double, of size: Int) async throws -> String {
    var (acknowledged, longest) = (0, UInt64(0))
    let end = now() + UInt64(seconds * 1e9)
    var instant = now()
    while instant < end {
      for _ in 0..<size { store.dispatch(.add(1)) }
      try await store.commit()
      acknowledged += size
      longest = max(longest, now() - instant)
      instant = now()
    }
    return "\(acknowledged) \(longest)"
  }

  private func pauses(seconds: Double) -> String {
    var times: [UInt64] = []
    let items = store.withState { catalogue, _ in catalogue.items.count }
    let end = now() + UInt64(seconds * 1e9)
    repeat {
      let start = now()
      store.dispatch(.toggleStock(item: times.count % items))
      times.append(now() - start)
      usleep(100)
    } while now() < end
    times.sort()
    return "\(times[times.count - 1]) \(times[times.count - 1 - times.count / 1_000])"
  }

  private func rate(_ rate: Double, seconds: Double) -> String {
    let start = now()
    let count = Int(rate * seconds)
    for index in 0..<count {
      let due = start + UInt64(Double(index) / rate * 1e9)
      var time = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
      store.dispatch(.add(1))
    }
    return "\(count)"
  }
}

/// Nanoseconds of the clock that all processes share.
func now() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Prints a line at once, from any thread.
///
/// Not by the C library's streams: flushing them waits for the one whose next line the main thread is waiting for.
func say(_ line: String) {
  var line = line + "\n"
  line.withUTF8 { _ = write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}
