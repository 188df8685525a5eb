import SimulatedMachine
import TestSupport

/// Runs, each of which follows from its seed.
public enum Campaign {
  /// Reads what plans are made of. To be called first.
  public static func readStyles() { SaveStyle.read() }

  /// Puts simulated machines in the place of this one, for all runs. To be called once, before there is any other thread.
  ///
  /// - Parameter processor: The number of the processor that all runs are made on.
  public static func prepare(processor: Int) {
    OneProcessor.take(processor)
    SimulatedMachine.install()
  }

  /// One run. What was killed in it stays where it was: no more than some hundred in a process.
  public static func run(seed: UInt64, plan: Plan? = nil, tracing: Bool = false) -> Outcome {
    World(plan: plan ?? self.plan(for: seed), seed: seed, tracing: tracing).run()
  }

  /// What takes part in the run of a seed.
  public static func plan(for seed: UInt64) -> Plan {
    var random = SplitMix64(seed: ~seed)
    return Plan(drawing: &random)
  }
}
