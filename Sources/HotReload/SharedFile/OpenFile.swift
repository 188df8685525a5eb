/// A file that is open, and what it was when that was found out.
struct OpenFile: ~Copyable {
  let descriptor: FileDescriptor
  var status: FileStatus
  /// Whether it is open for writing, by whom it was written: nobody gets a read lease on it then, nor does he.
  var isWritten = false
  /// The attributes that it had when it was about to be replaced.
  var attributes: [String: [UInt8]]?
}

/// What stands at the path, where it is open under the lock: as one or the other.
struct OpenFiles: ~Copyable {
  /// What was read last, until it is replaced: what belongs to its owner is asked of it then.
  var read: OpenFile?
  /// The newest contents as they were written, between commits that follow each other, until they are read: so the next one has to
  /// open neither what it reads nor what it brings out.
  var written: OpenFile?
}
