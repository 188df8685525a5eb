import Glibc
import Simulation

@main
struct Simulate {
  let options: Options
  let start = ContinuousClock.now

  static func main() async {
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      say(Options.usage)
      exit(2)
    }
    let simulate = Simulate(options: options)
    exit(await options.variants.isEmpty ? simulate.hunt() : simulate.checkVariants())
  }

  /// Runs the product, and tells all seeds that fail.
  private func hunt() async -> Int32 {
    let campaign = Campaign(firstSeed: options.seed)
    let result = await campaign.run(options.runs, workers: options.jobs, every: .seconds(10)) { progress in
      let seeds = progress.failures.map { " \($0.seed)" }.joined()
      Self.say("\(progress.runs) of \(options.runs) runs in \(seconds) s, \(progress.failures.count) failed\(seeds)")
    }
    for failure in result.failures.sorted(by: { $0.seed < $1.seed }) {
      print("\(failure.violation)\n  swift run -c release simulate --runs 1 --seed \(failure.seed) --trace")
    }
    if options.traces || options.shrinks, let first = result.failures.map(\.seed).min() {
      explain(Campaign(firstSeed: first))
    }
    print("\(result.runs) runs from seed \(options.seed) in \(seconds) s: \(result.failures.count) broke a promise")
    return result.failures.isEmpty ? 0 : 1
  }

  /// Runs each broken form until it is caught.
  private func checkVariants() -> Int32 {
    var missed = 0
    for variant in options.variants {
      let campaign = Campaign(firstSeed: options.seed, variant: variant)
      if let failure = campaign.run(options.runs) {
        print("\(variant): caught after \(failure.runs) runs, seed \(failure.seed)")
        for violation in failure.outcome.violations { print("  \(violation)") }
        if options.traces || options.shrinks { explain(Campaign(firstSeed: failure.seed, variant: variant)) }
      } else {
        missed += 1
        print("\(variant): not caught in \(options.runs) runs")
      }
    }
    return missed == 0 ? 0 : 1
  }

  private func explain(_ campaign: Campaign) {
    guard let failure = campaign.run(1) else { return }
    let small = campaign.shrink(failure, tries: options.shrinks ? 1000 : 0)
    print("seed \(small.seed), \(small.plan)")
    for line in small.outcome.trace + small.outcome.violations { print(line) }
  }

  private var seconds: Int64 { start.duration(to: .now).components.seconds }

  private static func say(_ text: String) {
    let line = Array("\(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
