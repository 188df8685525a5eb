import HotReload
import SimulatedMachine
import StateJSON

/// A program that puts a variant of an older version in the file's place, which it has made elsewhere: it never reads the file.
///
/// Likeness makes that an edit of the older version. But nobody can have had that in a buffer, so that the save stands as a whole.
final class Replacer {
  /// Where a save has more than so many times the actions that it lacks, it is more like the newest version than like the one that was
  /// there before all of them, which somebody may have in a buffer.
  private static let likeness = 3
  private static let beside = "variant"

  private let machine: SimulatedMachine
  private unowned let world: World
  private var judge: Judge { world.judge }

  init(on machine: SimulatedMachine, in world: World) { (self.machine, self.world) = (machine, world) }

  func start() {
    machine.start("replacer") { [self] _ in
      SimulatedThread.wait(until: world.scheduler.now + 60_000_000_000) { [self] in judge.versions.count > 5 }
      MonotonicClock.sleep(nanoseconds: UInt64(world.scheduler.random.below(50_000_000)))
      do throws(SystemError) {
        try replace()
      } catch {
        judge.blame("the file can't be replaced: \(error)")
      }
      world.replacersAtWork -= 1
    }
  }

  private func replace() throws(SystemError) {
    guard judge.versions.count > 5 else { return world.note("replacer", "finds too few versions") }
    var bytes = judge.versions[judge.versions.count - 2 - world.scheduler.random.below(2)]
    bytes.set(mark: "0001", of: 0)
    let folder = try Folder(path: World.folder)
    do {
      let file = try folder.open(Self.beside, System.O_WRONLY | System.O_CREAT, permissions: 0o644)
      try file.write(bytes)
    }
    // The last call: who stands there when it is made is known when it is done.
    let save = Save(editor: 0, bytes: bytes, isValid: true, opened: world.scheduler.now, origin: nil)
    try folder.rename(Self.beside, to: World.name)
    guard let newest = judge.versions.last, let standing = machine.standing, standing.bytes == bytes else { return }
    FileNote.of(standing).save = save
    let leftOut = judge.tokens(in: newest).subtracting(judge.tokens(in: bytes))
    save.replacement = Save.Replacement(
      newest: "\(ContentHash(newest))", leftOut: leftOut,
      isClear: Self.likeness * leftOut.count < judge.tokens(in: bytes).count)
    world.note("replacer", "has replaced the file, without \(leftOut.sorted())")
    judge.completed(save, at: world.scheduler.now)
  }
}
