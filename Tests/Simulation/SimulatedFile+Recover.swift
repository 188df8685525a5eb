import HotReload
import StateJSON

extension SimulatedFile {
  /// Looks after what killed instances left; returns saves that nobody has looked at.
  func recover() async throws -> [Contents] {
    for label in orphans() {
      do {
        try await adopt(label)
      } catch is Refusal {}
    }
    return try await lookAfterDisplaced().late
  }

  var needsRecovery: Bool { !orphans().isEmpty }

  private func orphans() -> [Label] {
    var own = Set(displaced.map(\.label))
    if let spare { own.insert(spare.label) }
    return world.disk.names.keys.compactMap { name in
      guard case .own(let label) = name, !own.contains(label) else { return nil }
      return label
    }.sorted { ($0.inode, $0.description) < ($1.inode, $1.description) }
  }

  private func adopt(_ label: Label) async throws {
    guard let descriptor = try await open(.own(label)) else { return }
    guard descriptor.tryLock() else { return descriptor.close() }
    if label.role == .tmp, label.inode == 0 || label.inode == descriptor.inode.number {
      defer { descriptor.close() }
      return try await remove(.own(label))
    }
    world.note(process, "takes over \(label)")
    displaced.append(Displaced(descriptor, label, believed: label.believed(of: descriptor.inode), isInherited: true))
  }

  /// Whether an instance may have died between swapping these contents in and looking at what came out, or putting
  /// that back.
  func mayHaveOrphan(of contents: Contents) -> Bool {
    guard let stamp = contents.stamp, stamp.instance != instance else { return false }
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
