/// A deliberately broken form of what devices do, which the simulation must catch.
public enum ShareVariant: String, CaseIterable, Sendable {
  /// Nobody says what an app makes of all.
  case nothingSettled
  /// Nobody copies lines that somebody misses.
  case nothingCarried
  /// A clone goes on under the name of the other one.
  case oneNameForClones
  /// An export is noted after it was appended, instead of being read from the journal.
  case exportNoted
  /// The defaults of a new device are the newest entry.
  case newestSeed

  // MARK: What lines come to

  /// Entries are in the order of the clocks alone, whatever their writers had read.
  case clocksAlone
  /// An entry counts before the lines of others that its writer had read.
  case readNotAwaited
  /// A line counts without the one before it.
  case gapsIgnored
  /// An insertion says only the neighbour before it.
  case oneNeighbour
  /// Nobody remembers what was removed.
  case ghostsForgotten

  // MARK: What a machine reads and writes, and in which order

  /// What others did is taken before the export, as it is, and the export claims to have read it.
  case readBeforeExport
  /// What others said counts before it is kept.
  case takenBeforeKept
  /// What a machine says is in the folder before it is kept.
  case shownBeforeKept
  /// A machine that was killed goes on from its journal in the folder, and not from what it has kept.
  case restartsFromFolder
  /// A machine writes another's journal anew, without what says nothing.
  case foreignRewritten
  /// How far a journal was read is known by the number of lines, and not by the last one.
  case positionsByCount
  /// A journal as long as what was read of it is taken for the same.
  case sameLengthIsSame
}
