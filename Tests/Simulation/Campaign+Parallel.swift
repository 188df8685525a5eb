import Synchronization

extension Campaign {
  /// How far a campaign has come.
  public struct Progress: Sendable {
    public var runs = 0
    /// The seeds that broke a promise, and what they broke first.
    public var failures: [(seed: UInt64, violation: String)] = []
  }

  /// How many runs a worker takes at a time.
  private static var batch: Int { 100 }
  /// After so many failures nobody needs more.
  private static var failureLimit: Int { 100 }

  /// Does all runs, also after one has broken a promise, several at a time.
  ///
  /// - Parameters:
  ///   - count: How many runs.
  ///   - workers: How many at a time.
  ///   - interval: How often to tell how far it has come.
  ///   - tell: Told that, by one worker at a time.
  /// - Returns: How far it came: to the end, unless far too many failed.
  public func run(
    _ count: Int, workers: Int, every interval: Duration, tell: @escaping @Sendable (Progress) -> Void
  ) async -> Progress {
    let board = Board(campaign: self, count: count, interval: interval)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<workers { group.addTask { board.work(tell) } }
    }
    return board.progress
  }

  private final class Board: Sendable {
    private struct State {
      var claimed = 0
      var progress = Progress()
      var told = ContinuousClock.now
    }

    private let campaign: Campaign
    private let count: Int
    private let interval: Duration
    private let state = Mutex(State())

    init(campaign: Campaign, count: Int, interval: Duration) {
      self.campaign = campaign
      self.count = count
      self.interval = interval
    }

    var progress: Progress { state.withLock { $0.progress } }

    func work(_ tell: (Progress) -> Void) {
      while let numbers = claim() {
        var failures: [(seed: UInt64, violation: String)] = []
        for number in numbers {
          let seed = campaign.firstSeed &+ UInt64(number)
          let outcome = Simulation.run(plan: Campaign.plan(for: seed), seed: seed, variant: campaign.variant)
          if let violation = outcome.violations.first { failures.append((seed, violation)) }
        }
        finish(numbers.count, failures, tell)
      }
    }

    private func claim() -> Range<Int>? {
      state.withLock { state in
        guard state.claimed < count, state.progress.failures.count < failureLimit else { return nil }
        let first = state.claimed
        state.claimed = min(count, first + batch)
        return first..<state.claimed
      }
    }

    private func finish(_ runs: Int, _ failures: [(seed: UInt64, violation: String)], _ tell: (Progress) -> Void) {
      state.withLock { state in
        state.progress.runs += runs
        state.progress.failures += failures
        guard state.told.duration(to: .now) >= interval else { return }
        state.told = .now
        tell(state.progress)
      }
    }
  }
}
