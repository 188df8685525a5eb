import Foundation
import Simulation

/// What the command line asks for.
struct Options {
  static let usage = """
    usage: simulate [--runs N] [--seed FIRST] [--jobs N] [--until-failure] [--shrink]
           simulate --trace SEED [--plan JSON]
           simulate --compare [--runs N] [--seed FIRST]

    Runs the driver that ships, and all below it, on simulated machines, each run from the next seed. Exits with 1 if a
    promise is broken.

      --runs N         how many runs (10000)
      --seed FIRST     the first seed (1)
      --jobs N         how many runs at a time (one for each processor)
      --until-failure  end with the first run that fails
      --shrink         look for a simpler plan that fails in the same way as the first, and tell its seed
      --plan JSON      what takes part in each run, and what may happen to it; by default that follows from the seed
      --trace SEED     print what happens in one run
      --compare        make the same calls on a simulated machine and on this one, and tell where they differ
    """

  var runs = 10_000
  var seed: UInt64 = 1
  var jobs = ProcessInfo.processInfo.activeProcessorCount
  var endsWithFailure = false
  var shrinks = false
  var compares = false
  var plan: Plan?
  var traced: UInt64?
  /// Whether this process makes the runs itself; the one that was called has others make them.
  var isWorker = false
  /// The processor that a worker runs on.
  var processor = 0

  /// - Returns: nil where the arguments make no sense.
  init?(_ arguments: some Sequence<String>) {
    var arguments = Array(arguments)[...]
    while let argument = arguments.popFirst() {
      switch argument {
      case "--runs":
        guard let runs = arguments.popFirst().flatMap({ Int($0) }), runs > 0 else { return nil }
        self.runs = runs
      case "--seed":
        guard let seed = arguments.popFirst().flatMap({ UInt64($0) }) else { return nil }
        self.seed = seed
      case "--jobs":
        guard let jobs = arguments.popFirst().flatMap({ Int($0) }), jobs > 0 else { return nil }
        self.jobs = jobs
      case "--plan":
        guard let text = arguments.popFirst(), let plan = try? JSONDecoder().decode(Plan.self, from: Data(text.utf8))
        else { return nil }
        self.plan = plan
      case "--trace":
        guard let seed = arguments.popFirst().flatMap({ UInt64($0) }) else { return nil }
        traced = seed
      case "--until-failure": endsWithFailure = true
      case "--shrink": shrinks = true
      case "--compare": compares = true
      case "--worker":
        guard let processor = arguments.popFirst().flatMap({ Int($0) }) else { return nil }
        (isWorker, self.processor) = (true, processor)
      default: return nil
      }
    }
  }
}
