/// States that the first entries of an order come to, for a few numbers of entries: so that an entry that arrives late has
/// only those after it done again.
///
/// Near the end there is a snapshot every few entries, further back fewer: of *n* entries some log *n*.
struct FoldSnapshots<State: Sendable>: Sendable {
  /// How many entries are folded between two snapshots.
  static var step: Int { 32 }
  /// The gap between two snapshots is at most this part of the way from there to the end.
  static var density: Int { 8 }

  private var snapshots: [(count: Int, state: State)] = []

  /// Forgets what is no longer so, where the entries at an index and after it are others now.
  mutating func discard(from index: Int) {
    while let last = snapshots.last, last.count > index { snapshots.removeLast() }
  }

  /// Takes note of an entry that came to be at an index and has no effect on this state.
  mutating func shift(from index: Int) {
    var place = snapshots.count
    while place > 0, snapshots[place - 1].count > index {
      place -= 1
      snapshots[place].count += 1
    }
  }

  /// The state after the most entries, and how many they are. It is taken out, so that it can be changed without a copy.
  mutating func takeLast() -> (count: Int, state: State)? { snapshots.popLast() }

  /// The state after the most entries up to a number of them, and how many they are; `nil` if none is remembered.
  func last(upTo count: Int) -> (count: Int, state: State)? { snapshots.last { $0.count <= count } }

  /// Remembers the state after some entries, more than all that are remembered.
  mutating func append(_ state: State, after count: Int) {
    snapshots.append((count, state))
    var place = snapshots.count - 2
    while place > 0 {
      let (before, after) = (snapshots[place - 1].count, snapshots[place + 1].count)
      if after - before <= max(Self.step, (count - after) / Self.density) { snapshots.remove(at: place) }
      place -= 1
    }
  }
}
