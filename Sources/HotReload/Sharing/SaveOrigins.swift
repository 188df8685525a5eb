import Replication
import StateJSON

/// The recent versions of a file, as those that somebody's save may have been made from.
///
/// A value of one look, under the file's lock.
struct SaveOrigins {
  private let history: VersionHistory
  /// Those of the log, for each version of the history.
  private let labels: [String]
  private let finds: [String: [FileVersion]]

  /// - Parameters:
  ///   - history: The versions.
  ///   - finds: What had been found in the file at some of them, by their labels, since the document of all was last brought there; at the
  ///     others it was the same as before.
  init(_ history: VersionHistory, finds: [String: [FileVersion]]) {
    (self.history, self.finds) = (history, finds)
    var cursor = ShareLog.Cursor()
    labels = history.entries.reversed().map { entry in
      cursor.move(to: entry.version)
      return cursor.label ?? ShareLog.start
    }.reversed()
  }

  /// The origin of a save.
  struct Origin {
    /// The version that it was most likely made from, if there is one.
    let version: Device.OwnVersion?
    /// Whether the file had the very same bytes before. An older value alone may be another device's, about which nothing is said yet.
    let isRestore: Bool
  }

  /// The origin of a save; one from before it stood in the file, if it has.
  ///
  /// After the version with the label an instance may have come to the same bytes. What came later than the time, in milliseconds
  /// since 1970, is left out.
  func origin(
    of contents: JSONValue, _ version: FileVersion, at label: String? = nil, until time: Int64 = .max,
    besides isLater: (FileVersion) -> Bool = { _ in false }
  ) -> Origin {
    func isVersion(_ entry: VersionHistory.Entry) -> Bool { "\(entry.version.hash)" == version.hash }
    let place = label.flatMap { labels.firstIndex(of: $0) }
    let isRestore = place.map { history.entries[($0 + 1)...].contains(where: isVersion) } ?? false
    let isPart = finds.mapValues { $0.contains(where: isLater) }
    let start =
      labels.indices.last { index in
        isVersion(history.entries[index]) || isPart[labels[index]] == true || history.entries[index].version.time > time
      }.map { $0 + 1 } ?? 0
    guard start < history.entries.count else { return Origin(version: nil, isRestore: isRestore) }
    let former = history.upTo(start)
    let base: (age: Int, value: JSONValue)? =
      switch SaveMerge.meaning(of: contents, in: former) {
      case .formatting: (0, former.value)
      case .edit(let age), .editOfWithdrawn(_, let age), .restore(let age): (age, former.value(at: age))
      case .replacement: nil
      }
    return Origin(version: base.map { own(start + $0.age, $0.value) }, isRestore: isRestore)
  }

  /// The notice about a save that came from an older version; `nil` if nothing had to be kept from it.
  func notice(ofSaveAt label: String, in file: String) -> Notice? {
    guard let place = labels.firstIndex(of: label) else { return nil }
    let newer = history.entries[..<place].last { $0.version.cause != .merged }
    let merged = newer.flatMap { $0.version.cause == .merge ? $0.kept : nil }
    return (history.entries[place].kept ?? merged).map {
      .kept($0, saved: history.entries[place].version.hash, in: file)
    }
  }

  private func own(_ index: Int, _ value: JSONValue) -> Device.OwnVersion {
    let finds = labels[index...].lazy.compactMap { self.finds[$0] }.first
    return Device.OwnVersion(value: value, labels: labels[...index].reversed(), finds: finds ?? [])
  }
}
