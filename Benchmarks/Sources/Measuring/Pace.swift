import Glibc

/// Has measured again what was measured while somebody else used the other half of the core, for as long as there is patience.
///
/// What counts is a calculation by itself, before and after; never what was measured.
public final class Pace {
  /// How many times longer than at its fastest the calculation takes at most.
  private static let steady = 1.15
  /// Seconds that may go into waiting, and into what is measured again.
  private let patience: Double
  /// Seconds that have gone there.
  public private(set) var waited = 0.0
  private var fastest = Double.infinity
  /// How many measurements count.
  public private(set) var rounds = 0
  /// How many of these were made while somebody else used the core.
  public private(set) var shared = 0
  /// How many don't count.
  public private(set) var repeated = 0

  public init(patience: Double) {
    self.patience = patience
    // Among some of these is the full pace also where others are busy.
    for _ in 0..<100 { _ = isSteady() }
  }

  /// What was measured on a steady machine; once the patience is over, what is measured then.
  nonisolated(nonsending) func steadily<Measured>(
    _ measure: nonisolated(nonsending) () async -> Measured
  ) async -> Measured {
    while true {
      let start = Self.now()
      var isSteady = isSteady()
      while !isSteady && waited + Self.now() - start < patience { isSteady = self.isSteady() }
      let end = Self.now()
      waited += end - start
      let measured = await measure()
      isSteady = isSteady && self.isSteady()
      if isSteady || waited >= patience {
        rounds += 1
        if !isSteady { shared += 1 }
        return measured
      }
      repeated += 1
      waited += Self.now() - end
    }
  }

  private func isSteady() -> Bool {
    let times = (0..<3).map { _ in Self.calculate() }.sorted()
    fastest = min(fastest, times[0])
    return times[1] <= fastest * Self.steady
  }

  /// Seconds that it takes: nothing but registers, always the same.
  private static func calculate() -> Double {
    let start = now()
    var (a, b, c, d) = (1 as UInt64, 2 as UInt64, 3 as UInt64, 4 as UInt64)
    for _ in 0..<100_000 {
      a = a &* 3 &+ 1
      b = b &* 5 &+ 1
      c ^= c << 3
      d &+= d >> 2
    }
    // So that it isn't left out as nobody needs the result.
    return now() - start + (a ^ b ^ c ^ d == 0 ? 1 : 0)
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
