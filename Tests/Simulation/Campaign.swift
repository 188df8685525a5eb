import TestSupport

/// Many runs, each from the next seed.
public struct Campaign: Sendable {
  public struct Failure: Sendable {
    public let runs: Int
    public let seed: UInt64
    public let plan: Plan
    public let outcome: Outcome
  }

  public var variant: Variant?
  public var firstSeed: UInt64

  public init(firstSeed: UInt64, variant: Variant? = nil) {
    self.firstSeed = firstSeed
    self.variant = variant
  }

  /// Runs until a promise is broken.
  public func run(_ count: Int) -> Failure? {
    for number in 0..<count {
      let seed = firstSeed &+ UInt64(number)
      let plan = Self.plan(for: seed)
      let outcome = Simulation.run(plan: plan, seed: seed, variant: variant)
      if !outcome.violations.isEmpty { return Failure(runs: number + 1, seed: seed, plan: plan, outcome: outcome) }
    }
    return nil
  }

  static func plan(for seed: UInt64) -> Plan {
    var random = SplitMix64(seed: ~seed)
    return Plan(drawing: &random)
  }

  /// Looks for a simpler plan that breaks the same promise, with whatever seed, and traces its shortest run.
  public func shrink(_ failure: Failure, tries: Int = 1500) -> Failure {
    var smallest = failure
    let kind = Self.kind(failure.outcome)
    search: while true {
      for plan in smallest.plan.simpler {
        for number in 0..<tries {
          let seed = failure.seed &+ UInt64(number)
          let outcome = Simulation.run(plan: plan, seed: seed, variant: variant)
          guard Self.kind(outcome) == kind else { continue }
          smallest = Failure(runs: failure.runs, seed: seed, plan: plan, outcome: outcome)
          continue search
        }
      }
      break
    }
    for number in 0..<tries {
      let seed = failure.seed &+ UInt64(number)
      let outcome = Simulation.run(plan: smallest.plan, seed: seed, variant: variant)
      if Self.kind(outcome) == kind, outcome.steps < smallest.outcome.steps {
        smallest = Failure(runs: failure.runs, seed: seed, plan: smallest.plan, outcome: outcome)
      }
    }
    let outcome = Simulation.run(plan: smallest.plan, seed: smallest.seed, variant: variant, tracing: true)
    return Failure(runs: failure.runs, seed: smallest.seed, plan: smallest.plan, outcome: outcome)
  }

  private static func kind(_ outcome: Outcome) -> String? { outcome.violations.first.map { String($0.prefix(9)) } }
}
