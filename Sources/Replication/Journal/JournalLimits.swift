import StateJSON

/// Bounds on what is read of a journal, so that one that means harm takes no more time and memory than its size.
///
/// They are part of the format: a line beyond one of them must count for nobody.
package enum JournalLimits {
  /// How many bytes of a file are read.
  package static let fileSize = 1 << 30
  /// How many lines a file may have.
  package static let lineCount = 1 << 20
  /// How many bytes a line may have, with its name and without its line feed.
  package static let lineLength = 1 << 24
  /// How deep a line may be nested.
  package static let depth = JSONLimits.maximumDepth
  /// How many lines a line may say that its writer has read, or wants.
  static let readCount = 4_096
  /// How many actions an entry may have.
  static let actionCount = 1 << 20
  /// How many bytes the name of a device, of an incarnation or of a share may have.
  static let nameLength = 64
  /// How many bytes the name of an app, or of a kind of lines, may have.
  static let labelLength = 256
  /// How much a save may cost.
  static let cost = 1 << 40
  /// How far a time in microseconds may be from 1970.
  static let time = 1 << 53
  /// How many chains of lines there may be; see ``KnownLines``. Each writer has one, and one more for each place where its
  /// journal parts.
  static let chainCount = 1_024
}
