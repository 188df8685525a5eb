import Replication
import StateJSON

/// Commits for other devices, made of the records of a log.
extension ShareLog {
  private typealias Recorded = RecordedActions.Reading

  /// A version in the log, and what tells it from others.
  struct Cursor {
    /// Where the next record begins.
    var offset = 0
    var hash: ContentHash?
    var time = 0
    /// The versions of the same time up to it, to tell those of one hash apart.
    var sameTime: [ContentHash: Int] = [:]
    var value: JSONValue?
    /// The saves that were found in the file up to it, since the document of all was last brought there.
    private var finds: [FileVersion] = []
    /// The same for those versions before it at which that became something else, by their labels.
    private(set) var findsAt: [String: [FileVersion]] = [:]

    /// The bytes that were found there.
    private(set) var foundBytes: Set<String> = []

    /// For how many versions that is known.
    private static let findCount = 4_096

    var label: String? { hash.map { "\($0)-\(time)-\(sameTime[$0] ?? 1)" } }

    mutating func move(to version: Version) {
      if version.time != time { sameTime = [:] }
      (hash, time) = (version.hash, Int(version.time))
      sameTime[version.hash, default: 0] += 1
    }

    /// Notes that something was found in the file, or that the document of all was brought there.
    mutating func note(found: FileVersion?, isOthers: Bool) {
      if found == nil, !isOthers || finds.isEmpty { return }
      if isOthers { finds = [] }
      if let found { finds.append(found) }
      if findsAt.count == Self.findCount { (findsAt, foundBytes) = ([:], []) }
      if let found { foundBytes.insert(found.hash) }
      if let label { findsAt[label] = finds }
    }

    /// Forgets what it comes after.
    mutating func forget() { (hash, value, sameTime, finds, findsAt, foundBytes) = (nil, nil, [:], [], [:], []) }
  }

  /// Versions that only the actions of one app have made, one after another.
  struct Run {
    let form: RecordedActions.Form
    /// Where the patches are that lead from one to the next.
    var patches: [Range<Int>] = []
    /// Their actions, with commas between them.
    var actions: [UInt8] = []
    /// How many bytes their records have.
    var size = 0
    /// What they are in the file, where others are told of that.
    var written: [FileVersion] = []

    init(of app: AppVersion) { form = RecordedActions.Form(of: app) }
  }

  /// The reading of records, one after another.
  struct Reading {
    private let records: LogRecords
    var cursor: Cursor
    var commits: [LocalCommit] = []
    var hasMetLabel = false
    private let label: String?
    /// When the version with the label was made; `nil` if that isn't waited for.
    private let labelTime: Int?
    /// Whether all versions are later than the one with the label, so that the log was begun anew.
    private(set) var isLater = false
    private let form: ShareForm
    private let places: HomePlaces
    /// What instances wrote, where others are told of that.
    private(set) var written: [Written] = []
    var read: Set<ContentHash> {
      form == .inside ? Set(records.heads.lazy.filter { $0.kind == .read }.map(\.version.hash)) : []
    }
    /// A save that counts only as part of the next version.
    private var merged: Merged?
    /// Whether the next version goes on from the last commit.
    private var isContinued = false
    /// The versions that go on from the last commit, and aren't in it yet: what they come to is made out at once. `nil` if none can.
    private var run: Run?

    init(
      _ records: LogRecords, _ cursor: Cursor, since label: String?, _ form: ShareForm, _ places: HomePlaces
    ) {
      (self.records, self.cursor, self.label, self.form, self.places) = (records, cursor, label, form, places)
      labelTime = label?.split(separator: "-").dropFirst().first.flatMap { Int($0) }
    }

    /// Whether all of it goes on from what was read before.
    mutating func read(from start: Int, knowing value: JSONValue?, until found: FoundDocument?) -> Bool {
      guard var versions = Self.notTakenBack(records.heads, isStart: start == 0) else { return false }
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
    private static func notTakenBack(_ heads: [LogRecord.Head], isStart: Bool) -> [LogRecord.Head]? {
      var versions: [LogRecord.Head] = []
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

    private mutating func take(_ head: LogRecord.Head) {
      let former = Former(hash: cursor.hash, label: cursor.label, value: cursor.value)
      guard advance(head) else { return reset() }
      cursor.move(to: head.version)
      if former.hash == nil, let labelTime { isLater = cursor.time > labelTime }
      // What others did is in their journals.
      let isOthers = head.version.cause == .action && DeviceName.isMark(head.version.instance)
      let found = found(at: head)
      if form == .inside { cursor.note(found: found?.version, isOthers: isOthers) }
      if head.version.cause == .merged {
        let saves = (merged?.saves ?? []) + (found.flatMap { FoundSave($0, at: cursor) }.map { [$0] } ?? [])
        merged = Merged(former: merged?.former ?? former, save: cursor.value, saves: saves)
        return
      }
      defer { merged = nil }
      if let label, cursor.label == label {
        (commits, written, hasMetLabel, isContinued) = ([], [], true, false)
        return
      }
      // What is before the label was said.
      if label != nil, !hasMetLabel, !isLater { return }
      defer { if form == .inside, found == nil { noteWritten(.init(head.version), cursor.value) } }
      if let found, let save = FoundSave(found, at: cursor) {
        return tell(former.value, nil, save: save)
      }
      let recorded = isOthers ? nil : actions(of: head, after: former.hash)
      if let merged = merged ?? (recorded?.ground == nil ? nil : Merged(former: former, save: nil)) {
        tell(merged, recorded)
      } else if isOthers {
        isContinued = false
      } else {
        let seed = former.value == nil ? seed(recorded) : nil
        let actions = seed == nil ? recorded : nil
        tell(former.value, actions.flatMap { places.told($0, from: former.value, to: cursor.value) }, seed: seed)
      }
    }

    /// What the first version is to others: contents, unless it is known how it came about.
    private func seed(_ recorded: Recorded?) -> JournalEntry.Seed? {
      guard let recorded, recorded.isFirst else { return .contents }
      return recorded.isOfDefaults ? .defaults : nil
    }

    /// A version, before another one.
    struct Former {
      var hash: ContentHash?
      var label: String?
      var value: JSONValue?
    }

    /// The version before another one, and a save, if one counts only as part of that.
    private struct Merged {
      let former: Former
      let save: JSONValue?
      /// The saves as they were found, where that is told.
      var saves: [FoundSave] = []
    }

    /// The version of a file that somebody had saved, where that is told.
    private func found(at head: LogRecord.Head) -> (version: FileVersion, modified: Int)? {
      guard form == .inside else { return nil }
      return records.text.withUnsafeBytes { text in
        head.unknown.lazy.compactMap { FoundTime.reading($0, of: head.version.hash, in: text) }.first
      }
      .map { (FileVersion(head.version.hash, modified: $0.isSure ? $0.modified : nil), Int($0.modified / 1_000)) }
    }

    private mutating func noteWritten(_ version: FileVersion, _ value: JSONValue?) {
      let wasFound = cursor.foundBytes.contains(version.hash)
      written.append(Written(version: version, value: value, wasFound: wasFound, commitCount: commits.count))
    }

    /// Tells a save by what it changed, or what a file held by default, and then the actions that went over it, but not what others
    /// did.
    private mutating func tell(_ merged: Merged, _ recorded: Recorded?) {
      if !merged.saves.isEmpty { return tell(merged.saves, over: merged, recorded) }
      let isFirst = merged.former.hash == nil
      guard let recorded else { return tell(merged.former.value, nil, seed: isFirst ? .contents : nil) }
      let ground = recorded.ground ?? merged.save
      let isAll = recorded.actions?.isEmpty == true
      let seed: JournalEntry.Seed = merged.save == nil && recorded.isFirst ? .defaults : .contents
      commits.append(
        LocalCommit(
          // Who is killed between the two tells both again.
          label: (isAll ? cursor.label : merged.former.label) ?? ShareLog.start, time: cursor.time,
          before: merged.former.value, after: ground, seed: isFirst ? seed : nil))
      isContinued = false
      if !isAll { tell(ground, places.told(recorded, from: ground, to: cursor.value)) }
    }

    /// Tells saves as they were found, and then the actions that went over what they were merged to.
    private mutating func tell(_ saves: [FoundSave], over merged: Merged, _ recorded: Recorded?) {
      let ground = recorded.map { $0.ground ?? merged.save } ?? cursor.value
      let isAll = recorded?.actions?.isEmpty ?? true
      for (index, save) in saves.enumerated() {
        let isLast = index == saves.indices.last
        commits.append(
          LocalCommit(
            // Who is killed between them tells all again, which others know.
            label: (isLast && isAll ? cursor.label : merged.former.label) ?? ShareLog.start, time: cursor.time,
            before: merged.former.value, after: isLast ? ground : merged.former.value, save: save))
      }
      isContinued = false
      if !isAll, let recorded { tell(ground, places.told(recorded, from: ground, to: cursor.value)) }
    }

    /// Many versions that say the same kind of thing are one commit: their values needn't all be kept.
    private mutating func tell(
      _ before: JSONValue?, _ recorded: Recorded?, seed: JournalEntry.Seed? = nil, save: FoundSave? = nil
    ) {
      let commit = LocalCommit(
        label: cursor.label ?? ShareLog.start, time: cursor.time, before: before, after: cursor.value,
        actions: recorded?.actions, size: recorded?.size ?? 0, sums: recorded?.sums ?? [], app: recorded?.app,
        seed: seed, save: save)
      if isContinued, let last = commits.indices.last, commits[last].hasRoom(for: commit) {
        commits[last].append(commit)
      } else {
        commits.append(commit)
      }
      isContinued = true
      if let app = recorded?.app, recorded?.actions != nil, places.pointers.isEmpty { run = Run(of: app) }
    }

    private mutating func advance(_ head: LogRecord.Head) -> Bool {
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
      cursor.forget()
      (commits, written, hasMetLabel, merged, isContinued, run) = ([], [], false, nil, false, nil)
    }

    // MARK: Many versions at once

    /// Goes to the version with the label, whose value is known; returns how many that passes over, 0 if it isn't there.
    private mutating func skip(toLabelWith value: JSONValue, in versions: [LogRecord.Head]) -> Int {
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
    private mutating func extendRun(with head: LogRecord.Head) -> Bool {
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
      if form == .inside { run.written.append(FileVersion(head.version)) }
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
      for version in run.written { noteWritten(version, version == run.written.last ? cursor.value : nil) }
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

    private func actions(of head: LogRecord.Head, after former: ContentHash?) -> Recorded? {
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

extension FoundSave {
  /// `nil` if there is no value.
  fileprivate init?(_ found: (version: FileVersion, modified: Int), at cursor: ShareLog.Cursor) {
    guard let contents = cursor.value else { return nil }
    self.init(found.version, modified: found.modified, contents: contents, label: cursor.label)
  }
}

extension FileVersion {
  /// The version of a file that has some bytes, and was modified at a time in nanoseconds since 1970.
  init(_ hash: ContentHash, modified: Int64?) { self.init(hash: "\(hash)", modified: modified.map(Int.init)) }

  /// A version as an instance writes it.
  fileprivate init(_ version: Version) { self.init(version.hash, modified: version.fileTime) }
}
