import HotReload
import StateJSON

extension SimulatedFile {
  /// Looks after displaced files; returns what was written to them late.
  func retireDisplaced(includingSpare: Bool = false) async throws -> [Contents] {
    if includingSpare { try await demoteSpare() }
    let (late, failure) = try await lookAfterDisplaced()
    if late.isEmpty, let failure { throw failure }
    return late
  }

  func lookAfterDisplaced() async throws -> (late: [Contents], failure: Refusal?) {
    var late: [Contents] = []
    var failure: Refusal?
    for file in displaced where !file.awaitsIngestion {
      do {
        if let contents = try await lookAfter(file) { late.append(contents) }
      } catch let refusal as Refusal {
        failure = failure ?? refusal
      }
    }
    return (late, failure)
  }

  private func lookAfter(_ file: Displaced) async throws -> Contents? {
    try await process.step("look into \(file.label)")
    let now = world.now
    let isGranted = take(.read, on: file.descriptor)
    defer { file.descriptor.lease = nil }
    if !isGranted, looksTheSame(file, now) { return nil }
    try world.mayFail(process, "read")
    let contents = try await contents(of: file.descriptor, at: nil, under: isGranted)
    if file.isInherited, file.look == nil { file.inherited = contents.hash }
    var since = now
    if let look = file.look, look.hash == contents.hash, look.status.hasSameContent(as: contents.status) {
      since = look.since
    }
    file.look = (contents.status, contents.hash, since)
    guard short(contents.hash) == file.believed else {
      if !isGranted, contents.hash == file.refused || now - since < Self.writerQuiet { return nil }
      world.note(process, "finds the late save \(contents.bytes.text.debugDescription)")
      file.awaitsIngestion = true
      world.judge.foundLate(contents.bytes, at: world.now)
      return contents
    }
    if isGranted { try await dispose(file) }
    return nil
  }

  private func looksTheSame(_ file: Displaced, _ now: UInt64) -> Bool {
    guard let look = file.look, short(look.hash) == file.believed || look.hash == file.refused else { return false }
    if now - look.since <= Self.clockGrain { return false }
    return file.inode.status.hasSameContent(as: look.status)
  }

  private func dispose(_ file: Displaced) async throws {
    displaced.removeAll { $0 === file }
    defer { file.descriptor.close() }
    try await remove(.own(file.label))
  }

  func expectMore(of contents: Contents) {
    guard let file = displaced.first(where: { $0.inode.status.identity == contents.identity }) else { return }
    if file.look != nil { file.refused = contents.hash }
    file.awaitsIngestion = false
  }

  /// A displaced save is taken care of.
  func ingested(_ contents: Contents) async throws {
    guard let file = displaced.first(where: { $0.inode.status.identity == contents.identity }) else { return }
    file.believed = short(contents.hash)
    file.awaitsIngestion = false
    var label = file.label
    if label.role == .back || label.role == .burst { label.role = .spare }
    label.base = file.believed
    label = unusedLabel(label)
    try await rename(.own(file.label), to: .own(label))
    file.label = label
    let isGranted = take(.read, on: file.descriptor)
    defer { file.descriptor.lease = nil }
    if isGranted, try await self.contents(of: file.descriptor, at: nil, under: true).hash == contents.hash {
      try await dispose(file)
    }
  }

  /// Leaves nothing behind but what somebody still writes to.
  func close() async throws {
    try await demoteSpare()
    _ = try await lookAfterDisplaced()
  }

  func retireSwappedOut() async throws {
    guard let (found, label, base) = swappedOut else { return }
    swappedOut = nil
    try await retire(found, label, base: base)
  }

  /// What came out of a swap as expected is removed, or becomes the spare, or is kept while it has a writer.
  func retire(_ found: Inspection, _ label: Label, base: UInt64) async throws {
    if world.variant == .forgetDisplacedWriters {
      found.descriptor.close()
      return try await discard(.own(label))
    }
    var isFree = if case .nobody = found.company { true } else { false }
    if world.variant == .reuseSpareBlindly { isFree = true }
    switch found.company {
    case _ where isFree && spare == nil:
      let spareLabel = unusedLabel(Label(role: .spare, inode: found.descriptor.inode.number, base: base, new: base))
      do {
        try await rename(.own(label), to: .own(spareLabel))
        found.descriptor.lease = nil
        spare = Displaced(found.descriptor, spareLabel, believed: base)
      } catch is Refusal {
        found.descriptor.close()
      }
    case .nobody, .readersOnly:
      try await discard(.own(label))
      found.descriptor.close()
    case .writer:
      found.descriptor.close()
      try await keep(label, believed: base)
    }
  }

  func keep(_ found: Inspection, _ label: Label, believed: UInt64, awaitsIngestion: Bool = false) async throws {
    found.descriptor.lease = nil
    guard case .nobody = found.company else {
      displaced.append(Displaced(found.descriptor, label, believed: believed, awaitsIngestion: awaitsIngestion))
      return
    }
    found.descriptor.close()
    try await keep(label, believed: believed, awaitsIngestion: awaitsIngestion)
  }

  func keep(_ label: Label, believed: UInt64, awaitsIngestion: Bool = false) async throws {
    do {
      guard let reader = try await open(.own(label)) else { return }
      displaced.append(Displaced(reader, label, believed: believed, awaitsIngestion: awaitsIngestion))
    } catch is Refusal {}
  }

  /// What the last swap brought out, to be overwritten, where nobody has opened it since.
  private func takeSwappedOut() async throws -> Spare? {
    guard let (found, label, base) = swappedOut else { return nil }
    swappedOut = nil
    guard case .nobody = found.company, spare == nil, found.descriptor.lease == .write,
      world.disk[.own(label)] === found.descriptor.inode
    else {
      try await retire(found, label, base: base)
      return nil
    }
    return (found.descriptor, label, true)
  }

  /// A spare, to be overwritten, if nobody has it open and it still holds what is believed.
  func takeSpare() async throws -> Spare? {
    if let fresh = try await takeSwappedOut() { return fresh }
    guard let spare else { return nil }
    try await process.step("take a write lease on \(spare.label)")
    var isFree = take(.write, on: spare.descriptor) && world.disk[.own(spare.label)] === spare.inode
    if isFree { isFree = short(try await contents(of: spare.descriptor, at: nil, under: true).hash) == spare.believed }
    guard isFree || world.variant == .reuseSpareBlindly else {
      try await demoteSpare()
      return nil
    }
    self.spare = nil
    return (spare.descriptor, spare.label, false)
  }

  /// What is about to be overwritten, and whether the last swap brought it out.
  typealias Spare = (descriptor: Descriptor, label: Label, isFresh: Bool)

  func demoteSpare() async throws {
    try await retireSwappedOut()
    guard let spare else { return }
    spare.descriptor.close()
    self.spare = nil
    try await keep(spare.label, believed: spare.believed)
  }
}
