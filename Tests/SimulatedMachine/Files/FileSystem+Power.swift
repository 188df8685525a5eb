import TestSupport

/// What is on the disk by now, and what only the kernel knows.
///
/// What was flushed is there. Of names that have changed since their directory was flushed, the first so many changes are there: in the order
/// in which they were made, since file systems keep a journal of them. Of a file that has been written to since it was flushed, what
/// was there before is, or what it has now, or a beginning of that.
extension FileSystem {
  /// Everything is on the disk, as on a machine that has been running for long.
  package func settle() {
    unflushedNames = []
    settle(root.inode)
  }

  private func settle(_ inode: Inode) {
    inode.flushed = Inode.Flushed(bytes: inode.bytes, attributes: inode.attributes)
    for entry in inode.entries.values { settle(entry.inode) }
  }

  /// A file or a directory was flushed.
  func flush(_ inode: Inode) {
    inode.flushed = Inode.Flushed(bytes: inode.bytes, attributes: inode.attributes)
    guard inode.kind == .directory else { return }
    // A change of two directories at once is there when either is.
    guard let last = unflushedNames.lastIndex(where: { $0.contains { $0.directory === inode } }) else { return }
    unflushedNames.removeSubrange(...last)
  }

  /// The power is cut: what is not on the disk is gone. No process may be there any more.
  package func losePower(_ random: inout SplitMix64) {
    let kept = random.below(unflushedNames.count + 1)
    for changes in unflushedNames[kept...].reversed() {
      for change in changes.reversed() {
        change.directory.entries[change.name] = change.old.map {
          Entry(change.name, in: entry(of: change.directory), $0)
        }
      }
    }
    unflushedNames = []
    for inode in root.inode.all { inode.links = 0 }
    root.inode.links = 1
    for directory in root.inode.all {
      for entry in directory.entries.values { entry.inode.links += 1 }
    }
    for inode in root.inode.all where inode.kind == .file { inode.losePower(&random) }
    settle()
  }

  private func entry(of directory: Inode) -> Entry {
    root.all.first { $0.inode === directory } ?? root
  }
}

extension Entry {
  /// This one and all below it.
  fileprivate var all: [Entry] { [self] + inode.entries.values.sorted { $0.name < $1.name }.flatMap(\.all) }
}

extension Inode {
  struct Flushed {
    let bytes: [UInt8]
    let attributes: [String: [UInt8]]
  }

  /// This one and all below it, each once for each of its names.
  fileprivate var all: [Inode] { [self] + entries.sorted { $0.key < $1.key }.flatMap(\.value.inode.all) }

  fileprivate func losePower(_ random: inout SplitMix64) {
    if let flushed, flushed.bytes == bytes, flushed.attributes == attributes { return }
    switch random.below(3) {
    case 0: bytes = flushed?.bytes ?? []
    case 1: bytes = Array(bytes.prefix(random.below(bytes.count + 1)))
    default: break
    }
    if random.oneIn(2) { attributes = flushed?.attributes ?? [:] }
  }
}
