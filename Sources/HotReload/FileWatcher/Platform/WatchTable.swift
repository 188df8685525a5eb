/// What the kernel's numbers for what is watched stand for.
///
/// Sorted by them: a new watch has a higher number than those before it as a rule, and to look one up takes less than to hash it.
struct WatchTable<Subscription> {
  struct Entry {
    let watch: Int32
    var subscriptions: [Subscription]
  }

  var entries: [Entry] = []

  /// The entry of a watch.
  func index(of watch: Int32) -> Int? {
    let index = lowerBound(of: watch)
    return index < entries.count && entries[index].watch == watch ? index : nil
  }

  /// Adds to those of a watch, which is new or not.
  mutating func add(_ subscriptions: [Subscription], to watch: Int32) {
    let index = lowerBound(of: watch)
    if index < entries.count, entries[index].watch == watch {
      entries[index].subscriptions += subscriptions
    } else {
      entries.insert(Entry(watch: watch, subscriptions: subscriptions), at: index)
    }
  }

  private func lowerBound(of watch: Int32) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].watch < watch { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
