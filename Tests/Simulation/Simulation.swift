import TestSupport

/// One run: instances and editors on a simulated machine, every step of which follows from a seed.
final class Simulation {
  private let executor: StepExecutor
  private let world: World
  private var last: Process?
  private var steps = 0
  private let stickiness: Int

  private init(on executor: StepExecutor, plan: Plan, seed: UInt64, variant: Variant?, tracing: Bool) {
    let world = World(plan: plan, seed: seed, variant: variant, tracing: tracing)
    stickiness = world.random.pick([0, 0, 2, 8])
    self.world = world
    self.executor = executor
    world.populate()
  }

  /// Runs to the end, and judges.
  static func run(plan: Plan, seed: UInt64, variant: Variant? = nil, tracing: Bool = false) -> Outcome {
    StepExecutor.perform { executor in
      let simulation = Simulation(on: executor, plan: plan, seed: seed, variant: variant, tracing: tracing)
      while simulation.advance() { await simulation.world.untilPaused() }
      defer { simulation.world.tearDown() }
      return simulation.outcome
    }
  }

  private var outcome: Outcome {
    Outcome(violations: world.judge.violations, trace: world.trace ?? [], steps: steps)
  }

  /// Lets exactly one process take its next step; false when all have ended.
  private func advance() -> Bool {
    steps += 1
    if steps > 200_000 {
      world.judge.blame("the run does not end")
      for process in world.processes where process.continuation != nil {
        process.kill()
        return true
      }
      return false
    }
    if !world.newcomers.isEmpty {
      start(world.newcomers.removeFirst())
      return true
    }
    if !world.judge.violations.isEmpty {
      // What was seen suffices.
      guard let process = world.processes.first(where: { $0.continuation != nil }) else { return false }
      process.kill()
      return true
    }
    guard let process = choose() else { return false }
    last = process
    world.now += UInt64(world.random.below(Int(world.plan.pace)))
    if process.isMortal, !world.isEnding {
      if world.killsLeft > 0, world.random.oneIn(120) {
        world.killsLeft -= 1
        process.kill()
        return true
      }
      if world.plan.stalls, world.random.oneIn(60) {
        stop(process)
        return advance()
      }
    }
    let continuation = process.continuation
    process.continuation = nil
    continuation?.resume()
    return true
  }

  private func start(_ process: Process) {
    executor.start { [world] in
      do {
        try await process.sleep(0)
        try await process.body()
      } catch is Process.Killed {
      } catch {
        world.judge.blame("\(process.name) ended with \(error)")
      }
      process.closeAll()
      process.body = {}
      world.processes.removeAll { $0 === process }
      world.goOn()
    }
  }

  private func choose() -> Process? {
    if let last, last.continuation != nil, last.wake <= world.now, world.random.below(10) < stickiness { return last }
    var ready: [Process] = []
    var next: UInt64 = .max
    for process in world.processes where process.continuation != nil {
      if process.wake <= world.now {
        if let hurry = process.hurry, hurry <= world.now { return process }
        ready.append(process)
      }
      next = min(next, process.wake)
    }
    if !ready.isEmpty { return world.random.pick(ready) }
    guard next != .max else { return nil }
    world.now = next
    return choose()
  }

  private func stop(_ process: Process) {
    let pause = world.random.below(world.random.pick([1_000_000, 10_000_000, 40_000_000, 120_000_000, 1_500_000_000]))
    process.stop(for: UInt64(pause))
  }
}

/// What came of a run.
public struct Outcome: Sendable {
  /// Which promises were broken, and how; none is what we want.
  public var violations: [String]
  public var trace: [String]
  public var steps: Int
}
