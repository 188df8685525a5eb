import Glibc

/// What is on a machine before anybody runs there, and what is found there from outside: none of it is a call.
extension SimulatedMachine {
  /// Makes a directory.
  package func makeFolder(_ path: String, owner: UInt32, permissions: UInt32 = 0o755) {
    _ = make(.directory, path, owner: owner, permissions: permissions)
  }

  /// Makes a file.
  @discardableResult
  package func makeFile(_ path: String, _ bytes: [UInt8], owner: UInt32, permissions: UInt32 = 0o644) -> Inode {
    let inode = make(.file, path, owner: owner, permissions: permissions)
    inode.bytes = bytes
    return inode
  }

  private func make(_ kind: Inode.Kind, _ path: String, owner: UInt32, permissions: UInt32) -> Inode {
    let builder = SimulatedProcess("builder", identifier: 1, user: 0, on: self)
    do throws(Refusal) {
      let place = try files.place(of: path, from: files.root, for: builder, follows: false)
      let entry = try files.make(kind, at: place, permissions: permissions, for: builder)
      (entry.inode.owner, entry.inode.group, entry.inode.permissions) = (owner, owner, permissions)
      return entry.inode
    } catch {
      preconditionFailure("\(path) can't be made: error \(error.errno)")
    }
  }

  /// Changes what is in a file as who has it mapped into memory does: nobody is told.
  package func writeMapped(_ bytes: [UInt8], to inode: Inode, by process: SimulatedProcess) {
    if inode.bytes.count > bytes.count {
      inode.bytes.replaceSubrange(..<bytes.count, with: bytes)
    } else {
      inode.bytes = bytes
    }
    (inode.modified, inode.changed) = (files.now, files.now)
    files.observer?.wrote(inode, by: process)
  }

  /// What stands at a path; nil if nothing does.
  package func file(at path: String) -> Inode? {
    var entry: Entry? = files.root
    for name in path.split(separator: "/") { entry = entry?.inode.entries[String(name)] }
    return entry?.inode
  }

  /// What is in a directory, by name.
  package func files(in path: String) -> [Entry] {
    (file(at: path)?.entries.values.map { $0 } ?? []).sorted { $0.name < $1.name }
  }
}
