import Glibc

/// A change of what a name leads to.
package struct NameChange {
  package let directory: Inode
  package let name: String
  package let old: Inode?
  package let new: Inode?
}

/// Sees what becomes of the files of a machine, in the instant in which it happens.
package protocol FileObserver: AnyObject {
  /// Names have come to lead elsewhere, all at once.
  func changed(_ names: [NameChange], by process: SimulatedProcess)
  /// A file's content has changed.
  func wrote(_ inode: Inode, by process: SimulatedProcess)
}

/// The file system of a machine, as Linux shows it: one device, mounted at `/`.
package final class FileSystem {
  /// What it can, and how coarse it is.
  package struct Features {
    /// The grain of times, in nanoseconds.
    package var grain: Int64 = 1
    package var hasExchange = true
    package var hasLeases = true
    package var hasAttributes = true
    package var locksDirectories = true
    /// Whether reading a file is noted: the first time after a change, as with `relatime`.
    package var notesReading = true

    package init() {}
  }

  package var features = Features()
  package weak var observer: (any FileObserver)?
  let root: Entry
  private let clock: () -> Int64
  private var nextNumber: UInt64 = 2
  /// Numbers of files that are gone: the lowest is given away again first.
  private var freeNumbers: [UInt64] = []
  private var lastCookie: UInt32 = 0
  /// The changes of names that may not be on the disk yet, oldest first.
  var unflushedNames: [[NameChange]] = []

  /// - Parameter clock: Tells the time in nanoseconds since 1970.
  init(clock: @escaping () -> Int64) {
    self.clock = clock
    root = Entry("", in: nil, Inode(1, .directory, permissions: 0o755, owner: 0, group: 0, now: clock()))
    root.inode.links = 1
  }

  // Entries and their directories know each other.
  deinit { Self.empty(root) }

  private static func empty(_ directory: Entry) {
    let entries = directory.inode.entries.values
    directory.inode.entries = [:]
    for entry in entries { empty(entry) }
  }

  var now: Int64 { clock() / features.grain * features.grain }

  // MARK: Lookup

  /// A name in a directory, whether it leads anywhere or not.
  struct Place {
    let directory: Entry
    let name: String
    let entry: Entry?

    var found: Entry {
      get throws(Refusal) {
        guard let entry else { throw Refusal(ENOENT) }
        return entry
      }
    }
  }

  /// Follows a path to its last name; if that is a link, on from there where links are followed.
  func place(of path: String, from start: Entry, for process: SimulatedProcess, follows: Bool) throws(Refusal) -> Place
  {
    if path.isEmpty { throw Refusal(ENOENT) }
    var (directory, rest) = (start, [path])
    if path.utf8.contains(UInt8(ascii: "/")) {
      if path.utf8.first == UInt8(ascii: "/") { directory = root }
      rest = path.split(separator: "/").map(String.init)
    }
    if path.hasPrefix("/proc/self/fd/"), rest.count >= 4 {
      guard let number = Int32(rest[3]), let open = process.opened(number), let entry = open.entry else {
        throw Refusal(ENOENT)
      }
      (directory, rest) = (entry, Array(rest.dropFirst(4)))
    }
    var links = 0
    while let name = rest.first {
      rest.removeFirst()
      guard directory.inode.kind == .directory else { throw Refusal(ENOTDIR) }
      try process.check(directory.inode, X_OK)
      if name == "." { continue }
      if name == ".." {
        directory = directory.parent ?? directory
        continue
      }
      let entry = directory.inode.entries[name]
      if let entry, entry.inode.kind == .link, follows || !rest.isEmpty {
        links += 1
        if links > 40 { throw Refusal(ELOOP) }
        let target = String(decoding: entry.inode.bytes, as: UTF8.self)
        if target.hasPrefix("/") { directory = root }
        rest = target.split(separator: "/").map(String.init) + rest
        continue
      }
      if rest.isEmpty { return Place(directory: directory, name: name, entry: entry) }
      guard let entry else { throw Refusal(ENOENT) }
      directory = entry
    }
    // The path ends in `.`, `..` or `/`.
    return Place(directory: directory.parent ?? directory, name: directory.name, entry: directory)
  }

  // MARK: Names

  func make(
    _ kind: Inode.Kind, at place: Place, permissions: mode_t, for process: SimulatedProcess
  ) throws(Refusal) -> Entry {
    guard place.entry == nil else { throw Refusal(EEXIST) }
    try process.check(place.directory.inode, W_OK | X_OK)
    let inode = makeInode(kind, permissions: permissions, for: process)
    let entry = Entry(place.name, in: place.directory, inode)
    insert(entry)
    place.directory.inode.notify(IN_CREATE, named: place.name, isDirectory: kind == .directory)
    tell([NameChange(directory: place.directory.inode, name: place.name, old: nil, new: inode)], by: process)
    return entry
  }

  /// A file that is gone once it is closed.
  func makeNameless(permissions: mode_t, for process: SimulatedProcess) -> Inode {
    makeInode(.file, permissions: permissions, for: process)
  }

  private func makeInode(_ kind: Inode.Kind, permissions: mode_t, for process: SimulatedProcess) -> Inode {
    let number: UInt64
    if let free = freeNumbers.min() {
      number = free
      freeNumbers.removeAll { $0 == free }
    } else {
      number = nextNumber
      nextNumber += 1
    }
    return Inode(
      number, kind, permissions: permissions & ~process.mask, owner: process.user, group: process.group, now: now)
  }

  func link(_ entry: Entry, at place: Place, for process: SimulatedProcess) throws(Refusal) {
    guard place.entry == nil else { throw Refusal(EEXIST) }
    guard entry.inode.kind != .directory else { throw Refusal(EPERM) }
    // As with `fs.protected_hardlinks`.
    if process.user != 0, process.user != entry.inode.owner {
      guard entry.inode.kind == .file, (try? process.check(entry.inode, R_OK | W_OK)) != nil else {
        throw Refusal(EPERM)
      }
    }
    try process.check(place.directory.inode, W_OK | X_OK)
    insert(Entry(place.name, in: place.directory, entry.inode))
    entry.inode.changed = now
    place.directory.inode.notify(IN_CREATE, named: place.name)
    tell([NameChange(directory: place.directory.inode, name: place.name, old: nil, new: entry.inode)], by: process)
  }

  func remove(_ place: Place, isDirectory: Bool, for process: SimulatedProcess) throws(Refusal) {
    let entry = try place.found
    try checkRemoval(of: entry, for: process)
    if isDirectory {
      guard entry.inode.kind == .directory else { throw Refusal(ENOTDIR) }
      guard entry.inode.entries.isEmpty else { throw Refusal(ENOTEMPTY) }
    } else if entry.inode.kind == .directory {
      throw Refusal(EISDIR)
    }
    detach(entry)
    // If nothing else leads to it, that it is gone is told before its name is.
    release(entry.inode, by: entry)
    place.directory.inode.notify(IN_DELETE, named: place.name, isDirectory: isDirectory)
    tell([NameChange(directory: place.directory.inode, name: place.name, old: entry.inode, new: nil)], by: process)
  }

  func rename(_ old: Place, to new: Place, flags: UInt32, for process: SimulatedProcess) throws(Refusal) {
    let entry = try old.found
    if flags & 1 != 0, new.entry != nil { throw Refusal(EEXIST) }
    if flags & 2 != 0 { _ = try new.found }
    if new.directory.isWithin(entry) { throw Refusal(EINVAL) }
    if let target = new.entry, old.directory.isWithin(target) { throw Refusal(flags & 2 != 0 ? EINVAL : ENOTEMPTY) }
    try checkRemoval(of: entry, for: process)
    try process.check(new.directory.inode, W_OK | X_OK)
    if flags & 2 != 0 {
      guard features.hasExchange else { throw Refusal(EINVAL) }
      return try exchange(old, new, by: process)
    }
    if let target = new.entry {
      if target.inode === entry.inode { return }
      try checkRemoval(of: target, for: process)
      if target.inode.kind == .directory {
        guard entry.inode.kind == .directory else { throw Refusal(EISDIR) }
        guard target.inode.entries.isEmpty else { throw Refusal(ENOTEMPTY) }
      } else if entry.inode.kind == .directory {
        throw Refusal(ENOTDIR)
      }
      detach(target)
    }
    detach(entry)
    (entry.parent, entry.name) = (new.directory, new.name)
    insert(entry)
    entry.inode.changed = now
    moved(entry.inode, from: old, to: new)
    tell(
      [
        NameChange(directory: old.directory.inode, name: old.name, old: entry.inode, new: nil),
        NameChange(directory: new.directory.inode, name: new.name, old: new.entry?.inode, new: entry.inode),
      ], by: process)
    if let target = new.entry { release(target.inode, by: target) }
  }

  private func exchange(_ one: Place, _ other: Place, by process: SimulatedProcess) throws(Refusal) {
    let (first, second) = (try one.found, try other.found)
    try checkRemoval(of: second, for: process)
    if first.inode === second.inode { return }
    (first.name, second.name) = (second.name, first.name)
    (first.parent, second.parent) = (second.parent, first.parent)
    other.directory.inode.entries[other.name] = first
    one.directory.inode.entries[one.name] = second
    for entry in [first, second] { entry.inode.changed = now }
    touch(one.directory.inode)
    touch(other.directory.inode)
    moved(first.inode, from: one, to: other)
    moved(second.inode, from: other, to: one)
    tell(
      [
        NameChange(directory: one.directory.inode, name: one.name, old: first.inode, new: second.inode),
        NameChange(directory: other.directory.inode, name: other.name, old: second.inode, new: first.inode),
      ], by: process)
  }

  private func moved(_ inode: Inode, from old: Place, to new: Place) {
    lastCookie += 1
    let isDirectory = inode.kind == .directory
    old.directory.inode.notify(IN_MOVED_FROM, named: old.name, isDirectory: isDirectory, cookie: lastCookie)
    new.directory.inode.notify(IN_MOVED_TO, named: new.name, isDirectory: isDirectory, cookie: lastCookie)
    inode.notify(IN_MOVE_SELF)
  }

  private func checkRemoval(of entry: Entry, for process: SimulatedProcess) throws(Refusal) {
    guard let directory = entry.parent?.inode else { throw Refusal(EBUSY) }
    try process.check(directory, W_OK | X_OK)
    let isSticky = directory.permissions & S_ISVTX != 0
    if isSticky, process.user != 0, process.user != entry.inode.owner, process.user != directory.owner {
      throw Refusal(EPERM)
    }
  }

  private func insert(_ entry: Entry) {
    guard let directory = entry.parent?.inode else { return }
    directory.entries[entry.name] = entry
    entry.inode.links += 1
    touch(directory)
  }

  private func detach(_ entry: Entry) {
    guard let directory = entry.parent?.inode else { return }
    directory.entries[entry.name] = nil
    entry.inode.links -= 1
    entry.inode.changed = now
    touch(directory)
  }

  private func touch(_ directory: Inode) { (directory.modified, directory.changed) = (now, now) }

  /// One of those who led to a file does so no longer, by a name that it has, or had. A file without a name is told to be gone when
  /// nobody has it open by that one, and its number is given away again when nobody has it open at all.
  func release(_ inode: Inode, by entry: Entry?) {
    guard inode.links == 0, inode !== root.inode else { return }
    if !inode.openings.contains(where: { $0.entry === entry }), !inode.pins.contains(where: { $0.entry === entry }) {
      inode.notify(IN_DELETE_SELF)
      for watch in inode.watches { watch.forget() }
      inode.watches = []
    }
    if inode.isGone { freeNumbers.append(inode.number) }
  }

  private func tell(_ changes: [NameChange], by process: SimulatedProcess) {
    unflushedNames.append(changes)
    observer?.changed(changes, by: process)
  }

  // MARK: Content

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int, to open: OpenFile, _ inode: Inode) {
    if inode.bytes.count < offset { inode.bytes += [UInt8](repeating: 0, count: offset - inode.bytes.count) }
    let end = min(inode.bytes.count, offset + bytes.count)
    inode.bytes.replaceSubrange(offset..<max(offset, end), with: bytes)
    wrote(inode, through: open)
  }

  func truncate(_ inode: Inode, to size: Int, through open: OpenFile) {
    if size < inode.bytes.count {
      inode.bytes.removeLast(inode.bytes.count - size)
    } else {
      inode.bytes += [UInt8](repeating: 0, count: size - inode.bytes.count)
    }
    wrote(inode, through: open)
  }

  private func wrote(_ inode: Inode, through open: OpenFile) {
    (inode.modified, inode.changed) = (now, now)
    notify(IN_MODIFY, of: open)
    observer?.wrote(inode, by: open.process)
  }

  func noteReading(of inode: Inode) {
    guard features.notesReading, inode.accessed <= max(inode.modified, inode.changed) else { return }
    inode.accessed = now
  }

  /// Tells those who watch an open file, and those who watch the directory that it is in.
  func notify(_ event: Int32, of open: OpenFile) {
    guard let inode = open.inode else { return }
    open.entry?.parent?.inode.notify(event, named: open.entry?.name ?? "", isDirectory: inode.kind == .directory)
    inode.notify(event)
  }
}
