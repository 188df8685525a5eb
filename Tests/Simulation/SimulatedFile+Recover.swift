import HotReload
import StateJSON

extension SimulatedFile {
  /// What tells that a version came to stand.
  enum Evidence {
    case stood(UInt64)
    case gaveWay(UInt64)
  }

  /// Looks after what killed instances left; returns saves that nobody has looked at, and what is known to have stood.
  func recover() async throws -> (saves: [Contents], evidence: [Evidence]) {
    var evidence: [Evidence] = []
    written?.close()
    written = nil
    for label in orphans() {
      do {
        if let known = try await adopt(label) { evidence.append(known) }
      } catch is Refusal {}
    }
    return (try await lookAfterDisplaced().late, evidence)
  }

  var needsRecovery: Bool { !orphans().isEmpty }

  private func orphans() -> [Label] {
    var own = Set(displaced.map(\.label))
    if let spare { own.insert(spare.label) }
    if let swappedOut { own.insert(swappedOut.label) }
    return world.disk.names.keys.compactMap { name in
      guard case .own(let label) = name, !own.contains(label) else { return nil }
      return label
    }.sorted { ($0.inode, $0.description) < ($1.inode, $1.description) }
  }

  private func adopt(_ label: Label) async throws -> Evidence? {
    guard let descriptor = try await open(.own(label)) else { return nil }
    guard descriptor.tryLock() else {
      descriptor.close()
      return nil
    }
    if label.role == .burst { return try await adoptFromBurst(label, descriptor) }
    if label.role == .tmp, label.inode == 0 || label.inode == descriptor.inode.number {
      defer { descriptor.close() }
      try await remove(.own(label))
      return nil
    }
    world.note(process, "takes over \(label)")
    displaced.append(Displaced(descriptor, label, believed: label.believed(of: descriptor.inode), isInherited: true))
    return label.role == .tmp ? .stood(label.new) : nil
  }

  private func adoptFromBurst(_ label: Label, _ descriptor: Descriptor) async throws -> Evidence? {
    try await process.step("stat f, and its stamp")
    let (inode, standing) = (descriptor.inode, world.disk[.path]?.stamp)
    let isOwn = inode.stamp?.content == ContentHash(inode.bytes)
    let isPrepared = isOwn && standing != nil && inode.stamp?.predecessor == standing?.content
    if inode.isUnfinished || isPrepared {
      defer { descriptor.close() }
      try await remove(.own(label))
      return nil
    }
    world.note(process, "takes over \(label)")
    let isNewest = standing.map { Label(burstOf: $0.instance).base == label.base } ?? false
    let believed = short(inode.stamp?.content ?? (isNewest ? standing?.predecessor : nil))
    let spare = unusedLabel(Label(role: .spare, inode: inode.number, base: believed, new: believed))
    do {
      try await rename(.own(label), to: .own(spare))
      displaced.append(Displaced(descriptor, spare, believed: believed, isInherited: true))
    } catch is Refusal {
      displaced.append(Displaced(descriptor, label, believed: believed, isInherited: true))
    }
    return .gaveWay(believed)
  }

  /// Whether an instance may have died between swapping these contents in and looking at what came out, or putting
  /// that back.
  func mayHaveOrphan(of contents: Contents) -> Bool {
    guard let stamp = contents.stamp else { return orphans().contains { $0.role != .spare } }
    guard stamp.instance != instance else { return false }
    let labels = [Label.Role.tmp, .back].map { role in
      Label(role: role, inode: Int(contents.identity.inode), base: short(stamp.predecessor), new: short(stamp.content))
    }
    return (labels + [Label(burstOf: stamp.instance)]).contains { world.disk[.own($0)] != nil }
  }

  func origin(of late: Contents) -> (base: String, successor: String?)? {
    displaced.first { $0.inode.status.identity == late.identity }.map { file in
      (digits(file.believed), file.inherited == late.hash ? digits(file.label.new) : nil)
    }
  }
}
