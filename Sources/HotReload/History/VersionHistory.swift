import StateJSON

/// The recent versions of a file: the newest value, and the way back from it, version by version.
package struct VersionHistory: Sendable {
  package struct Entry: Sendable {
    package let version: Version
    /// What turns this version's value into the one before it; empty for the oldest.
    let undo: JSONPatch
    /// What this version changed in the one before it; `nil` for the oldest, and where nothing is known of that.
    package let changes: JSONPatch?
    /// What lost a conflict when this version was merged.
    package let lost: [LostValue]
    /// The changes that were kept from a save when it was merged.
    package let kept: KeptChanges?
    /// What came to stand in the file after it for a moment, and was taken back, as changes of it.
    package fileprivate(set) var withdrawn: [Withdrawn] = []
    /// Whether it was noted that somebody from outside had read it while it stood in the file, may have, or had saved it himself.
    package fileprivate(set) var wasRead = false
    /// Whether it is known to have stood in the file, or need not have: it was recorded before it should.
    package fileprivate(set) var stands = true
  }

  /// What an instance wrote and took back in the same moment, to put an invalid save in its place again.
  package struct Withdrawn: Sendable {
    let version: Version
    /// What it changed in the version before it.
    let changes: JSONPatch
  }

  /// Newest first; never empty.
  package private(set) var entries: [Entry]
  /// The value of the newest version.
  package private(set) var value: JSONValue
  /// Whether all readers are noted, so that a version of which none is can't be in a buffer.
  var knowsReaders = false

  package var newest: Version { entries[0].version }

  /// Keeps the value of the newest version where an equal one is stored.
  mutating func keepNewest(in value: JSONValue) { self.value = value }

  /// The value of the version that is `index` versions older than the newest.
  ///
  /// - Complexity: That of applying the patches on the way.
  package func value(at index: Int) -> JSONValue {
    var value = value
    for entry in entries[..<index] { value.takeBack(entry.undo) }
    return value
  }

  /// Whether a patch of the newest version touches no place that any version has changed, or gives it a value that none had there.
  func isApart(_ patch: JSONPatch) -> Bool {
    var places = ChangedPlaces()
    let oldest = self.value(at: entries.count - 1)
    for case .replace(let place, _) in patch.operations {
      if let value = oldest[place] { places.insert(oldest: value, at: place) }
    }
    for (index, entry) in entries.enumerated() {
      if let changes = entry.changes { places.insert(changes) } else if index + 1 < entries.count { places.insertAll() }
      for withdrawn in entry.withdrawn { places.insert(withdrawn.changes) }
    }
    return places.areApart(from: patch)
  }

  /// The value of what came to stand after such a version for a moment, and was taken back.
  package func value(ofWithdrawn number: Int, after index: Int) -> JSONValue {
    var value = value(at: index)
    value.takeBack(entries[index].withdrawn[number].changes)
    return value
  }

  /// For how long what was withdrawn counts although nothing came of it, in milliseconds.
  static let withdrawnTime: Int64 = 10_000

  /// Forgets what was withdrawn long ago by an instance that has written nothing since: it may have been killed, or have
  /// given up, and who makes the same change by himself means it.
  ///
  /// - Parameter now: The time, in milliseconds since 1970.
  mutating func forgetWithdrawn(at now: Int64) {
    var active: Set<String> = []
    for index in entries.indices {
      entries[index].withdrawn.removeAll {
        let age = now - $0.version.time
        // What is older still was not made from it, whatever its file's time means.
        return age < -Self.withdrawnTime || age > Self.withdrawnTime && !active.contains($0.version.instance)
      }
      let version = entries[index].version
      if version.cause == .action || version.cause == .merge { active.insert(version.instance) }
    }
  }

  /// What a save may have been made from, by its time: that it is found much later does not matter.
  func whenMade(_ save: Contents) -> VersionHistory {
    if entries.allSatisfy(\.withdrawn.isEmpty) { return self }
    var history = self
    history.forgetWithdrawn(at: save.status.modified / 1_000_000)
    return history
  }

  /// The history as far as it leads to what is known to stand in the file, as an instance wrote it, which is its newest version then,
  /// also if that could not be recorded. If it was, what comes after it never stood.
  func endingWith(_ contents: Contents, _ value: JSONValue) -> VersionHistory {
    func contains(_ hash: ContentHash) -> Bool { entries.contains { $0.version.hash == hash } }
    if contains(contents.hash) { return upTo(contents.hash) }
    var history = self
    if let predecessor = contents.stamp?.predecessor, contains(predecessor) { history = upTo(predecessor) }
    let version = Version(
      hash: contents.hash, time: history.newest.time, cause: .action, instance: contents.stamp?.instance ?? "-")
    history.append(version, value: value, lost: [])
    return history
  }

  /// Adds a version after the newest.
  mutating func append(_ version: Version, value: JSONValue, lost: [LostValue], kept: KeptChanges? = nil) {
    let entry = Entry(
      version: version, undo: JSONPatch(from: value, to: self.value),
      changes: JSONPatch(from: self.value, to: value), lost: lost, kept: kept)
    entries.insert(entry, at: 0)
    self.value = value
  }

  /// Forgets the newest version; returns whether there is one before it.
  package mutating func removeNewest() -> Bool {
    guard entries.count > 1 else { return false }
    value.takeBack(entries.removeFirst().undo)
    return true
  }

  /// The history without the newest versions that are none: those that never came to stand in the file, and the saves
  /// that no merge follows. The instance that was about to write them was killed, or is about to.
  ///
  /// - Parameter hasStood: Whether the newest version of a history is known to have stood, whatever is recorded.
  /// - Returns: `nil` if that is none.
  package func standing(knowing hasStood: (VersionHistory) -> Bool = { _ in false }) -> VersionHistory? {
    var history = self
    while history.newest.cause == .merged || !history.entries[0].stands && !hasStood(history) {
      if !history.removeNewest() { return nil }
    }
    return history
  }

  /// The history as it was when a version was the newest; all of it, if that isn't there.
  func upTo(_ hash: ContentHash) -> VersionHistory {
    entries.firstIndex { $0.version.hash == hash }.map(upTo) ?? self
  }

  /// The history as it was when the version was the newest that is `index` versions older than the newest now.
  func upTo(_ index: Int) -> VersionHistory {
    var history = self
    for _ in 0..<index where !history.removeNewest() { break }
    return history
  }

  /// Puts a merge in the place of the newest version.
  mutating func replaceNewest(with merged: JSONValue, hash: ContentHash) {
    let version = Version(hash: hash, time: newest.time, cause: .merge, instance: newest.instance)
    let old = entries.count > 1 ? self.value(at: 1) : merged
    let entry = Entry(
      version: version, undo: JSONPatch(from: merged, to: old), changes: JSONPatch(from: old, to: merged),
      lost: entries[0].lost, kept: entries[0].kept)
    (entries[0], value) = (entry, merged)
  }

  /// Whether it goes back to before a save was made, and knows nothing of it.
  func isOlder(than save: Contents) -> Bool {
    // Of one whose time isn't known nothing can be said.
    guard let time = entries.last?.version.time.multipliedReportingOverflow(by: 1_000_000), !time.overflow,
      time.partialValue < save.status.modified
    else { return false }
    return !entries.contains { $0.version.hash == save.hash }
  }

  /// The newest version whose hash begins with some digits.
  package func index(ofVersion prefix: String) -> Int? {
    entries.firstIndex { $0.version.hash.description.hasPrefix(prefix) }
  }
}

extension JSONValue {
  /// Applies a patch that was made by applying its opposite to this very value.
  mutating func takeBack(_ undo: JSONPatch) {
    do {
      _ = try applyUndoably(undo)
    } catch {
      preconditionFailure("what was done can be undone: \(error)")
    }
  }
}

/// Puts a history together from the oldest version on.
struct VersionHistoryBuilder {
  private(set) var value: JSONValue?
  private(set) var newest: Version?
  /// Oldest first.
  private var entries: [VersionHistory.Entry] = []

  /// Adds a version as a change of the one before it.
  ///
  /// - Throws: When it is none; nothing is added then.
  mutating func append(
    _ version: Version, _ patch: JSONPatch, lost: [LostValue], kept: KeptChanges? = nil, stands: Bool = true
  ) throws(JSONPatchError) {
    guard var next = value else { preconditionFailure("a history begins with a whole version") }
    // So that the value is nobody else's, and is changed in place.
    value = nil
    defer { value = next }
    let undo = try next.applyUndoably(patch)
    entries.append(.init(version: version, undo: undo, changes: patch, lost: lost, kept: kept, stands: stands))
    newest = version
  }

  /// Adds a version whose value is known as a whole.
  mutating func append(
    _ version: Version, whole: JSONValue, lost: [LostValue], kept: KeptChanges? = nil, stands: Bool = true
  ) {
    let undo = value.map { JSONPatch(from: whole, to: $0) }
    let changes = value.map { JSONPatch(from: $0, to: whole) }
    entries.append(
      .init(version: version, undo: undo ?? JSONPatch(), changes: changes, lost: lost, kept: kept, stands: stands))
    (value, newest) = (whole, version)
  }

  /// Whether a version is there that has not come to stand.
  func awaits(_ hash: ContentHash) -> Bool { entries.contains { $0.version.hash == hash && !$0.stands } }

  /// Notes that a version has come to stand, wherever it is.
  mutating func confirm(_ hash: ContentHash) {
    guard let index = entries.lastIndex(where: { $0.version.hash == hash && !$0.stands }) else { return }
    entries[index].stands = true
  }

  /// Notes that a version came to stand after the newest for a moment, and was taken back.
  mutating func noteWithdrawn(_ version: Version, _ changes: JSONPatch) {
    guard var after = value, (try? after.applyUndoably(changes)) != nil else { return }
    entries[entries.count - 1].withdrawn.append(.init(version: version, changes: changes))
  }

  /// Notes that somebody had read a version, if it is there.
  mutating func noteReader(of hash: ContentHash) {
    guard let index = entries.lastIndex(where: { $0.version.hash == hash }) else { return }
    entries[index].wasRead = true
  }

  /// Forgets a version, if it is the newest, and the saves that were to be part of it. An older one with the same bytes is
  /// another version.
  mutating func takeBack(_ hash: ContentHash) {
    guard entries.last?.version.hash == hash else { return }
    repeat { removeLast() } while entries.last?.version.cause == .merged
  }

  private mutating func removeLast() {
    guard let last = entries.popLast() else { return }
    value?.takeBack(last.undo)
    newest = entries.last?.version
    if entries.isEmpty { value = nil }
  }

  var history: VersionHistory? {
    value.map { VersionHistory(entries: entries.reversed(), value: $0) }
  }
}

extension VersionHistory {
  /// A history that begins with one version.
  package init(_ version: Version, value: JSONValue, lost: [LostValue] = []) {
    let entry = Entry(version: version, undo: JSONPatch(), changes: nil, lost: lost, kept: nil)
    self.init(entries: [entry], value: value)
  }
}
