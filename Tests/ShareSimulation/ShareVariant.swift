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
}
