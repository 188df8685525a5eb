import HotReload
import SimulatedMachine
import StateJSON

/// A program that saves the file, in one style or another, knowing nothing of instances.
final class Editor {
  private struct Crash: Error {}

  private static let piece = 40

  private let index: Int
  private let name: String
  private let machine: SimulatedMachine
  private unowned let world: World
  private var scheduler: Scheduler { world.scheduler }
  private var process: SimulatedProcess?
  /// What it would save: the last that it could read, or wrote.
  private var buffer: [UInt8]
  private var count = 0
  /// What its buffer comes from; none if an instance wrote that.
  private var origin: Save?
  private var open: OpenedFile?
  /// How many saves the file that is kept open is still good for.
  private var keptFor = 0
  private var pace = 0

  /// What is open for writing.
  private final class OpenedFile {
    let descriptor: FileDescriptor
    let inode: Inode
    let note: FileNote

    init(_ descriptor: consuming FileDescriptor, _ inode: Inode) {
      self.descriptor = descriptor
      (self.inode, note) = (inode, FileNote.of(inode))
    }
  }

  init(_ index: Int, on machine: SimulatedMachine, in world: World) {
    (self.index, self.machine, self.world, name) = (index, machine, world, "editor \(index)")
    (buffer, origin) = (world.judge.initial.bytes, world.judge.initial)
  }

  func start() {
    machine.start(name) { [self] process in
      self.process = process
      run()
      self.process = nil
    }
  }

  private func run() {
    world.waitForSharing()
    pace = scheduler.random.pick([200_000, 5_000_000, 100_000_000])
    for number in 0..<world.plan.saves {
      sleep()
      let isLast = number == world.plan.saves - 1
      do {
        if world.plan.hasDeletions, scheduler.random.oneIn(4) { try delete() }
        let isInvalid = world.plan.hasInvalidSaves && !isLast && scheduler.random.oneIn(3)
        try save(scheduler.random.pick(world.plan.styles), isInvalid: isInvalid)
      } catch is Crash {
        // It is started again, and what it left is mended in the end.
        sleep()
        if isLast { try? save(.renameOver, isInvalid: false) }
      } catch {
        // A folder that can't be opened, a file that went away: another style is always possible.
        world.note(name, "gives up a save: \(error)")
        letGo()
        try? save(.renameOver, isInvalid: false)
      }
    }
    letGo()
    world.editorsAtWork -= 1
  }

  private func sleep() { MonotonicClock.sleep(nanoseconds: UInt64(scheduler.random.below(pace))) }

  // MARK: A save

  private func save(_ style: SaveStyle, isInvalid: Bool) throws {
    let folder = try Folder(path: World.folder)
    if style.steps.first != .openKept { letGo() }
    world.note(name, "saves: \(style.name)")
    lazy var draft = edit(isInvalid: isInvalid)
    for step in style.steps {
      switch step {
      case .idle: sleep()
      case .load:
        try load(from: folder)
        if !world.plan.areEditorsFresh { sleep() }
      case .openBeside:
        open = try opened(folder.open(beside, System.O_WRONLY | System.O_CREAT | System.O_TRUNC, permissions: 0o644))
        open?.note.editor = self
      case .open: try enter(folder, System.O_RDWR | System.O_CREAT)
      case .openEmptied:
        try enter(folder, System.O_WRONLY | System.O_CREAT | System.O_TRUNC)
        open?.note.draft = draft
        // Another editor may have been at it in between.
        if open?.inode.bytes.isEmpty == false { try open?.descriptor.truncate(to: 0) }
      case .openStanding: try enter(folder, System.O_RDWR)
      case .openKept:
        if open?.note.isForsaken == true { letGo() }
        if open == nil {
          try enter(folder, System.O_RDWR)
          keptFor = 4
        } else {
          try claim()
        }
      case .write, .writeInPieces:
        try write(draft, inPieces: step == .writeInPieces, mayDawdle: style.steps.contains(.openEmptied))
      case .writeMapped: writeMapped(draft)
      case .empty:
        if let open {
          open.note.draft = draft
          try open.descriptor.truncate(to: 0)
        }
      case .cut: try open?.descriptor.truncate(to: draft.bytes.count)
      case .close:
        finish(draft)
        letGo()
      case .renameOver:
        try folder.rename(beside, to: World.name)
        complete(draft, machine.standing)
      case .renameToBackup: if machine.standing != nil { try folder.rename(World.name, to: backup) }
      case .unlink: try folder.remove(World.name)
      case .unlinkBackup: try folder.remove(backup)
      }
    }
    if style.steps.first == .openKept {
      finish(draft)
      keptFor -= 1
      if keptFor == 0 { letGo() }
    }
  }

  private var beside: String { "f~\(index)" }
  private var backup: String { "backup\(index)" }

  /// Takes over what is in the file, if it makes sense.
  private func load(from folder: borrowing Folder) throws {
    let bytes: [UInt8]
    let author: Save?
    do throws(SystemError) {
      let file = try folder.open(World.name, System.O_RDONLY)
      bytes = try file.contents(expecting: 1024, limit: 1 << 20)
      // No call comes in between.
      let inode = process?.inode(behind: file.rawValue)
      author = inode?.bytes == bytes ? inode?.author : nil
    } catch {
      if error.errno == System.ENOENT { return }
      throw error
    }
    guard let document = try? JSONDocument(parsing: bytes),
      (0..<SimulatedModel.editors).allSatisfy({
        document.value.string(at: "e\($0)") == document.value.string(at: "z\($0)")
      })
    else { return }
    (buffer, origin) = (bytes, author)
    world.note(name, "has loaded \(bytes.text.debugDescription)")
  }

  /// Makes the next version.
  private func edit(isInvalid: Bool) -> Save {
    count += 1
    let digits = String(count)
    buffer.set(mark: String(repeating: "0", count: 4 - digits.count) + digits, of: index)
    var bytes = buffer
    if isInvalid, let brace = bytes.lastIndex(of: UInt8(ascii: "}")) { bytes[brace] = UInt8(ascii: "!") }
    return Save(editor: index, bytes: bytes, isValid: !isInvalid, opened: scheduler.now, origin: origin)
  }

  // MARK: What is open

  private func opened(_ descriptor: consuming FileDescriptor) -> OpenedFile {
    guard let inode = process?.inode(behind: descriptor.rawValue) else { preconditionFailure("it is open") }
    return OpenedFile(descriptor, inode)
  }

  private func letGo() {
    unclaim()
    open = nil
    process?.hurry = nil
  }

  /// Opens the path for writing. Two editors don't write into the same file at the same time.
  private func enter(_ folder: borrowing Folder, _ flags: Int32) throws {
    SimulatedThread.wait { [machine] in (machine.standing?.note as? FileNote)?.editor == nil }
    open = try opened(folder.open(World.name, flags, permissions: 0o644))
    try claim()
  }

  /// Waits until no other editor is at what is open.
  private func claim() throws {
    guard let open else { return }
    SimulatedThread.wait { open.note.editor == nil }
    open.note.editor = self
  }

  private func unclaim() { if let note = open?.note, note.editor === self { note.editor = nil } }

  private func write(_ save: Save, inPieces: Bool, mayDawdle: Bool) throws {
    guard let open else { return }
    open.note.draft = save
    // What is half old and half new may look like a whole, so it isn't left for long.
    if !mayDawdle { process?.hurry = scheduler.now + 15_000_000 }
    var offset = 0
    while offset < save.bytes.count {
      if mayDawdle, world.plan.kills > 0, scheduler.random.oneIn(40) {
        world.note(name, "crashes, and leaves half a save")
        letGo()
        world.judge.destructions.append(scheduler.now)
        throw Crash()
      }
      if mayDawdle, scheduler.random.oneIn(8) {
        MonotonicClock.sleep(nanoseconds: scheduler.random.pick([1_000_000, 30_000_000, 200_000_000]))
      }
      let end = inPieces ? min(save.bytes.count, offset + Self.piece) : save.bytes.count
      try open.descriptor.write(Array(save.bytes[offset..<end]), at: offset)
      offset = end
    }
  }

  /// Writes through memory: the content changes, and nobody is told.
  private func writeMapped(_ save: Save) {
    guard let open, let process else { return }
    open.note.draft = save
    process.hurry = scheduler.now + 15_000_000
    machine.writeMapped(save.bytes, to: open.inode, by: process)
  }

  /// All of a save is written.
  private func finish(_ save: Save) {
    guard let open else { return }
    process?.hurry = nil
    unclaim()
    // Another file is a save of this one only when it comes to the path.
    if machine.file(at: "\(World.folder)/\(beside)") === open.inode { return }
    complete(save, open.inode)
  }

  private func complete(_ save: Save, _ inode: Inode?) {
    guard let inode else { return }
    let note = FileNote.of(inode)
    guard inode.bytes == save.bytes, !note.isForsaken else { return }
    let kind = save.isValid ? "" : ", invalid"
    world.note(name, "has saved \(save.marks[index])\(kind): \(save.bytes.text.debugDescription)")
    note.save = save
    save.wasDisplaced = machine.standing !== inode
    world.judge.completed(save, at: scheduler.now)
  }

  private func delete() throws(SystemError) {
    world.note(name, "deletes the file")
    try Folder(path: World.folder).remove(World.name)
    world.judge.deletions.append(scheduler.now)
  }
}
