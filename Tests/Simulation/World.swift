import HotReload
import TestSupport

/// The simulated machine: a disk, a lock, a clock, and those who act on them.
final class World {
  let plan: Plan
  let variant: Variant?
  var random: SplitMix64
  /// What could not be unlinked when it was to be.
  var unremovable: Set<Name> = []
  var disk = Disk()
  var lockOwner: Process? {
    didSet {
      guard lockOwner == nil else { return }
      for case let instance? in slots.map(\.instance) where instance.waitsForLock { instance.process.rouse() }
    }
  }
  var versions = SimulatedLog()
  /// In nanoseconds.
  var now: UInt64 = 1_000_000_000
  let judge: Judge

  var processes: [Process] = []
  var newcomers: [Process] = []
  var slots: [Slot] = []
  var killsLeft: Int
  var faultsLeft: Int
  /// Everybody lives and everything works from now on, so that things come to rest.
  var isEnding = false
  var editorsAtWork = 0
  /// When something last changed.
  var lastChange: UInt64 = 0

  var trace: [String]?

  /// Where the scheduler waits while a process takes its step.
  private var scheduler: UnsafeContinuation<Void, Never>?

  init(plan: Plan, seed: UInt64, variant: Variant?, tracing: Bool) {
    self.plan = plan
    self.variant = variant
    random = SplitMix64(seed: seed)
    disk.grain = plan.grain
    judge = Judge()
    killsLeft = plan.kills
    faultsLeft = plan.faults ? 3 : 0
    if tracing { trace = [] }
  }

  func untilPaused() async { await withUnsafeContinuation { scheduler = $0 } }

  /// The process whose turn it was has paused or ended.
  func goOn() {
    let scheduler = scheduler
    self.scheduler = nil
    scheduler?.resume()
  }

  /// Lets go of everybody: they know the world, and it knows them.
  func tearDown() {
    for process in processes { process.body = {} }
    (processes, newcomers, slots) = ([], [], [])
  }

  func note(_ process: Process, _ what: @autoclosure () -> String) {
    guard trace != nil else { return }
    let time = "\((now - 1_000_000_000) / 1000)"
    let padding = String(repeating: " ", count: max(0, 9 - time.count))
    trace?.append("\(padding)\(time) µs  \(process.name): \(what())")
  }

  func spawn(_ process: Process, _ body: @escaping () async throws -> Void) {
    process.body = body
    process.wake = now
    processes.append(process)
    newcomers.append(process)
  }

  /// The system refuses something, now and then.
  func mayFail(_ process: Process, _ call: @autoclosure () -> String, _ reason: Refusal.Reason = .EIO) throws {
    guard faultsLeft > 0, !isEnding, random.oneIn(40) else { return }
    faultsLeft -= 1
    note(process, "\(call()) fails: \(reason)")
    throw Refusal(reason)
  }

  /// Something happened to the path; the instances' watchers hear of it, sooner or later.
  func notify(_ news: Instance.News) {
    lastChange = now
    for slot in slots {
      guard let instance = slot.instance else { continue }
      if plan.lossRate > 0, random.oneIn(plan.lossRate) {
        // Lost, or swept away by an overflow, which is told.
        if random.oneIn(2) { instance.hear(.now, after: UInt64(random.below(5_000_000))) }
        continue
      }
      let delay = random.oneIn(4) ? UInt64(random.below(20_000_000)) : UInt64(random.below(100_000))
      instance.hear(news, after: delay)
      if random.oneIn(8) { instance.hear(news, after: delay * 2) }
    }
  }
}

/// A place for one instance at a time: when it is killed, another takes its place.
final class Slot {
  let index: Int
  var instance: Instance?
  var generation = 0
  var isDone = false

  init(_ index: Int) { self.index = index }
}
