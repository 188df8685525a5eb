import HotReload
import SimulatedMachine
import StateJSON

/// A place for one instance at a time: when it is killed, another takes its place.
final class Slot {
  let index: Int
  private(set) var process: SimulatedProcess?
  private(set) var view: View?
  private(set) var replicator: Replicator?
  private unowned let world: World
  private var generation = 0
  private var submitted = 0
  /// Whether the one that is there has joined, and all its actions are submitted.
  var isDone: Bool { replicator != nil && submitted == world.plan.actions }
  private(set) var hasLeft = false
  /// Whether it is to leave.
  var isAsked = false

  /// Whose it is.
  private var user: UInt32 { World.user + UInt32(index % world.plan.users) }
  /// The machine that it is on.
  let machine: SimulatedMachine

  init(_ index: Int, on machine: SimulatedMachine, in world: World) {
    (self.index, self.machine, self.world) = (index, machine, world)
  }

  var name: String { String(Character(UnicodeScalar(97 + UInt8(index)))) + (generation > 1 ? "\(generation)" : "") }

  func start() {
    generation += 1
    process = machine.start(name, user: user) { [unowned self] _ in live() }
  }

  /// The process is killed: another is started after a while.
  func lose() {
    (process, view, replicator) = (nil, nil, nil)
    let pause = UInt64(
      world.scheduler.random.below(world.scheduler.random.pick([1_000_000, 100_000_000, 1_000_000_000])))
    machine.start("supervisor \(index)") { [unowned self] _ in
      MonotonicClock.sleep(nanoseconds: pause)
      if process == nil { start() }
    }
  }

  /// Makes sure that there is one.
  func revive() { if process == nil { start() } }

  private func live() {
    let name = name
    SimulatedThread.wait { [world] in world.isSetUp }
    let view = View(name, in: world)
    self.view = view
    let options = ReplicatorOptions(
      replica: ReplicaOptions(file: World.path, instance: name),
      durability: world.plan.powerCuts > 0 ? .power : .process, stateFolder: World.stateFolder(of: user))
    var replicator: Replicator?
    while replicator == nil {
      do throws(Problem) {
        replicator = try Replicator(
          view: view, model: world.model, initial: SimulatedModel.initial, options: options)
      } catch {
        world.note(name, "can't join: \(error)")
        MonotonicClock.sleep(nanoseconds: 50_000_000)
      }
    }
    guard let replicator else { return }
    self.replicator = replicator
    let pace = world.scheduler.random.pick([100_000, 2_000_000, 50_000_000])
    while submitted < world.plan.actions {
      MonotonicClock.sleep(nanoseconds: UInt64(world.scheduler.random.below(pace)))
      let action = SimulatedModel.Action(counter: "c\(index)", token: "t\(index).\(submitted)")
      submitted += 1
      view.submit(action)
      replicator.submitted()
    }
    SimulatedThread.wait { [unowned self] in isAsked }
    replicator.closeAndWait(within: .seconds(60))
    hasLeft = true
  }
}
