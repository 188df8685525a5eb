import HotReload
import StateJSON

/// A program that saves the file, in one style or another, knowing nothing of instances.
final class Editor {
  private struct Crash: Error {}

  private static let piece = 40

  let index: Int
  let world: World
  let process: Process
  /// What it would save: the last that it could read, or wrote.
  private var buffer: [UInt8]
  private var count = 0
  /// What its buffer comes from; none if an instance wrote that.
  private var origin: Save?
  private var open: Descriptor?

  init(_ index: Int, world: World) {
    self.index = index
    self.world = world
    process = Process("editor \(index)", in: world)
    (buffer, origin) = (world.judge.initial.bytes, world.judge.initial)
  }

  func run() async throws {
    let pace = world.random.pick([200_000, 5_000_000, 100_000_000])
    for number in 0..<world.plan.saves {
      try await process.sleep(UInt64(world.random.below(pace)))
      if world.plan.hasDeletions, world.random.oneIn(4) { try await delete() }
      let isLast = number == world.plan.saves - 1
      let isInvalid = world.plan.hasInvalidSaves && !isLast && world.random.oneIn(3)
      if !world.plan.areEditorsFresh, open == nil {
        try await process.step("loads the file")
        load()
        try await process.sleep(UInt64(world.random.below(pace)))
      }
      let style = world.random.pick(world.plan.styles)
      do {
        try await save(style, isInvalid: isInvalid)
      } catch is Crash {
        // It is started again, and what it left is mended in the end.
        try await process.sleep(UInt64(world.random.below(pace)))
        if isLast { try await renameOver(false) }
      }
    }
    open?.close()
    if let inode = open?.inode, world.disk[.path] === inode { world.notify(.now) }
    world.editorsAtWork -= 1
  }

  /// What it loads is never newer than the file it then writes to.
  private func loadIfFresh() { if world.plan.areEditorsFresh { load() } }

  /// Takes over what is in the file, if it makes sense.
  private func load() {
    guard let bytes = world.disk[.path]?.bytes, let document = try? JSONDocument(parsing: bytes),
      (0..<DocumentModel.editors).allSatisfy({
        document.value.string(at: "e\($0)") == document.value.string(at: "z\($0)")
      })
    else { return }
    buffer = bytes
    origin = world.disk[.path]?.author
  }

  /// Makes the next version.
  private func edit(isInvalid: Bool) -> Save {
    count += 1
    let digits = String(count)
    let mark = Array((String(repeating: "0", count: 4 - digits.count) + digits).utf8)
    for key: Character in ["e", "z"] {
      if let range = buffer.markRange(of: index, key: key) { buffer.replaceSubrange(range, with: mark) }
    }
    var bytes = buffer
    if isInvalid, let brace = bytes.lastIndex(of: UInt8(ascii: "}")) { bytes[brace] = UInt8(ascii: "!") }
    return Save(editor: index, bytes: bytes, isValid: !isInvalid, opened: world.now, origin: origin)
  }

  private func complete(_ save: Save, _ inode: Inode) {
    inode.isBeingSaved = false
    guard inode.bytes == save.bytes, !inode.isForsaken else { return }
    let kind = save.isValid ? "" : ", invalid"
    world.note(process, "has saved \(save.marks[index])\(kind): \(save.bytes.text.debugDescription)")
    inode.save = save
    save.wasDisplaced = world.disk[.path] !== inode
    world.judge.completed(save, at: world.now)
    notify(inode, .now)
  }

  private func notify(_ inode: Inode, _ news: Instance.News) {
    world.lastChange = world.now
    if world.disk[.path] === inode { world.notify(news) }
  }

  /// What this editor destroys, it destroys knowingly.
  private func overwrite(_ inode: Inode?, with draft: Save? = nil) {
    inode?.save?.isOverwritten = true
    inode?.save = nil
    inode?.draft = draft
  }

  private func forsake() {
    overwrite(world.disk[.path])
    world.disk[.path]?.isForsaken = true
  }

  private func save(_ style: SaveStyle, isInvalid: Bool) async throws {
    if style != .descriptorKeptOpen {
      open?.close()
      open = nil
    }
    switch style {
    case .renameOver: try await renameOver(isInvalid)
    case .truncateAndWrite, .copyOverInPieces: try await truncateAndWrite(isInvalid, inOne: style == .truncateAndWrite)
    case .writeThenTruncate: try await writeThenTruncate(isInvalid, keepsOpen: false)
    case .descriptorKeptOpen: try await writeThenTruncate(isInvalid, keepsOpen: true)
    case .unlinkAndCreate: try await unlinkAndCreate(isInvalid)
    case .renameToBackup: try await renameToBackup(isInvalid)
    }
  }

  private func renameOver(_ isInvalid: Bool) async throws {
    try await process.step("writes another file and renames it over")
    loadIfFresh()
    let save = edit(isInvalid: isInvalid)
    let name = Name.foreign("f~\(index)")
    world.disk.remove(name)
    let inode = try world.disk.make(name)
    world.disk.write(save.bytes[...], at: 0, to: inode, now: world.now)
    forsake()
    try world.disk.rename(name, to: .path)
    complete(save, inode)
  }

  private func truncateAndWrite(_ isInvalid: Bool, inOne: Bool) async throws {
    guard let descriptor = try await openForWriting() else { return try await renameOver(isInvalid) }
    // A truncating open takes hold of the file and empties it at once.
    let save = edit(isInvalid: isInvalid)
    world.note(process, "truncates inode \(descriptor.inode.number)")
    overwrite(descriptor.inode, with: save)
    world.disk.truncate(descriptor.inode, to: 0, now: world.now)
    notify(descriptor.inode, .afterQuiet)
    try await write(save, descriptor, piece: inOne ? save.bytes.count : Self.piece, mayDawdle: true)
    complete(save, descriptor.inode)
    descriptor.close()
  }

  private func writeThenTruncate(_ isInvalid: Bool, keepsOpen: Bool) async throws {
    if open?.inode.isForsaken == true {
      open?.close()
      open = nil
    }
    var descriptor = open
    if descriptor == nil {
      descriptor = try await openForWriting()
    } else {
      try await process.step("writes into the file it has open")
      try await awaitTurn { descriptor?.inode.isBeingSaved == true }
      descriptor?.inode.isBeingSaved = true
    }
    guard let descriptor else { return try await renameOver(isInvalid) }
    let save = edit(isInvalid: isInvalid)
    overwrite(descriptor.inode, with: save)
    // What is half old and half new may look like a whole, so it isn't left for long.
    process.hurry = world.now + 15_000_000
    try await write(save, descriptor, piece: keepsOpen ? save.bytes.count : Self.piece, mayDawdle: false)
    if descriptor.inode.bytes.count > save.bytes.count {
      try await process.step("ftruncate")
      world.disk.truncate(descriptor.inode, to: save.bytes.count, now: world.now)
    }
    process.hurry = nil
    complete(save, descriptor.inode)
    if keepsOpen {
      open = descriptor
    } else {
      descriptor.close()
    }
  }

  private func unlinkAndCreate(_ isInvalid: Bool) async throws {
    try await process.step("unlinks f")
    loadIfFresh()
    let save = edit(isInvalid: isInvalid)
    forsake()
    world.disk.remove(.path)
    world.notify(.now)
    try await create(save)
  }

  private func renameToBackup(_ isInvalid: Bool) async throws {
    try await process.step("renames f to a backup")
    loadIfFresh()
    let save = edit(isInvalid: isInvalid)
    let backup = Name.foreign("backup\(index)")
    forsake()
    if world.disk[.path] != nil { try world.disk.rename(.path, to: backup) }
    world.notify(.now)
    try await create(save)
    try await process.step("unlinks its backup")
    world.disk.remove(backup)
  }

  private func create(_ save: Save) async throws {
    try await process.step("creates f")
    let inode: Inode
    if let standing = world.disk[.path] {
      inode = standing
    } else {
      inode = try world.disk.make(.path)
    }
    let descriptor = try await enter(inode)
    overwrite(inode, with: save)
    world.disk.truncate(inode, to: 0, now: world.now)
    world.notify(.now)
    try await write(save, descriptor, piece: Self.piece, mayDawdle: true)
    complete(save, inode)
    descriptor.close()
  }

  private func delete() async throws {
    try await process.step("deletes f")
    forsake()
    world.disk.remove(.path)
    world.judge.deletions.append(world.now)
    world.notify(.now)
  }

  private func openForWriting() async throws -> Descriptor? {
    try await process.step("opens f for writing")
    guard let inode = world.disk[.path] else { return nil }
    loadIfFresh()
    return try await enter(inode)
  }

  /// Opens a file for writing; counts as a writer while it waits for a lease to end.
  private func enter(_ inode: Inode) async throws -> Descriptor {
    let descriptor = Descriptor(inode, by: process, writing: true)
    try await awaitTurn { descriptor.isBlocked() || inode.isBeingSaved }
    inode.isBeingSaved = true
    return descriptor
  }

  private func awaitTurn(while isBusy: () -> Bool) async throws {
    var pause: UInt64 = 10_000
    while isBusy() {
      try await process.sleep(pause)
      pause = min(2 * pause, 1_000_000)
    }
  }

  private func write(_ save: Save, _ descriptor: Descriptor, piece: Int, mayDawdle: Bool) async throws {
    var offset = 0
    while offset < save.bytes.count {
      if mayDawdle, world.plan.kills > 0, world.random.oneIn(40) {
        descriptor.inode.isBeingSaved = false
        descriptor.close()
        notify(descriptor.inode, .now)
        world.note(process, "crashes, and leaves half a save")
        world.judge.destructions.append(world.now)
        throw Crash()
      }
      if mayDawdle, world.random.oneIn(8) {
        try await process.sleep(UInt64(world.random.pick([1_000_000, 30_000_000, 200_000_000])))
      }
      let end = min(save.bytes.count, offset + piece)
      try await process.step("writes bytes \(offset)..<\(end)")
      world.disk.write(save.bytes[offset..<end], at: offset, to: descriptor.inode, now: world.now)
      notify(descriptor.inode, .afterQuiet)
      offset = end
    }
    try await process.step("closes")
  }
}
