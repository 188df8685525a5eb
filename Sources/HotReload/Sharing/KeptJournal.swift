import Replication

/// A file in which this device keeps lines for itself: those that it has said, or those that it has read in another journal.
/// What lies in the shared folder may be gone, or old, the next time.
struct KeptJournal {
  let name: String
  /// Where the next line begins, after those that are known.
  private(set) var end = Journal.Position.start

  init(name: String) { self.name = name }

  /// Takes in the lines that were added to it since.
  mutating func read(in folder: Folder) throws(SystemError) -> Journal? {
    guard let size = try folder.status(of: name)?.size, size > end.offset else { return nil }
    let file = try folder.open(name, System.O_RDONLY)
    let journal = Journal(
      try file.contents(from: end.offset, upTo: size - end.offset), from: end, name: name)
    end = journal.end
    return journal
  }

  /// Adds lines, which lead to a place.
  mutating func append(_ bytes: [UInt8], upTo end: Journal.Position, in folder: Folder) throws(SystemError) {
    let file = try folder.open(name, System.O_RDWR | System.O_CREAT, permissions: 0o600)
    // What is torn is written over.
    if try file.status().size > self.end.offset { try file.truncate(to: self.end.offset) }
    do throws(SystemError) {
      try file.write(bytes, at: self.end.offset)
    } catch {
      // Half of it would be whole lines, maybe, that nobody knows here.
      try? file.truncate(to: self.end.offset)
      throw error
    }
    self.end = end
  }
}
