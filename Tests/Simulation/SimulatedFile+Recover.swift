import HotReload
import StateJSON

extension SimulatedFile {
  /// Looks after what killed instances left; returns saves that nobody has looked at, and the versions that came to stand.
  func recover() async throws -> (saves: [Contents], stood: [UInt64]) {
    var stood: [UInt64] = []
    for label in orphans() {
      do {
        if try await adopt(label) { stood.append(label.new) }
      } catch is Refusal {}
    }
    return (try await lookAfterDisplaced().late, stood)
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

  /// Returns whether it was swapped out.
  private func adopt(_ label: Label) async throws -> Bool {
    guard let descriptor = try await open(.own(label)) else { return false }
    guard descriptor.tryLock() else {
      descriptor.close()
      return false
    }
    if label.role == .tmp, label.inode == 0 || label.inode == descriptor.inode.number {
      defer { descriptor.close() }
      try await remove(.own(label))
      return false
    }
    world.note(process, "takes over \(label)")
    displaced.append(Displaced(descriptor, label, believed: label.believed(of: descriptor.inode), isInherited: true))
    return label.role == .tmp
  }

  /// Whether an instance may have died between swapping these contents in and looking at what came out, or putting
  /// that back.
  func mayHaveOrphan(of contents: Contents) -> Bool {
    guard let stamp = contents.stamp else { return orphans().contains { $0.role != .spare } }
    guard stamp.instance != instance else { return false }
    return [Label.Role.tmp, .back].contains { role in
      let label = Label(
        role: role, inode: Int(contents.identity.inode), base: short(stamp.predecessor), new: short(stamp.content))
      return world.disk[.own(label)] != nil
    }
  }

  func origin(of late: Contents) -> (base: String, successor: String?)? {
    displaced.first { $0.inode.status.identity == late.identity }.map { file in
      (digits(file.believed), file.inherited == late.hash ? digits(file.label.new) : nil)
    }
  }
}
