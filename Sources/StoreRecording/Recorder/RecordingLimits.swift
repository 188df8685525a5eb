/// How much of a recording is kept.
public struct RecordingLimits: Sendable, Hashable {
  /// How large the file may become, in bytes, before its older half is cut off; single lines may be larger.
  public var size: Int
  /// After how many steps the older ones are cut off: there are between this and twice as many. None are, if this is nil.
  public var steps: Int?
  /// How many files from before are kept, as `NAME.1`, the newest, `NAME.2`, …: what was there when the recording began,
  /// and of recordings without a number of steps also what was cut off.
  public var archive: Int

  /// All that fits: what is cut off is kept in the archive.
  public init(size: Int = 16 << 20, archive: Int = 1) {
    precondition(size > 0 && archive >= 0, "a recording may become larger than nothing, and keeps no files or more")
    self.size = size
    self.archive = archive
  }

  /// The last steps only, in one file that can be sent: a flight recorder.
  ///
  /// What is cut off is gone; the archive keeps the records of earlier runs, so that a program which is started again after
  /// it crashed doesn't take the place of what is to explain that.
  public static func flight(steps: Int = 100, size: Int = 1 << 20, archive: Int = 3) -> RecordingLimits {
    precondition(steps > 0, "a flight recorder keeps a step or more")
    var limits = RecordingLimits(size: size, archive: archive)
    limits.steps = steps
    return limits
  }
}
