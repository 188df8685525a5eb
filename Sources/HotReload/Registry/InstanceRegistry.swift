/// Who mirrors which file, in a user's state folder.
struct InstanceRegistry {
  /// The pauses between attempts to take a lock that another process holds for microseconds, in nanoseconds: two seconds in all, since a
  /// busy machine may stop that process meanwhile.
  private static let pauses = (0..<48).map { 100_000 << min($0, 9) as UInt64 }

  private let folder: Folder

  /// Opens the registry, and makes its folder where it is missing.
  init(stateFolder: String = StateFolder.path) throws(SystemError) {
    folder = try StateFolder.open(stateFolder)
  }

  /// The instances that mirror a file now, by their names. What killed ones left is removed.
  func instances(of file: String) throws(SystemError) -> [InstanceEntry] {
    var entries: [InstanceEntry] = []
    for stem in try stems(startingWith: InstanceEntry.prefix(of: file)) {
      if let entry = try entry(stem) { entries.append(entry) }
    }
    return entries.sorted { $0.stem < $1.stem }
  }

  /// Connects to an instance, to be told how it is; nil if it can't be asked.
  func connect(to entry: InstanceEntry) -> LocalSocket? {
    // Whatever the reason, it is one of the instance's: it leaves, or so many ask that no more can.
    guard let socket = try? LocalSocket(connectingTo: entry.socketName, in: folder), socket.isSameUser else {
      return nil
    }
    return socket
  }

  /// Enters an instance, after removing what killed instances of any file have left.
  ///
  /// - Returns: Its lock, which lasts until it is closed.
  func enter(_ entry: InstanceEntry) throws(SystemError) -> FileDescriptor {
    for stem in try stems(startingWith: "") { _ = try self.entry(stem) }
    for pause in Self.pauses {
      let lock = try folder.open(entry.lockName, System.O_RDWR | System.O_CREAT, permissions: 0o600)
      // Somebody may take it for a leftover before it is locked, and remove it.
      if try lock.tryLock(), try folder.status(of: entry.lockName)?.identity == lock.status().identity {
        try lock.write(entry.contents)
        return lock
      }
      MonotonicClock.sleep(nanoseconds: pause)
    }
    throw SystemError(call: "flock", errno: System.EWOULDBLOCK, path: folder.path(of: entry.lockName))
  }

  /// Where an instance that was entered is asked.
  func listen(as entry: InstanceEntry) throws(SystemError) -> LocalSocket {
    try LocalSocket(listeningAt: entry.socketName, in: folder)
  }

  /// Takes an instance off the list: the socket first, so that none is there without a lock.
  func remove(_ stem: String) {
    // What can't be removed is found unlocked by the next instance.
    try? folder.remove(stem + ".socket")
    try? folder.remove(stem + InstanceEntry.lockSuffix)
  }

  /// The entries of this machine: who shares the folder from another one can't be asked, nor his lock be relied on.
  private func stems(startingWith prefix: String) throws(SystemError) -> [String] {
    try folder.names(startingWith: prefix).compactMap { name in
      guard name.hasSuffix(InstanceEntry.lockSuffix), name.contains("-\(Machine.identifier)-") else { return nil }
      return String(name.dropLast(InstanceEntry.lockSuffix.count))
    }
  }

  /// An entry, if its instance lives; otherwise it is removed.
  private func entry(_ stem: String) throws(SystemError) -> InstanceEntry? {
    let name = stem + InstanceEntry.lockSuffix
    do throws(SystemError) {
      let lock = try folder.open(name, System.O_RDONLY)
      guard try lock.tryLock() else {
        return InstanceEntry(stem: stem, contents: try lock.contents(expecting: 128, limit: 1 << 16))
      }
      // Its name may have been given anew in the meantime.
      if try folder.status(of: name)?.identity == lock.status().identity { remove(stem) }
      return nil
    } catch {
      if error.errno == System.ENOENT { return nil }
      throw error
    }
  }
}
