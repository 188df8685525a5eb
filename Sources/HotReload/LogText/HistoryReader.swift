import StateJSON

/// The versions themselves.
struct HistoryReader: LogReader {
  let file: FileIdentity
  private(set) var size = 0
  private(set) var marks: [(place: Int, version: ContentHash)] = []
  private var builder = VersionHistoryBuilder()

  init(of file: FileIdentity) { self.file = file }

  var history: VersionHistory? { builder.history }

  mutating func read(_ text: [UInt8]) {
    let records = LogRecords(text)
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
struct ChangedPlacesReader: LogReader {
  let file: FileIdentity
  private(set) var size = 0
  var places = ChangedPlaces()
  /// It doesn't matter what stands.
  var marks: [(place: Int, version: ContentHash)] { [] }

  init(of file: FileIdentity) { self.file = file }

  mutating func read(_ text: [UInt8]) {
    let records = LogRecords(text)
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

extension LogRecord.Head {
  fileprivate var isVersion: Bool { kind == .whole || kind == .patch }
}
