import HotReload
import SimulatedMachine
import StateJSON
import TestSupport

/// Instances and editors on a simulated machine, who share one file; every step of theirs follows from a seed.
final class World: FileObserver {
  static let folder = "/work"
  static let name = "f.json"
  static let path = "\(folder)/\(name)"
  /// Where a user's instances keep what must outlive them.
  static func stateFolder(of user: UInt32) -> String { "/state\(user)" }
  /// The user whose everything is.
  static let user: UInt32 = 1000

  let plan: Plan
  let scheduler: Scheduler
  let machines: [SimulatedMachine]
  /// The first of them.
  var machine: SimulatedMachine { machines[0] }
  let model: SimulatedModel
  /// Whether instances can begin.
  private(set) var isSetUp = false
  let judge = Judge()
  private(set) var slots: [Slot] = []
  var editorsAtWork = 0
  var replacersAtWork = 0
  private var killsLeft: Int
  private var faultsLeft: Int
  /// One in so many calls is one before which somebody is killed, or one that fails: so the few that there are come at the start of a
  /// run, or anywhere.
  private let (killRate, faultRate): (Int, Int)
  private var powerCutsLeft: Int
  /// Whether any call has failed.
  private var hasFaults = false
  /// Everybody lives and everything works from now on, so that things come to rest.
  private(set) var isEnding = false
  /// When anything last changed in the folder.
  private(set) var lastChange: UInt64 = 0
  /// What happened, told as it happens; nil where nobody follows the run.
  private(set) var trace: [String]?

  init(plan: Plan, seed: UInt64, tracing: Bool) {
    self.plan = plan
    scheduler = Scheduler(seed: seed)
    let scheduler = scheduler
    machines = (0..<plan.devices).map { SimulatedMachine("device\($0)", on: scheduler) }
    model = SimulatedModel(isShared: plan.devices > 1)
    (killsLeft, powerCutsLeft) = (plan.kills, plan.powerCuts)
    faultsLeft = plan.faults ? 3 : 0
    scheduler.weather.pace = plan.pace
    (killRate, faultRate) = (
      scheduler.random.pick([200, 800, 3_200]), scheduler.random.pick([100, 300, 1_000, 3_000])
    )
    scheduler.weather.stickiness = scheduler.random.pick([0, 2, 8, 9])
    judge.rescued = { [unowned self] in
      machines.flatMap { machine in users.flatMap { machine.files(in: Self.stateFolder(of: $0) + "/rescued") } }
        .map(\.inode.bytes)
    }
    for machine in machines { prepare(machine) }
    scheduler.beforeCall = { [self] thread, call in menace(thread, call) }
    scheduler.onStandstill = { [unowned self] in judge.blame("promise 4: everybody waits for ever") }
    if tracing {
      trace = []
      scheduler.onCall = { [unowned self] thread, call, name, result in
        if call != .clock_gettime { note(thread.process.name, "\(call) \(name) = \(result)") }
      }
    }
  }

  /// Whether every machine has said what it holds: of two that say it after somebody has saved there, only one can be right.
  private(set) lazy var hasBegunToShare = machines.count == 1

  /// Waits for that.
  func waitForSharing() {
    SimulatedThread.wait { [self] in
      hasBegunToShare =
        hasBegunToShare
        || machines.allSatisfy { machine in
          Engine.journals(of: machine).contains { $0.inode.bytes.contains("\"seed\"") }
        }
      return hasBegunToShare
    }
  }

  /// Gives a machine its weather.
  private func prepare(_ machine: SimulatedMachine) {
    machine.files.features.grain = Int64(plan.grain)
    for lack in plan.lacks {
      switch lack {
      case .exchange: machine.files.features.hasExchange = false
      case .leases: machine.files.features.hasLeases = false
      case .attributes: machine.files.features.hasAttributes = false
      case .directoryLocks: machine.files.features.locksDirectories = false
      case .accessTimes: machine.files.features.notesReading = false
      }
    }
    machine.files.observer = self
    if plan.lossRate > 0 {
      machine.losesNotification = { [unowned self] in !isEnding && scheduler.random.oneIn(plan.lossRate) }
    }
    machine.doublesNotification = { [unowned self] in scheduler.random.oneIn(8) }
    guard plan.faults else { return }
    machine.fault = { [unowned self] process, call, name in fault(process, call, name) }
    machine.transferLimit = { [unowned self] count in
      scheduler.random.oneIn(20) ? 1 + scheduler.random.below(count) : count
    }
  }

  /// Runs to the end, and judges.
  func run() -> Outcome {
    note("plan", "\(plan)")
    populate()
    scheduler.run()
    return Outcome(violations: judge.violations, trace: trace ?? [], calls: scheduler.calls)
  }

  private func populate() {
    for (number, machine) in machines.enumerated() {
      machine.makeFolder("/etc", owner: 0)
      machine.makeFile("/etc/machine-id", Array("\(number)123456789abcdef0123456789abcdef\n".utf8), owner: 0)
      // Where there are several users, each may do what the others may.
      machine.makeFolder(Self.folder, owner: Self.user, permissions: plan.users == 1 ? 0o755 : 0o777)
      for user in users { machine.makeFolder(Self.stateFolder(of: user), owner: user) }
      if plan.startsWithFile {
        let permissions: UInt32 = plan.users == 1 ? 0o644 : 0o666
        let inode = machine.makeFile(Self.path, judge.initial.bytes, owner: Self.user, permissions: permissions)
        FileNote.of(inode).save = judge.initial
      }
    }
    for machine in machines { machine.files.settle() }
    for index in 0..<plan.instances {
      let slot = Slot(index, on: machines[index % machines.count], in: self)
      slots.append(slot)
      slot.start()
    }
    if machines.count == 1 { isSetUp = true } else { share() }
    editorsAtWork = plan.editors
    for index in 0..<plan.editors { Editor(index, on: machines[index % machines.count], in: self).start() }
    if plan.hasReplacement {
      replacersAtWork = 1
      Replacer(on: machine, in: self).start()
    }
    machine.start("director") { [unowned self] _ in Director(world: self).direct() }
  }

  /// Nobody is killed and nothing fails from here on.
  func end() {
    isEnding = true
    lastChange = scheduler.now
    for slot in slots { slot.revive() }
  }

  /// Has the machines share the file, and an engine keep their folders in sync.
  private func share() {
    var left = machines.count
    for machine in machines {
      machine.makeFolder(Engine.folder, owner: Self.user)
      machine.start("share on \(machine.name)") { [self] _ in
        do throws(Problem) {
          _ = try ShareAgreement.agree(
            for: Self.path, folder: Engine.folder, name: machine.name, stateFolder: Self.stateFolder(of: Self.user))
        } catch {
          judge.blame("the file can't be shared: \(error)")
        }
        left -= 1
        isSetUp = left == 0
      }
      Engine(to: machine, from: machines.filter { $0 !== machine }, in: self).start()
    }
  }

  func note(_ name: String, _ what: @autoclosure () -> String) {
    guard trace != nil else { return }
    let time = "\((scheduler.now - 1_000_000_000) / 1000)"
    trace?.append(String(repeating: " ", count: max(0, 9 - time.count)) + "\(time) µs  \(name): \(what())")
  }

  // MARK: What may happen

  /// Kills and stops, now and then, before a call.
  private func menace(_ thread: SimulatedThread, _ call: SystemCall) {
    if !judge.violations.isEmpty {
      // What was seen suffices.
      scheduler.finish()
    }
    if scheduler.calls > 400_000 {
      judge.blame("promise 4: the run does not end")
      scheduler.finish()
    }
    guard !isEnding, let slot = slots.first(where: { $0.process === thread.process }) else { return }
    if killsLeft > 0, scheduler.random.oneIn(killRate) {
      killsLeft -= 1
      note(thread.process.name, "is killed before \(call)")
      slot.lose()
      thread.process.kill()
    }
    if powerCutsLeft > 0, scheduler.random.oneIn(800) {
      powerCutsLeft -= 1
      cutPower(thread.process)
    }
    if plan.stalls, scheduler.random.oneIn(400) {
      let length = scheduler.random.pick([1_000_000, 10_000_000, 40_000_000, 120_000_000, 1_500_000_000])
      let pause = UInt64(scheduler.random.below(length))
      note(thread.process.name, "is stopped for \(pause / 1000) µs")
      thread.process.stoppedUntil = scheduler.now + pause
    }
  }

  /// All instances end at once, and what is not on the disk is gone. Doesn't return, as the process that calls is one of them.
  private func cutPower(_ process: SimulatedProcess) -> Never {
    note(process.name, "is about to make a call, and the power is cut")
    let others = slots.compactMap(\.process).filter { $0 !== process }
    for slot in slots where slot.process != nil { slot.lose() }
    for other in others { other.kill() }
    process.end()
    machine.files.losePower(&scheduler.random)
    note("disk", "\(Self.name) is \(machine.standing?.bytes.text.debugDescription ?? "missing") now")
    process.kill()
    fatalError("a process that was killed goes on")
  }

  /// The system refuses something, now and then.
  private func fault(_ process: SimulatedProcess, _ call: SystemCall, _ name: String) -> Fault? {
    guard faultsLeft > 0, !isEnding, let reasons = call.faults, slots.contains(where: { $0.process === process }),
      scheduler.random.oneIn(faultRate)
    else { return nil }
    faultsLeft -= 1
    let errno = scheduler.random.pick(reasons)
    let isDone = call == .renameat2 && errno == System.EIO && scheduler.random.oneIn(2)
    // What could not be recorded, or not be looked up, only whoever did so knows.
    if name.contains(".versions") || name.contains("state") { judge.isForgetful = true }
    hasFaults = true
    note(process.name, "\(call) \(name) fails with \(errno)\(isDone ? ", and is done" : "")")
    return Fault(errno, isDone: isDone)
  }

  private var users: [UInt32] { (0..<UInt32(plan.users)).map { Self.user + $0 } }

  // MARK: What is seen of the files

  func changed(_ names: [NameChange], by process: SimulatedProcess) {
    let isInstance = slots.contains { $0.process === process }
    let machine = process.machine
    // Where several machines share the file, what an instance notes elsewhere is on its way to all.
    if machines.count > 1, isInstance { lastChange = scheduler.now }
    for change in names where change.directory === machine.file(at: Self.folder) {
      lastChange = scheduler.now
      if change.name == Self.name {
        note(process.name, "\(Self.name) is \(change.new?.bytes.text.debugDescription ?? "missing") now")
        if isInstance { judge.swapped(change.old, for: change.new, at: scheduler.now) } else { forsake(change.old) }
      } else if isInstance, change.new == nil, let old = change.old, old.links == 0 {
        judge.destroys(old, where: machine.standing, by: process.name)
      }
    }
  }

  func wrote(_ inode: Inode, by process: SimulatedProcess) {
    let machine = process.machine
    let isInstance = slots.contains { $0.process === process }
    if inode === machine.standing { lastChange = scheduler.now }
    if isInstance, inode.note == nil, users.contains(where: { machine.isLog(inode, of: $0) }) {
      return judge.noteVersions(in: inode.bytes)
    }
    let note = FileNote.of(inode)
    note.isWrittenByInstance = isInstance
    if isInstance {
      judge.destroys(inode, where: machine.standing, by: process.name)
    } else {
      note.save?.isOverwritten = true
    }
    note.save = nil
  }

  /// Whether a file beside the shared one is a save that could not be kept elsewhere.
  func keeps(_ entry: Entry) -> Bool {
    // Without leases, which only an owner can have, nobody can tell whether somebody still writes to it.
    plan.lacks.contains(.leases) || plan.users > 1 || hasFaults && (entry.inode.note as? FileNote)?.save != nil
  }

  /// Somebody takes a file away from the path who is no instance.
  private func forsake(_ inode: Inode?) {
    guard let inode else { return }
    let note = FileNote.of(inode)
    note.save?.isOverwritten = true
    note.save = nil
    note.isForsaken = true
  }
}

extension SimulatedMachine {
  /// What stands at the path.
  var standing: Inode? { file(at: World.path) }

  /// Whether a file is a user's log of versions.
  fileprivate func isLog(_ inode: Inode, of user: UInt32) -> Bool {
    files(in: World.stateFolder(of: user)).contains { $0.inode === inode && $0.name.hasSuffix(".versions") }
  }
}

extension SystemCall {
  /// With which errors it may fail here; nil if it never does.
  fileprivate var faults: [Int32]? {
    switch self {
    case .creat: [System.EIO, System.EMFILE, System.ENOSPC]
    case .openat: [System.EIO, System.EMFILE]
    case .pread, .fsync, .fdatasync, .fstat, .fstatat, .unlinkat, .getdents64: [System.EIO]
    case .pwrite, .renameat2, .fsetxattr, .ftruncate, .linkat, .mkdirat: [System.EIO, System.ENOSPC]
    case .fallocate: [System.ENOSPC]
    case .fgetxattr, .flistxattr, .futimens: [System.EIO]
    default: nil
    }
  }
}

/// What came of a run.
public struct Outcome: Sendable {
  /// Which promises were broken, and how; none is what we want.
  public var violations: [String]
  public var trace: [String]
  public var calls: Int
}
