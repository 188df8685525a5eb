// Everything that can be done with a store, by eight threads at once, in random order: for the sanitizers, and for the depths that only
// a release build gets to in reasonable time.
//
//   store-stress [--rounds N] [--seed S]    so many steps of each thread: 2,000
//   store-stress --deep                     a million actions that lead to one another, and 100,000 nested nodes, views and effects
//   store-stress --leak                     leaves a cycle behind, which must be reported
//
// It fails when an action was lost or counted twice, when two stores of a tree disagree, or when something is left in memory.

import Foundation
import StoreCore
import Synchronization

@main
enum StoreStress {
  static func main() async throws {
    var arguments = CommandLine.arguments.dropFirst()
    var (rounds, seed) = (2_000, UInt64(1))
    while let option = arguments.popFirst() {
      switch (option, arguments.first.flatMap(UInt64.init)) {
      case ("--deep", _): return Depths.measure()
      case ("--leak", _): return Leak.leave()
      case ("--rounds", let number?): rounds = Int(number)
      case ("--seed", let number?): seed = number
      default: fail("unknown option '\(option)'; see Tests/StoreStress")
      }
      arguments = arguments.dropFirst()
    }
    weak var freed: Store<App, AppAction>?
    try await run(rounds, seed, &freed)
    // Tasks that were cancelled let go of what they hold in their own time.
    let clock = ContinuousClock()
    let deadline = clock.now.advanced(by: .seconds(60))
    while freed != nil, clock.now < deadline { await Task.yield() }
    if freed != nil { fail("the store was not freed") }
  }

  private static func run(_ rounds: Int, _ seed: UInt64, _ freed: inout Store<App, AppAction>?) async throws {
    let stage = try Stage()
    freed = stage.root
    stage.beKept()
    let replacing = Task { await stage.replaceTools() }
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask(executorPreference: OwnThread()) {
          var actor = Actor(stage, seed: seed &* 1_000 &+ UInt64(thread))
          for _ in 0..<rounds { actor.takeStep() }
        }
      }
    }
    replacing.cancel()
    await replacing.value
    while !stage.root.runningEffects.isEmpty { await Task.yield() }
    let expected = stage.added.value
    check(stage.root.state.count == expected, "the root counted \(stage.root.state.count) of \(expected)")
    for (leaf, own) in zip(stage.leaves, stage.own) {
      check(
        leaf.state.parent.parent.count == expected, "a leaf is told \(leaf.state.parent.parent.count) of \(expected)")
      check(leaf.state.local == own.value, "a leaf counted \(leaf.state.local) of its own actions")
    }
    try await stage.root.close()
    print("\(rounds) steps of 8 threads from seed \(seed): \(expected) actions, none lost, and nothing left")
  }
}

func check(_ isTrue: Bool, _ message: @autoclosure () -> String) {
  if !isTrue { fail(message()) }
}

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("store-stress: \(message)\n".utf8))
  exit(1)
}

/// Gives a task a thread of its own.
private final class OwnThread: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }.start()
  }
}
