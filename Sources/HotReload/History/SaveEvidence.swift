/// Evidence of what a save from outside means: all that is known of it besides its contents.
///
/// Likeness alone can't tell who edits an old buffer from who replaces the file on purpose. But who edits a buffer has read a version,
/// or saved it; and what is brought from elsewhere was written before it came.
struct SaveEvidence: Sendable, Hashable {
  /// Whether all readers of versions are noted. Otherwise anybody may have any version in a buffer.
  var knowsReaders = false
  /// Whether the file had been written long before it took the place of a version that is newer: `mv`, `cp -p` and `rsync -a` bring such
  /// files.
  var wasBrought = false

  /// Nothing.
  static let none = SaveEvidence()

  /// No save takes longer from the first byte to where the file has its name, in milliseconds.
  static let longestSave: Int64 = 10_000

  /// Whether somebody from outside can have had a version in a buffer when the save was made.
  func allows(editOf entry: VersionHistory.Entry) -> Bool {
    guard knowsReaders else { return true }
    if wasBrought { return false }
    return entry.wasRead || entry.version.cause == .edit || entry.version.cause == .merged
  }
}

extension VersionHistory {
  /// The evidence of a save at the path, or of a late one, found in a displaced file: nobody has brought that.
  func evidence(of save: Contents, isLate: Bool = false) -> SaveEvidence {
    let written = save.status.modified / 1_000_000
    let isOld = [save.status.changed.nanoseconds / 1_000_000, newest.time].allSatisfy {
      let (age, isFar) = $0.subtractingReportingOverflow(written)
      return isFar || age > SaveEvidence.longestSave
    }
    return SaveEvidence(knowsReaders: knowsReaders, wasBrought: isOld && !isLate)
  }
}
