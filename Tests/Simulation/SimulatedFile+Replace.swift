import HotReload
import StateJSON

extension SimulatedFile {
  /// New contents, complete, under a name of their own.
  struct Temporary {
    let label: Label
    let inode: Inode
    let contents: Contents

    var name: Name { .own(label) }
  }

  func replace(
    with bytes: [UInt8], expecting base: Contents, stamp: Stamp, tokens: [String]
  ) async throws -> Replacement {
    try await retireSwappedOut()
    if world.variant == .writeInPlace { return try await replaceInPlace(with: bytes, stamp: stamp, tokens: tokens) }
    guard let standing = try await open(.path) else { return .missing }
    standing.close()
    let temporary = try await prepare(bytes, replacing: base.hash, stamp: stamp)
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

  private func prepare(_ bytes: [UInt8], replacing base: ContentHash?, stamp: Stamp) async throws -> Temporary {
    var label = Label(role: .tmp, inode: 0, base: short(base), new: short(stamp.content))
    let descriptor: Descriptor
    if let reused = try await takeSpare() {
      label.inode = reused.inode.number
      label = unusedLabel(label)
      do {
        try await rename(.own(reused.label), to: .own(label))
      } catch let refusal as Refusal {
        reused.descriptor.close()
        throw refusal
      }
      descriptor = reused.descriptor
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
    _ descriptor: Descriptor, _ label: Label, _ bytes: [UInt8], _ stamp: Stamp
  ) async throws -> Temporary {
    let inode = descriptor.inode
    do {
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
      try await discard(.own(label))
      throw refusal
    }
    let contents = Contents(bytes: bytes, hash: stamp.content, status: inode.status, stamp: stamp, settled: true)
    pin?.close()
    pin = Descriptor(pinning: inode, by: process)
    descriptor.close()
    return Temporary(label: label, inode: inode, contents: contents)
  }

  private func inspect(_ temporary: Temporary, expecting base: Contents) async throws -> Replacement {
    let found: Inspection
    do {
      found = try await inspect(temporary.name)
    } catch is Refusal {
      try await keep(temporary.label, believed: temporary.label.base)
      return .replaced(temporary.contents)
    }
    guard found.contents.bytes == base.bytes else {
      world.note(process, "displaced \(found.contents.bytes.text.debugDescription), a foreign save")
      try await keep(found, temporary.label, believed: temporary.label.base, awaitsIngestion: true)
      return .displaced(found.contents, now: temporary.contents)
    }
    swappedOut = (found, temporary.label)
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
