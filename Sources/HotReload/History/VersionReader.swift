import StateJSON

/// What has been read of a version log, up to some place, so that only what is added later need be read.
struct VersionReader {
  /// The log. A thinned one that takes its place is another.
  let file: FileIdentity
  /// How much of it has been read.
  private(set) var size = 0
  /// Where the marks are of versions that had not come to stand when they were read.
  private(set) var marks: [(place: Int, version: ContentHash)] = []
  private var builder = VersionHistoryBuilder()

  init(of file: FileIdentity) { self.file = file }

  var history: VersionHistory? { builder.history }

  /// Takes in what follows in the log; of what is torn nothing.
  mutating func read(_ text: [UInt8]) {
    let records = VersionRecords(text)
    for (index, head) in records.heads.enumerated() {
      records.add(head, at: index, to: &builder)
      if let mark = head.mark { marks.append((size + mark, head.version.hash)) }
    }
    size += records.end
    // Those that were taken back have none any more that matters.
    marks.removeAll { !builder.awaits($0.version) }
  }

  /// Notes that a version has come to stand: it has no mark any more.
  mutating func confirm(_ version: ContentHash) {
    builder.confirm(version)
    marks.removeAll { $0.version == version }
  }
}
