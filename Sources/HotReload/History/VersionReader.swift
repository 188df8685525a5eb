import StateJSON

/// What has been read of a version log, up to some place, so that only what is added later need be read.
protocol VersionLogReader {
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

/// The versions themselves.
struct VersionReader: VersionLogReader {
  let file: FileIdentity
  private(set) var size = 0
  private(set) var marks: [(place: Int, version: ContentHash)] = []
  private var builder = VersionHistoryBuilder()

  init(of file: FileIdentity) { self.file = file }

  var history: VersionHistory? { builder.history }

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

  mutating func confirm(_ version: ContentHash) {
    builder.confirm(version)
    marks.removeAll { $0.version == version }
  }
}

/// The places that any of the versions has changed in the one before it, also if it was taken back: no value is made of a version.
struct ChangedPlacesReader: VersionLogReader {
  let file: FileIdentity
  private(set) var size = 0
  var places = ChangedPlaces()
  /// It doesn't matter what stands.
  var marks: [(place: Int, version: ContentHash)] { [] }

  init(of file: FileIdentity) { self.file = file }

  mutating func read(_ text: [UInt8]) {
    let records = VersionRecords(text)
    for (index, head) in records.heads.enumerated() {
      switch head.kind {
      case .lost, .read, .aborted: break
      // What it was before nobody knows, and nobody need: it is the oldest.
      case .whole:
        if size > 0 || index > 0 && records.heads[..<index].contains(where: \.isVersion) { places.insertAll() }
      case .patch, .withdrawn:
        if let patch = records.body(of: head).flatMap({ try? JSONPatch($0) }) {
          places.insert(patch)
        } else {
          places.insertAll()
        }
      }
    }
    size += records.end
  }

  mutating func confirm(_ version: ContentHash) {}
}

extension VersionRecord.Head {
  fileprivate var isVersion: Bool { kind == .whole || kind == .patch }
}
