/// A version vector: for each chain of ``KnownLines`` how many of its lines are known, from the first one on.
struct VersionVector: Sendable, Equatable {
  /// Shorter than there are chains where no more are known.
  private var counts: [Int32] = []

  /// How many lines of a chain are known.
  subscript(chain: Int) -> Int { chain < counts.count ? Int(counts[chain]) : 0 }

  /// Adds the first lines of a chain.
  mutating func add(_ count: Int, of chain: Int) {
    if counts.count <= chain { counts += repeatElement(0, count: chain + 1 - counts.count) }
    counts[chain] = max(counts[chain], Int32(count))
  }

  /// Adds what another one knows.
  mutating func formUnion(_ other: Self) {
    if counts.count < other.counts.count { counts += repeatElement(0, count: other.counts.count - counts.count) }
    for (chain, count) in other.counts.enumerated() where count > counts[chain] { counts[chain] = count }
  }
}
