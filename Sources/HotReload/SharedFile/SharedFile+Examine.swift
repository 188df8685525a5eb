import StateJSON

extension SharedFile {
  /// Whether the file looks another than when it was last read or written, by size, times or inode.
  ///
  /// Cheap, but no proof of sameness: bytes can change within one tick of a file system's clock.
  var hasMovedOn: Bool {
    // What can't be examined is read next, and reading says why it can't.
    guard let walk = try? PathWalk(path), let target = walk.target else { return true }
    guard target.name == name, target.directory == folder.path else { return true }
    guard let status = try? folder.status(of: name) else { return seen.status != nil }
    return seen.status.map { !status.hasSameContent(as: $0) } ?? true
  }

  /// Whether what was read or written last stands at the path and has not been written to, for who has watched its name all the
  /// time: with another name, somebody could have written to it within one tick of the file system's clock.
  package var standsAsSeen: Bool {
    // What can't be examined counts as missing here: where something was seen, reading it says why it can't be.
    guard let status = try? folder.status(of: name) else { return seen.status == nil }
    return status.links == 1 && seen.status.map(status.hasSameContent) == true
  }

  /// For how many nanoseconds no name in the folder has changed, as far as its clock tells.
  func folderAge() throws(SystemError) -> UInt64 {
    let age = WallClock.now() - (try folder.descriptor.status().modified) / 1_000_000
    return UInt64(max(0, age)) * 1_000_000
  }

  /// Whether an instance may have died between swapping these contents in and looking at what came out, or putting
  /// that back.
  ///
  /// The names follow from the stamp and the inode, so this costs four look-ups. A save of somebody else has no stamp, and
  /// may have been written over those contents, so the folder is listed then.
  func mayHaveOrphan(of contents: Contents) -> Bool {
    guard let stamp = contents.stamp else { return (try? orphans())?.contains { $0.label.role != .spare } == true }
    guard stamp.instance != instance else { return false }
    let labels = [SharedFileName.Role.temporary, .back, .aside].map { role in
      SharedFileName(
        role: role, inode: contents.identity.inode, base: SharedFileName.short(stamp.predecessor),
        new: SharedFileName.short(stamp.content))
    }
    return (labels + [SharedFileName(burstOf: stamp.instance)]).contains { label in
      // A folder that can't be examined gives no reason to look for orphans in it.
      (try? folder.status(of: label.text(prefix))) != nil
    }
  }

  /// For a save that `retireDisplaced` or `recover` returned: the beginnings of the digits of the hashes of what its file
  /// held when it was displaced, and, where an instance that was killed may have taken it in, of what displaced it.
  package func origin(of late: Contents) -> (base: String, successor: String?)? {
    displaced.first { $0.identity == late.identity }.map { file in
      (file.believed, file.mayBeTakenIn(late) ? SharedFileName(file.name, prefix: prefix)?.new : nil)
    }
  }
}
