import Replication
import StateJSON

/// The version log of a shared file, as what is yet to be said to other devices. Use it under the file's lock.
///
/// What a device has said is known by the label of the last version that it says; so whoever looks, in whatever process, goes on
/// from there. Read again, only what was added is read.
struct ShareLog {
  private let path: String
  private let stateFolder: String
  /// Which file the rest of this is about.
  private var identity: FileIdentity?
  private var cursor = Cursor()
  /// The label that is asked for next, if what was told of is said by then: nothing before the cursor is news after it.
  private var expected: String?

  /// The versions in a log that have stood.
  struct News {
    /// What was committed since, as far as other devices haven't done it.
    var commits: [LocalCommit] = []
    /// The label of the newest version; `nil` if there is none.
    var label: String?
    /// Its value.
    var value: JSONValue?
    /// When it was made.
    var time = 0
    /// Whether the log goes back to the label that was asked for.
    var isWhole = false
  }

  /// The label of what is before the first version.
  static let start = "start"

  /// Tells of the file with this resolved path.
  init(of path: String, stateFolder: String) { (self.path, self.stateFolder) = (path, stateFolder) }

  /// The versions that came after a label, or after none.
  mutating func news(since label: String?) throws(SystemError) -> News {
    let label = label == Self.start ? nil : label
    guard let folder = try StateFolder.existing(stateFolder), try folder.status(of: Self.name(of: path)) != nil else {
      return News(isWhole: label == nil)
    }
    let file = try folder.open(Self.name(of: path), System.O_RDONLY)
    let status = try file.status()
    if status.identity != identity || status.size < cursor.offset || label != expected {
      (identity, cursor, expected) = (status.identity, Cursor(), nil)
    }
    let start = cursor.offset
    let text = try file.contents(from: start, upTo: status.size - start)
    let wasAtLabel = expected != nil
    var reading = Reading(cursor, since: wasAtLabel ? nil : label)
    if !reading.read(VersionRecords(text), from: start) {
      // What was read before has been taken back.
      (identity, cursor, expected) = (nil, Cursor(), nil)
      return try news(since: label)
    }
    cursor = reading.cursor
    expected = reading.commits.last?.label ?? label
    return News(
      commits: reading.commits, label: cursor.label, value: cursor.value, time: cursor.time,
      isWhole: label == nil || wasAtLabel || reading.hasMetLabel)
  }

  private static func name(of path: String) -> String { "\(ContentHash(Array(path.utf8))).versions" }

  /// A version in the log, and what tells it from others.
  fileprivate struct Cursor {
    /// Where the next record begins.
    var offset = 0
    var hash: ContentHash?
    var time = 0
    /// The versions of the same time up to it, to tell those of one hash apart.
    var sameTime: [ContentHash: Int] = [:]
    var label: String?
    var value: JSONValue?

    mutating func move(to version: Version) {
      let number = JSONNumber(version.time).exactly(Int.self) ?? 0
      if number != time { sameTime = [:] }
      (hash, time) = (version.hash, number)
      sameTime[version.hash, default: 0] += 1
      label = "\(version.hash)-\(time)-\(sameTime[version.hash] ?? 1)"
    }
  }

  /// What records come to, one after another.
  fileprivate struct Reading {
    var cursor: Cursor
    var commits: [LocalCommit] = []
    var hasMetLabel = false
    private let label: String?
    /// The value before a save that counts only as part of what it is merged to.
    private var beforeMerged: JSONValue?? = nil
    /// Whether the next version goes on from the last commit.
    private var isContinued = false

    init(_ cursor: Cursor, since label: String?) { (self.cursor, self.label) = (cursor, label) }

    /// Whether all of it goes on from what was read before.
    mutating func read(_ records: VersionRecords, from start: Int) -> Bool {
      guard var versions = Self.standing(records.heads, isStart: start == 0) else { return false }
      var end = records.end
      if let last = versions.last, let mark = last.mark {
        // It is read once it has come to stand.
        versions.removeLast()
        end = mark
      }
      for head in versions { take(head, records) }
      cursor.offset = start + end
      return true
    }

    /// The versions that were not taken back; `nil` if one before them was.
    private static func standing(_ heads: [VersionRecord.Head], isStart: Bool) -> [VersionRecord.Head]? {
      var versions: [VersionRecord.Head] = []
      for head in heads {
        switch head.kind {
        case .whole, .patch: versions.append(head)
        case .aborted:
          guard let last = versions.last else {
            if isStart { break }
            return nil
          }
          guard last.version.hash == head.version.hash else { break }
          repeat { versions.removeLast() } while versions.last?.version.cause == .merged
        case .lost, .withdrawn, .read: break
        }
      }
      return versions
    }

    private mutating func take(_ head: VersionRecord.Head, _ records: VersionRecords) {
      let former = cursor.hash
      let before = cursor.value
      guard advance(head, records) else { return reset() }
      cursor.move(to: head.version)
      if head.version.cause == .merged {
        if beforeMerged == nil { beforeMerged = .some(before) }
        return
      }
      let base = beforeMerged ?? before
      beforeMerged = nil
      if let label, cursor.label == label {
        (commits, hasMetLabel, isContinued) = ([], true, false)
        return
      }
      // What others did is in their journals.
      if head.version.cause == .action, DeviceName.isMark(head.version.instance) { return isContinued = false }
      let actions = head.version.cause == .action ? actions(of: head, after: former, records) : nil
      add(
        LocalCommit(
          label: cursor.label ?? "", time: cursor.time, before: base, after: cursor.value, actions: actions?.actions,
          app: actions?.app,
          seed: base == nil && actions == nil ? (head.version.cause == .edit ? .contents : .defaults) : nil))
      isContinued = true
    }

    /// Many versions that say the same kind of thing are one commit: their values needn't all be kept.
    private mutating func add(_ commit: LocalCommit) {
      guard isContinued, let last = commits.last, last.app == commit.app, last.seed == nil,
        (last.actions == nil) == (commit.actions == nil),
        (last.actions?.count ?? 0) + (commit.actions?.count ?? 0) <= JournalLimits.actionCount
      else { return commits.append(commit) }
      let index = commits.count - 1
      (commits[index].label, commits[index].time, commits[index].after) = (commit.label, commit.time, commit.after)
      commits[index].actions?.append(contentsOf: commit.actions ?? [])
    }

    private mutating func advance(_ head: VersionRecord.Head, _ records: VersionRecords) -> Bool {
      guard let body = records.body(of: head) else { return false }
      if head.kind == .whole {
        cursor.value = body
        return true
      }
      guard cursor.hash == head.before, let patch = try? JSONPatch(body),
        let value = try? cursor.value?.applying(patch)
      else { return false }
      cursor.value = value
      return true
    }

    /// Nothing before a record that doesn't fit is known.
    private mutating func reset() {
      (cursor.hash, cursor.label, cursor.value, cursor.sameTime) = (nil, nil, nil, [:])
      (commits, hasMetLabel, beforeMerged, isContinued) = ([], false, nil, false)
    }

    private func actions(
      of head: VersionRecord.Head, after former: ContentHash?, _ records: VersionRecords
    ) -> RecordedActions? {
      records.text.withUnsafeBytes { text in
        head.unknown.lazy.compactMap { RecordedActions($0, of: head.version.hash, before: former, in: text) }.first
      }
    }
  }
}
