import HotReload
import SimulatedMachine

/// What keeps a folder in sync with those of other machines: it brings their journals here, each whole or a beginning of it, sooner or
/// later, and in any order.
final class Engine {
  static let folder = "/share"

  private let machine: SimulatedMachine
  private let sources: [SimulatedMachine]
  private unowned let world: World
  private var scheduler: Scheduler { world.scheduler }

  init(to machine: SimulatedMachine, from sources: [SimulatedMachine], in world: World) {
    (self.machine, self.sources, self.world) = (machine, sources, world)
  }

  func start() {
    machine.start("engine to \(machine.name)") { [self] _ in
      while true {
        MonotonicClock.sleep(
          nanoseconds: UInt64(scheduler.random.below(scheduler.random.pick([10_000_000, 1_000_000_000]))))
        for source in sources { bring(from: source) }
      }
    }
  }

  private func bring(from source: SimulatedMachine) {
    for entry in Self.journals(of: source) {
      let here = machine.file(at: "\(Self.folder)/\(entry.name)")
      if here?.bytes == entry.inode.bytes { continue }
      let isPart = !world.isEnding && scheduler.random.oneIn(4)
      let bytes =
        isPart
        ? Array(entry.inode.bytes.prefix(scheduler.random.below(entry.inode.bytes.count + 1))) : entry.inode.bytes
      do throws(SystemError) {
        try put(bytes, at: entry.name)
        world.note(
          "engine to \(machine.name)", "has brought \(bytes.count) of \(entry.inode.bytes.count) bytes of \(entry.name)"
        )
      } catch {
        world.judge.blame("the engine can't bring \(entry.name): \(error)")
      }
    }
  }

  /// The journals that a machine has written: each is written on one, and brought to the others.
  static func journals(of machine: SimulatedMachine) -> [Entry] {
    machine.files(in: folder).filter { !isTemporary($0.name) && !($0.inode.note is Brought) }
  }

  private static func isTemporary(_ name: String) -> Bool { name.hasPrefix(".") || name.hasSuffix("~") }

  private func put(_ bytes: [UInt8], at name: String) throws(SystemError) {
    let folder = try Folder(path: Self.folder)
    let temporary = ".engine.\(name)"
    let file = try folder.open(temporary, System.O_WRONLY | System.O_CREAT | System.O_TRUNC, permissions: 0o644)
    try file.write(bytes)
    // So that it isn't brought back from here.
    machine.file(at: "\(Self.folder)/\(temporary)")?.note = Brought()
    try folder.rename(temporary, to: name)
  }

  /// Marks a file that an engine has brought.
  private final class Brought {}
}
