import TestSupport

/// What goes wrong in one look at the share: after some steps a process is killed, or a disk is full.
struct Fate {
  /// How a look ends before its time.
  enum End: Error {
    /// The process is gone, or all of the machine.
    case killed(isPowerCut: Bool)
    /// Nothing more can be written. The process goes on, and begins anew with its files.
    case full
  }

  private var steps: Int
  private let end: End
  private var random: SplitMix64

  init(_ random: inout SplitMix64) {
    steps = random.below(9)
    end = random.oneIn(3) ? .full : .killed(isPowerCut: random.oneIn(2))
    self.random = SplitMix64(seed: random.next())
  }

  /// Goes from one step to the next.
  mutating func step() throws(End) {
    if case .full = end { return }
    steps -= 1
    if steps < 0 { throw end }
  }

  /// How many of so many lines are written, and what comes then.
  mutating func written(of count: Int) -> (count: Int, end: End?) {
    steps -= 1
    return steps < 0 ? (random.below(count + 1), end) : (count, nil)
  }
}
