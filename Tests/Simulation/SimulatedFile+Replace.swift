import HotReload
import StateJSON

extension SimulatedFile {
  /// New contents, complete, under a name of their own.
  struct Temporary {
    let label: Label
    let inode: Inode
    let contents: Contents
    /// What it is called: in a burst, that doesn't tell what the label does.
    let named: Label
    /// Still open as it was written, in a row of commits.
    var file: Descriptor?

    var name: Name { .own(named) }
  }

  func replace(
    with bytes: [UInt8], expecting base: Contents, stamp: Stamp, tokens: [String]
  ) async throws -> Replacement {
    if world.variant == .writeInPlace { return try await replaceInPlace(with: bytes, stamp: stamp, tokens: tokens) }
    if try await standsOtherThanWritten() { return .changed }
    newest = base
    guard let standing = try await open(.path) else { return .missing }
    standing.close()
    let temporary = try await prepare(bytes, replacing: base, stamp: stamp)
    defer { if written !== temporary.file { temporary.file?.close() } }
    // An empty file counts as missing.
    if base.bytes.isEmpty { world.judge.wasMadeAnew = true }
    if world.variant == .renameInsteadOfExchange {
      if let old = world.disk[.path] { world.judge.destroys(old, where: nil, by: process.name) }
      try await rename(temporary.name, to: .path)
      world.judge.stands(bytes, holding: tokens, at: world.now)
      world.notify(.now)
      return .replaced(temporary.contents)
    }
    do {
      try await exchange(temporary.name, .path)
    } catch let refusal as Refusal {
      if world.disk[temporary.name] === temporary.inode {
        try await discard(temporary.name)
        if refusal.reason == .ENOENT { return .missing }
        throw refusal
      }
      if world.variant == .forgetOwnStamp {
        world.judge.stands(bytes, holding: tokens, at: world.now)
        throw refusal
      }
    }
    world.judge.stands(bytes, holding: tokens, at: world.now)
    if world.variant == .noInspection {
      try await discard(temporary.name)
      return .replaced(temporary.contents)
    }
    return try await inspect(temporary, expecting: base)
  }

  func create(with bytes: [UInt8], stamp: Stamp, tokens: [String]) async throws -> Contents? {
    let temporary = try await prepare(bytes, replacing: nil, stamp: stamp)
    defer { temporary.file?.close() }
    try await process.step("rename \(temporary.name) to f, if nothing is there")
    if world.disk[.path] != nil, world.variant != .createOverwrites {
      try await discard(temporary.name)
      return nil
    }
    do {
      try world.mayFail(process, "rename")
      try world.disk.rename(temporary.name, to: .path)
      world.judge.stands(bytes, holding: tokens, at: world.now)
      world.judge.wasMadeAnew = true
      world.notify(.now)
    } catch let refusal as Refusal {
      try await discard(temporary.name)
      throw refusal
    }
    return temporary.contents
  }

  private func prepare(_ bytes: [UInt8], replacing base: Contents?, stamp: Stamp) async throws -> Temporary {
    var label = Label(role: .tmp, inode: 0, base: short(base?.hash), new: short(stamp.content))
    let descriptor: Descriptor
    if let reused = try await takeSpare() {
      label.inode = reused.descriptor.inode.number
      // In a burst the stamp tells what the name does otherwise.
      let isBurst = reused.isFresh && base?.stamp != nil
      if !isBurst { label = unusedLabel(label) }
      var named = isBurst ? reused.label : label
      if isBurst, named.role != .burst { named = unusedLabel(Label(burstOf: instance)) }
      do {
        if named != reused.label { try await rename(.own(reused.label), to: .own(named)) }
      } catch let refusal as Refusal {
        reused.descriptor.close()
        throw refusal
      }
      return try await fill(reused.descriptor, label, bytes, stamp, named: named, isFresh: reused.isFresh)
    } else {
      try await remove(.own(label))
      try await process.step("make \(label)")
      try world.mayFail(process, "open", .ENOSPC)
      let inode = try world.disk.make(.own(label))
      descriptor = Descriptor(inode, by: process, writing: true)
      let provisional = label
      label.inode = inode.number
      label = unusedLabel(label)
      do {
        try await rename(.own(provisional), to: .own(label))
      } catch let refusal as Refusal {
        descriptor.close()
        try await discard(.own(provisional))
        throw refusal
      }
    }
    return try await fill(descriptor, label, bytes, stamp)
  }

  private func fill(
    _ descriptor: Descriptor, _ label: Label, _ bytes: [UInt8], _ stamp: Stamp, named: Label? = nil,
    isFresh: Bool = false
  ) async throws -> Temporary {
    let inode = descriptor.inode
    let named = named ?? label
    do {
      if named.role == .burst, world.variant != .burstWithoutMark {
        try await process.step("mark \(named) as unfinished")
        try world.mayFail(process, "fsetxattr", .ENOSPC)
        inode.stamp = nil
        inode.isUnfinished = true
      }
      let half = world.random.below(bytes.count)
      try await process.step("write the first \(half) bytes to \(label)")
      world.judge.destroys(inode, where: world.disk[.path], by: process.name)
      world.disk.write(bytes[..<half], at: 0, to: inode, now: world.now)
      try world.mayFail(process, "write", .ENOSPC)
      try await process.step("write \(bytes.text.debugDescription)")
      world.disk.write(bytes[half...], at: half, to: inode, now: world.now)
      world.disk.truncate(inode, to: bytes.count, now: world.now)
      try world.mayFail(process, "fsetxattr", .ENOSPC)
      try await process.step("stamp it")
      inode.stamp = stamp
    } catch let refusal as Refusal {
      descriptor.close()
      try await discard(.own(named))
      throw refusal
    }
    let contents = Contents(bytes: bytes, hash: stamp.content, status: inode.status, stamp: stamp, settled: true)
    pin?.close()
    pin = Descriptor(pinning: inode, by: process)
    var temporary = Temporary(label: label, inode: inode, contents: contents, named: named)
    descriptor.lease = nil
    if isFresh { temporary.file = descriptor } else { descriptor.close() }
    return temporary
  }

  /// Gives what was swapped out under the name of a burst one that tells what it is, since it isn't written next.
  private func endBurst(of temporary: Temporary) async throws -> Label {
    guard temporary.named.role == .burst else { return temporary.named }
    let label = unusedLabel(temporary.label)
    do {
      try await rename(temporary.name, to: .own(label))
      return label
    } catch is Refusal {
      return temporary.named
    }
  }

  private func inspect(_ temporary: Temporary, expecting base: Contents) async throws -> Replacement {
    newest = nil
    let found: Inspection
    let open = written
    written = nil
    do {
      found = try await inspect(temporary.name, openAs: open)
    } catch is Refusal {
      try await keep(endBurst(of: temporary), believed: temporary.label.base)
      return .replaced(temporary.contents)
    }
    let isExpected = found.contents.bytes == base.bytes
    var named = temporary.named
    // Only what nobody else has open is written next.
    if case .nobody = found.company, isExpected {} else { named = try await endBurst(of: temporary) }
    guard isExpected else {
      world.note(process, "displaced \(found.contents.bytes.text.debugDescription), a foreign save")
      try await keep(found, named, believed: temporary.label.base, awaitsIngestion: true)
      return .displaced(found.contents, now: temporary.contents)
    }
    swappedOut = (found, named, temporary.label.base)
    newest = temporary.contents
    written = temporary.file
    return .replaced(temporary.contents)
  }

  private func replaceInPlace(with bytes: [UInt8], stamp: Stamp, tokens: [String]) async throws -> Replacement {
    guard let descriptor = try await open(.path, writing: true) else { return .missing }
    let inode = descriptor.inode
    if let save = inode.save, save.bytes == inode.bytes { inode.save = nil }
    let half = bytes.count / 2
    world.disk.write(bytes[..<half], at: 0, to: inode, now: world.now)
    world.disk.truncate(inode, to: half, now: world.now)
    world.notify(.now)
    try await process.step("write the rest in place")
    world.disk.write(bytes[half...], at: half, to: inode, now: world.now)
    inode.stamp = stamp
    descriptor.close()
    world.judge.stands(bytes, holding: tokens, at: world.now)
    world.notify(.now)
    return .replaced(
      Contents(bytes: bytes, hash: stamp.content, status: inode.status, stamp: stamp, settled: true))
  }
}
