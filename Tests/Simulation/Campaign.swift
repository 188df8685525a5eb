import SimulatedMachine
import TestSupport

/// Many runs, each from the next seed.
public struct Campaign: Sendable {
  public struct Failure: Sendable {
    public let runs: Int
    public let seed: UInt64
    public let plan: Plan
    public let outcome: Outcome
  }

  public var firstSeed: UInt64

  public init(firstSeed: UInt64) { self.firstSeed = firstSeed }

  /// Puts simulated machines in the place of this one, for all runs. To be called once, before there is any other thread.
  public static func prepare() {
    SaveStyle.read()
    SimulatedMachine.install()
  }

  /// One run.
  public static func run(seed: UInt64, tracing: Bool = false) -> Outcome {
    World(plan: plan(for: seed), seed: seed, tracing: tracing).run()
  }

  public static func plan(for seed: UInt64) -> Plan {
    var random = SplitMix64(seed: ~seed)
    return Plan(drawing: &random)
  }
}
