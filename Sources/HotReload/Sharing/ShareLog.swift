import Replication
import StateJSON

/// The version log of a shared file, as what is yet to be said to other devices. Read it under the file's lock.
///
/// What a device has said is known by the label of the last version that it says; so whoever looks, in whatever process, goes on
/// from there. Read again, only what was added is read.
struct ShareLog {
  private let path: String
  private let stateFolder: String
  private let places: HomePlaces
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

  /// Tells of the file with this resolved path, but not by actions what is done at places that stay here.
  init(of path: String, stateFolder: String, places: HomePlaces = HomePlaces(pointers: [])) {
    (self.path, self.stateFolder, self.places) = (path, stateFolder, places)
  }

  /// A piece that was added to a log, as it stands there. It can be read after the file's lock was given back.
  struct Addition {
    fileprivate let text: [UInt8]
    fileprivate let label: String?
    /// The value of the version with the label, where another log has taken the place of the one that had it.
    fileprivate let value: JSONValue?
  }

  /// The versions that came after a label, or after none; see ``news(in:until:)``.
  mutating func news(since label: String?, until found: FoundDocument? = nil) throws(SystemError) -> News {
    while let addition = try addition(since: label) {
      if let news = news(in: addition, until: found) { return news }
    }
    return News(isWhole: label == nil || label == Self.start)
  }

  /// The piece that was added since the log was read last, or all of it if that isn't after a label; `nil` if there is no log.
  mutating func addition(since label: String?) throws(SystemError) -> Addition? {
    let label = label == Self.start ? nil : label
    guard let folder = try StateFolder.existing(stateFolder), try folder.status(of: Self.name(of: path)) != nil else {
      return nil
    }
    let file = try folder.open(Self.name(of: path), System.O_RDONLY)
    let status = try file.status()
    var value: JSONValue?
    if status.identity != identity || status.size < cursor.offset || label != expected {
      if label != nil, label == cursor.label { value = cursor.value }
      (identity, cursor, expected) = (status.identity, Cursor(), nil)
    }
    let text = try file.contents(from: cursor.offset, upTo: status.size - cursor.offset)
    return Addition(text: text, label: label, value: value)
  }

  /// The versions in what was read last; `nil` if what was read before has been taken back, so that it is to be read again.
  ///
  /// - Parameters:
  ///   - addition: What was read.
  ///   - found: What the file held then. If that is the newest version, it needn't be made of those before it.
  /// - Returns: What has come since.
  mutating func news(in addition: Addition, until found: FoundDocument?) -> News? {
    let (label, wasAtLabel) = (addition.label, expected != nil)
    var reading = Reading(VersionRecords(addition.text), cursor, since: wasAtLabel ? nil : label, places)
    guard reading.read(from: cursor.offset, knowing: addition.value, until: found) else {
      (identity, cursor, expected) = (nil, Cursor(), nil)
      return nil
    }
    cursor = reading.cursor
    let isWhole = label == nil || wasAtLabel || reading.hasMetLabel || reading.isLater
    expected = isWhole ? reading.commits.last?.label ?? label : nil
    return News(
      commits: reading.commits, label: cursor.label, value: cursor.value, time: cursor.time, isWhole: isWhole)
  }

  fileprivate typealias Recorded = RecordedActions.Reading

  private static func name(of path: String) -> String { "\(ContentHash(Array(path.utf8))).versions" }

  /// A version in the log, and what tells it from others.
  fileprivate struct Cursor {
    /// Where the next record begins.
    var offset = 0
    var hash: ContentHash?
    var time = 0
    /// The versions of the same time up to it, to tell those of one hash apart.
    var sameTime: [ContentHash: Int] = [:]
    var value: JSONValue?

    var label: String? { hash.map { "\($0)-\(time)-\(sameTime[$0] ?? 1)" } }

    mutating func move(to version: Version) {
      let number = JSONNumber(version.time).exactly(Int.self) ?? 0
      if number != time { sameTime = [:] }
      (hash, time) = (version.hash, number)
      sameTime[version.hash, default: 0] += 1
    }
  }

  /// Versions that only the actions of one app have made, one after another.
  fileprivate struct Run {
    let form: RecordedActions.Form
    /// Where the patches are that lead from one to the next.
    var patches: [Range<Int>] = []
    /// Their actions, with commas between them.
    var actions: [UInt8] = []
    /// How many bytes their records have.
    var size = 0

    init(of app: AppVersion) { form = RecordedActions.Form(of: app) }
  }

  /// What records come to, one after another.
  fileprivate struct Reading {
    private let records: VersionRecords
    var cursor: Cursor
    var commits: [LocalCommit] = []
    var hasMetLabel = false
    private let label: String?
    /// When the version with the label was made; `nil` if that isn't waited for.
    private let labelTime: Int?
    /// Whether all versions are later than the one with the label, so that the log was begun anew.
    private(set) var isLater = false
    private let places: HomePlaces
    /// A save that counts only as part of the next version.
    private var merged: Merged?
    /// Whether the next version goes on from the last commit.
    private var isContinued = false
    /// What goes on from the last commit, and isn't in it yet: what many versions come to is made out at once. `nil` if nothing can
    /// go on from it.
    private var run: Run?

    init(_ records: VersionRecords, _ cursor: Cursor, since label: String?, _ places: HomePlaces) {
      (self.records, self.cursor, self.label, self.places) = (records, cursor, label, places)
      labelTime = label?.split(separator: "-").dropFirst().first.flatMap { Int($0) }
    }

    /// Whether all of it goes on from what was read before.
    mutating func read(from start: Int, knowing value: JSONValue?, until found: FoundDocument?) -> Bool {
      guard var versions = Self.standing(records.heads, isStart: start == 0) else { return false }
      var end = records.end
      if let last = versions.last, let mark = last.mark {
        // It is read once it has come to stand.
        versions.removeLast()
        end = mark
      }
      if let value { versions.removeFirst(skip(toLabelWith: value, in: versions)) }
      for head in versions where !extendRun(with: head) {
        endRun()
        take(head)
      }
      endRun(at: found)
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
        case .lost, .withdrawn, .read:
          // What is said of the version may stand behind that.
          if let last = versions.indices.last { versions[last].unknown += head.unknown }
        }
      }
      return versions
    }

    private mutating func take(_ head: VersionRecord.Head) {
      let former = Former(hash: cursor.hash, label: cursor.label, value: cursor.value)
      guard advance(head) else { return reset() }
      cursor.move(to: head.version)
      if former.hash == nil, let labelTime { isLater = cursor.time > labelTime }
      if head.version.cause == .merged {
        merged = Merged(over: merged?.former ?? former, save: cursor.value)
        return
      }
      defer { merged = nil }
      if let label, cursor.label == label {
        (commits, hasMetLabel, isContinued) = ([], true, false)
        return
      }
      // What is before the label was said.
      if label != nil, !hasMetLabel, !isLater { return }
      // What others did is in their journals.
      let isOthers = head.version.cause == .action && DeviceName.isMark(head.version.instance)
      let recorded = isOthers ? nil : actions(of: head, after: former.hash)
      if let merged = merged ?? (recorded?.ground == nil ? nil : Merged(over: former, save: nil)) {
        tell(merged, recorded)
      } else if isOthers {
        isContinued = false
      } else {
        let isSeed = former.value == nil && recorded == nil
        tell(
          former.value, recorded.flatMap { places.told($0, from: former.value, to: cursor.value) },
          seed: isSeed ? head.version.cause == .edit ? .contents : .defaults : nil)
      }
    }

    /// A version, before another one.
    fileprivate struct Former {
      var hash: ContentHash?
      var label: String?
      var value: JSONValue?
    }

    /// A save that counts only as part of the next version, and the version before it.
    private struct Merged {
      let former: Former
      let save: JSONValue?

      init(over former: Former, save: JSONValue?) { (self.former, self.save) = (former, save) }
    }

    /// Tells a save by what it changed, and then the actions that went over it, but not what others did.
    private mutating func tell(_ merged: Merged, _ recorded: Recorded?) {
      guard let recorded else { return tell(merged.former.value, nil) }
      let ground = recorded.ground ?? merged.save
      let isAll = recorded.actions?.isEmpty == true
      commits.append(
        LocalCommit(
          // Who is killed between the two tells both again.
          label: (isAll ? cursor.label : merged.former.label) ?? ShareLog.start, time: cursor.time,
          before: merged.former.value, after: ground))
      isContinued = false
      if !isAll { tell(ground, places.told(recorded, from: ground, to: cursor.value)) }
    }

    /// Many versions that say the same kind of thing are one commit: their values needn't all be kept.
    private mutating func tell(_ before: JSONValue?, _ recorded: Recorded?, seed: JournalEntry.Seed? = nil) {
      let commit = LocalCommit(
        label: cursor.label ?? ShareLog.start, time: cursor.time, before: before, after: cursor.value,
        actions: recorded?.actions, size: recorded?.size ?? 0, sums: recorded?.sums ?? [], app: recorded?.app,
        seed: seed)
      if isContinued, let last = commits.indices.last, commits[last].hasRoom(for: commit) {
        commits[last].append(commit)
      } else {
        commits.append(commit)
      }
      isContinued = true
      if let app = recorded?.app, recorded?.actions != nil, places.pointers.isEmpty { run = Run(of: app) }
    }

    private mutating func advance(_ head: VersionRecord.Head) -> Bool {
      if head.kind == .patch { return cursor.hash == head.before && apply(head.body) }
      guard let value = records.value(in: head.body) else { return false }
      cursor.value = value
      return true
    }

    /// Applies the patch that a record has as its body.
    private mutating func apply(_ body: Range<Int>) -> Bool {
      guard let patch = records.value(in: body).flatMap({ try? JSONPatch($0) }),
        let value = try? cursor.value?.applying(patch)
      else { return false }
      cursor.value = value
      return true
    }

    /// Nothing before a record that doesn't fit is known.
    private mutating func reset() {
      (cursor.hash, cursor.value, cursor.sameTime) = (nil, nil, [:])
      (commits, hasMetLabel, merged, isContinued, run) = ([], false, nil, false, nil)
    }

    // MARK: Many versions at once

    /// Goes to the version with the label, whose value is known; returns how many that passes over, 0 if it isn't there.
    private mutating func skip(toLabelWith value: JSONValue, in versions: [VersionRecord.Head]) -> Int {
      var cursor = cursor
      for (index, head) in versions.enumerated() {
        cursor.move(to: head.version)
        guard cursor.time == labelTime, head.version.cause != .merged, cursor.label == label else { continue }
        (self.cursor, self.cursor.value, hasMetLabel) = (cursor, value, true)
        return index + 1
      }
      return 0
    }

    /// Takes a version into the run if only actions of the same app have made it; returns whether it does.
    private mutating func extendRun(with head: VersionRecord.Head) -> Bool {
      guard var run = run.take() else { return false }
      defer { self.run = run }
      guard head.kind == .patch, head.before == cursor.hash, head.version.cause == .action,
        !DeviceName.isMark(head.version.instance), let line = head.unknown.first,
        commits[commits.count - 1].hasRoom(for: run.size + line.count),
        let actions = records.text.withUnsafeBytes({
          RecordedActions.place(in: line, of: head.version.hash, after: head.before, form: run.form, in: $0)
        })
      else { return false }
      if !run.actions.isEmpty { run.actions.append(UInt8(ascii: ",")) }
      run.actions += records.text[actions]
      run.patches.append(head.body)
      run.size += line.count
      cursor.move(to: head.version)
      return true
    }

    /// Takes the run into the last commit. What it comes to is what was found, if that is its last version.
    private mutating func endRun(at found: FoundDocument? = nil) {
      guard let run = run.take(), !run.patches.isEmpty else { return }
      let last = commits.count - 1
      if let found, found.hash == cursor.hash {
        cursor.value = found.content.value
      } else {
        for patch in run.patches where !apply(patch) { return reset() }
      }
      let text = [UInt8(ascii: "[")] + run.actions + [UInt8(ascii: "]")]
      guard case .array(let actions)? = try? JSONValue(parsing: text) else {
        // The records say more than they should; what they did can be told all the same.
        return tell(commits[last].after, nil)
      }
      commits[last].append(
        LocalCommit(
          label: cursor.label ?? ShareLog.start, time: cursor.time, before: commits[last].after, after: cursor.value,
          actions: actions, size: run.size, app: commits[last].app))
    }

    private func actions(of head: VersionRecord.Head, after former: ContentHash?) -> Recorded? {
      guard head.version.cause == .action || head.version.cause == .merge, !head.unknown.isEmpty else { return nil }
      // A whole version, where the one before it was taken back, may not know what it follows; nor is that known of the first.
      let predecessors: [ContentHash??] =
        former == nil ? [.none] : head.kind == .whole ? [former, .some(nil)] : [former]
      return records.text.withUnsafeBytes { text in
        for line in head.unknown {
          for predecessor in predecessors {
            let recorded = RecordedActions.reading(line, of: head.version.hash, after: predecessor, in: text)
            if let recorded { return recorded }
          }
        }
        return nil
      }
    }
  }
}
