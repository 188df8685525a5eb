import StateJSON

/// What has been read of a version log, up to some place, so that only what is added later need be read.
protocol LogReader {
  /// The log. A thinned one that takes its place is another.
  var file: FileIdentity { get }
  /// How much of it has been read.
  var size: Int { get }
  /// Where the marks are of versions that had not come to stand when they were read.
  var marks: [(place: Int, version: ContentHash)] { get }

  /// Nothing yet.
  init(of file: FileIdentity)
  /// Takes in what follows in the log; of what is torn nothing.
  mutating func read(_ text: [UInt8])
  /// Notes that a version has come to stand: it has no mark any more.
  mutating func confirm(_ version: ContentHash)
}
