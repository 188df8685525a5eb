import HotReload
import SimulatedMachine
import StateJSON
import Synchronization

/// Waits until everybody has done their part, then until everything has come to rest, and has it judged.
struct Director {
  let world: World

  private var scheduler: Scheduler { world.scheduler }

  func direct() -> Never {
    waitForEverybody()
    MonotonicClock.sleep(nanoseconds: UInt64(scheduler.random.below(100_000_000)))
    world.end()
    waitForEverybody()
    waitForRest()
    if world.machines.count > 1 {
      // Until all devices have the same.
      waitForQuiet(25_000_000_000, lookingEvery: 1_000_000_000)
      for entry in world.machine.files(in: Engine.folder) {
        world.note("journal", "\(entry.name): \(entry.inode.bytes.text)")
      }
    }
    world.judge.conclude(
      files: world.machines.map { $0.standing?.bytes },
      views: world.slots.compactMap(\.view).map { ($0.name, $0.shown) })
    for slot in world.slots {
      slot.isAsked = true
      SimulatedThread.wait(until: scheduler.now + 120_000_000_000) { slot.hasLeft }
      if !slot.hasLeft { world.judge.blame("promise 4: \(slot.name) can't leave") }
    }
    for entry in world.machines.flatMap({ $0.files(in: World.folder) })
    where entry.name.hasPrefix(".") && !world.keeps(entry) {
      world.judge.blame("promise 5: \(entry.name) is left beside the file")
    }
    scheduler.finish()
  }

  private func waitForEverybody() {
    SimulatedThread.wait(until: scheduler.now + 120_000_000_000) {
      world.editorsAtWork == 0 && world.replacersAtWork == 0 && world.slots.allSatisfy(\.isDone)
    }
  }

  /// Waits until nothing has changed for so many nanoseconds, or long enough.
  private func waitForQuiet(_ quiet: UInt64, lookingEvery pause: UInt64) {
    let limit = scheduler.now + 120_000_000_000
    while scheduler.now < limit, scheduler.now - world.lastChange < quiet {
      MonotonicClock.sleep(nanoseconds: pause)
    }
  }

  private func waitForRest() {
    let plan = world.plan
    let isSlow = plan.kills > 0 || plan.faults || plan.lossRate > 0 && plan.grain > 1
    waitForQuiet(isSlow ? 11_500_000_000 : 2_500_000_000, lookingEvery: 500_000_000)
    for slot in world.slots {
      guard let replicator = slot.replicator else {
        world.judge.blame("promise 4: \(slot.name) could not join")
        continue
      }
      let answer = Answer()
      replicator.flush(within: .seconds(100)) { problem in answer.give(problem) }
      SimulatedThread.wait { answer.isGiven }
      if let problem = answer.problem {
        let text = slot.machine.standing?.bytes.text ?? "nothing"
        world.judge.blame("promise 4: \(slot.name) comes not to rest: \(problem); the file has \(text)")
      }
    }
  }

  /// What comes of a flush.
  private final class Answer: Sendable {
    private let given = Mutex<Problem??>(nil)

    func give(_ problem: Problem?) { given.withLock { $0 = .some(problem) } }
    var isGiven: Bool { given.withLock { $0 != nil } }
    var problem: Problem? { given.withLock { $0 ?? nil } }
  }
}
