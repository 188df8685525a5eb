import Foundation
import Simulation
import Synchronization

@main
struct Simulate {
  let options: Options
  let start = ContinuousClock.now

  static func main() {
    Campaign.readStyles()
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      say(Options.usage)
      exit(2)
    }
    guard options.isWorker || options.traced != nil || options.compares else { exit(Simulate(options: options).hunt()) }
    Campaign.prepare(processor: options.processor)
    if options.compares { Worker.compare(options) }
    if let seed = options.traced { Worker.trace(seed, options) } else { Worker.work(options) }
    // Those that were killed are still there.
    fflush(nil)
    _exit(0)
  }

  /// How far it has come.
  private struct Progress {
    var claimed = 0
    var runs = 0
    var calls = 0
    var failures: [(seed: UInt64, violation: String)] = []
    var told = ContinuousClock.now
  }

  /// After so many failures nobody needs more.
  private static let failureLimit = 100

  /// Makes all runs, also after one has broken a promise, and tells all seeds that fail.
  private func hunt() -> Int32 {
    let result = run(options)
    for failure in result.failures.sorted(by: { $0.seed < $1.seed }) {
      print("\(failure.violation)\n  swift run -c release simulate --trace \(failure.seed)")
    }
    let calls = result.calls / max(1, result.runs)
    let seconds = max(1, seconds)
    print(
      "\(result.runs) runs from seed \(options.seed) in \(seconds) s, \(result.runs / seconds) a second, "
        + "each of \(calls) calls: \(result.failures.count) broke a promise")
    if options.shrinks, let first = result.failures.min(by: { $0.seed < $1.seed }) { shrink(first) }
    return result.failures.isEmpty ? 0 : 1
  }

  private func run(_ options: Options, isTold: Bool = true) -> Progress {
    let progress = Mutex(Progress())
    DispatchQueue.concurrentPerform(iterations: options.jobs) { number in
      while let slice = progress.withLock({ claim(&$0, options) }) {
        let report = Worker.run(from: options.seed + UInt64(slice.lowerBound), slice.count, options, on: number)
        progress.withLock { progress in
          progress.runs += report.runs
          progress.calls += report.calls
          progress.failures += report.failures
          if !report.remarks.isEmpty { Self.say(report.remarks) }
          guard isTold, progress.told.duration(to: .now) >= .seconds(10) else { return }
          progress.told = .now
          let seeds = progress.failures.map { " \($0.seed)" }.joined()
          Self.say(
            "\(progress.runs) of \(options.runs) runs in \(seconds) s, \(progress.failures.count) failed\(seeds)")
        }
      }
    }
    return progress.withLock { $0 }
  }

  private func claim(_ progress: inout Progress, _ options: Options) -> Range<Int>? {
    let limit = options.endsWithFailure ? 1 : Self.failureLimit
    guard progress.claimed < options.runs, progress.failures.count < limit else { return nil }
    let first = progress.claimed
    progress.claimed = min(options.runs, first + Worker.slice)
    return first..<progress.claimed
  }

  /// Looks for a simpler plan that breaks the same promise, with whatever seed.
  private func shrink(_ failure: (seed: UInt64, violation: String)) {
    var options = options
    (options.seed, options.endsWithFailure, options.runs) = (failure.seed, true, 4 * Worker.slice)
    var (smallest, seed) = (options.plan ?? Campaign.plan(for: failure.seed), failure.seed)
    search: while true {
      for plan in smallest.simpler {
        options.plan = plan
        let found = run(options, isTold: false).failures.first {
          $0.violation.prefix(Self.kindLength) == failure.violation.prefix(Self.kindLength)
        }
        guard let found else { continue }
        (smallest, seed) = (plan, found.seed)
        Self.say("seed \(seed): \(plan.json)")
        continue search
      }
      break
    }
    print("simulate --trace \(seed) --plan '\(smallest.json)'")
  }

  /// What two violations have in common that are of the same promise.
  private static let kindLength = 9

  private var seconds: Int { Int(start.duration(to: .now).components.seconds) }

  private static func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
