import HotReload
import StateJSON

extension SimulatedFile {
  typealias Restored = (now: Snapshot, setAside: [Contents])

  /// Puts a displaced save that is invalid back to the path.
  func swapBack(_ invalid: Contents) async throws -> Restored {
    let setAside = try await putBack(invalid)
    do {
      return (try await read(), setAside)
    } catch let refusal as Refusal {
      for file in displaced where setAside.contains(where: { $0.identity == file.inode.status.identity }) {
        file.awaitsIngestion = false
      }
      throw refusal
    }
  }

  private func putBack(_ invalid: Contents) async throws -> [Contents] {
    guard let kept = displaced.first(where: { $0.inode.status.identity == invalid.identity }) else { return [] }
    try await process.step("stat f")
    guard let own = world.disk[.path], own.number == kept.label.inode else { return [invalid] }
    let label: Label
    do {
      label = try await renameToPutBack(kept.label)
    } catch is Refusal {
      return [invalid]
    }
    kept.label = label
    var hand: (inode: Inode, contents: Contents?) = (kept.inode, invalid)
    var expected: (inode: Inode, hash: UInt64?) = (own, label.new)
    var setAside: [Contents] = []
    while true {
      if try await !exchange(label, of: hand.inode) {
        if displaced.contains(where: { $0 === kept }) { return [invalid] }
        try await keep(label, believed: label.believed(of: hand.inode), awaitsIngestion: hand.contents != nil)
        return setAside + [hand.contents].compactMap(\.self)
      }
      if hand.inode.bytes.isEmpty { world.judge.standsEmptyAgain(at: world.now) }
      displaced.removeAll { $0 === kept }
      kept.descriptor.isLocked = false
      defer { kept.descriptor.close() }
      let believed = label.believed(of: expected.inode)
      let isSetAside = setAside.contains { $0.identity == expected.inode.status.identity }
      let came: (inode: Inode, contents: Contents?)
      do {
        let found = try await inspect(.own(label))
        if expected.hash.map({ $0 == short(found.contents.hash) }) ?? (found.descriptor.inode === expected.inode) {
          if expected.hash == label.new {
            try await retire(found, label, base: label.new)
          } else {
            try await keep(found, label, believed: believed, awaitsIngestion: isSetAside)
          }
          return setAside
        }
        came = (found.descriptor.inode, found.contents)
        found.descriptor.close()
      } catch is Refusal {
        guard let inode = world.disk[.own(label)], inode !== expected.inode else {
          try await keep(label, believed: believed, awaitsIngestion: isSetAside)
          return setAside
        }
        came = (inode, nil)
      }
      if let contents = hand.contents { setAside.append(contents) }
      expected = (hand.inode, hand.contents.map { short($0.hash) })
      hand = came
    }
  }

  private func exchange(_ beside: Label, of inode: Inode) async throws -> Bool {
    do {
      try await exchange(.own(beside), .path)
    } catch is Refusal {
      // It may have happened nevertheless.
      if world.disk[.own(beside)] === inode { return false }
    }
    if let write = world.disk[.own(beside)]?.stamp { world.judge.withdrawn(write.content) }
    return true
  }

  /// Gives what was swapped out a name that holds whether it is put back to the path or not.
  func renameToPutBack(_ label: Label) async throws -> Label {
    var back = label
    (back.role, back.attempt) = (.back, 0)
    back = unusedLabel(back)
    try await rename(.own(label), to: .own(back))
    return back
  }
}
