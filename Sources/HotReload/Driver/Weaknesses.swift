/// What a place doesn't allow, and what has failed there, as far as nobody else is told of it.
struct Weaknesses {
  enum Task: Hashable {
    /// Looking after displaced files.
    case housekeeping
    /// Having the last burst of commits survive a power cut.
    case flushing
    /// Keeping the recent versions.
    case remembering
    /// Letting others find this instance.
    case registering
    /// Settling claims.
    case claiming
  }

  /// Why something can't be done lately.
  var failures: [Task: SystemError] = [:]
  /// Whether the file had another name, a hard link, that was left behind.
  var hasPartedNames = false
  /// The kind of file system that a folder is on; `nil` for one of which that can't be told.
  var place: (folder: FileIdentity, kind: FileSystemKind?)?
  /// What was last reported.
  var reported: [Problem.Code: String] = [:]
}
