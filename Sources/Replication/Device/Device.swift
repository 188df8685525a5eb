import StateJSON

/// A device's part in a share: what it has said in its journal, and what it knows of the journals of others.
///
/// A value, which knows no clock, file or thread. Whoever holds it gives it what was committed here and what has arrived, and
/// writes the lines that it returns to the end of the device's journal, before anything else is done with them.
///
///     device.take(arrived)
///     var lines = try device.export(commits)
///     lines += try device.respond(app: app, at: now)
///     device.document  // to be brought into the file
///
/// Those who made the commits had not seen what has been taken since the last line: ``export(_:isReading:)`` doesn't say so.
package struct Device: Sendable {
  /// The share.
  package let share: String
  /// The name under which it writes at present.
  package private(set) var writer: Writer
  /// The lines that it knows, and the document that they come to.
  package internal(set) var fold = Fold()
  /// Its own journal, from the first line on.
  package private(set) var journal: [JournalLine] = []
  /// The label of the last commit that it has exported, as its own lines say; `nil` if there is none.
  package internal(set) var exported: String?
  /// The problems that were found, which stay.
  package private(set) var problems: Set<ShareError> = []

  /// Whether anything was taken since it was found out what its app makes of all. What the app itself does from then on, it makes of
  /// that.
  private var isUnsettled = true
  /// The last line in which it said what its app makes of all.
  private var lastSettled: KnownLines.Number?
  /// Since when a line has been missed.
  private var missing: [LineID: Int] = [:]
  /// The lines that it has asked for.
  private var asked: Set<LineID> = []
  /// The lines in which others have asked for some, until they have read these.
  package private(set) var requests: [LineID: [LineID]] = [:]
  /// The lines that its journal carries.
  private var carried: Set<LineID> = []

  /// What it knows of the saves of a file in the folder itself.
  var explanations = Explanations()

  /// The last line of its own journal; `nil` if there is none.
  var lastLine: KnownLines.Number? { journal.last.flatMap { fold.lines.number(of: $0.id) } }

  /// How long a line is missed before it is asked for, in milliseconds.
  static let patience = 60_000

  /// A device that has said nothing yet.
  package init(share: String, writer: Writer) {
    (self.share, self.writer) = (share, writer)
  }

  /// Says again what a device has said itself, as it has kept it: the lines of its journal, in order; those of its former
  /// names first.
  package mutating func restore(_ line: JournalLine) {
    fold.add(line)
    if let upto = line.doing?.upto { exported = upto }
    if case .settled = line.contents { lastSettled = fold.lines.number(of: line.id) }
    if case .wants(let ids) = line.contents { asked.formUnion(ids) }
    if case .carried(let other) = line.contents { carried.insert(other.id) }
    if case .head(let head) = line.contents { begin(as: head.writer) }
    journal.append(line)
  }

  /// Takes lines of others, whatever is missing before them, and as often as they like to come.
  package mutating func take(_ lines: some Sequence<JournalLine>) {
    for line in lines {
      fold.add(line)
      isUnsettled = true
      if case .wants(let ids) = line.contents { requests[line.id] = ids }
    }
  }

  /// The document; `nil` if there is none.
  package var document: JSONValue? {
    mutating get { fold.document() }
  }

  /// Whether its journal, as it lies in the folder, has lines that it doesn't know to have written. Then somebody else writes
  /// under its name: a copy of its state folder, or itself, before that was set back.
  package func isForeign(_ lines: [JournalLine]) -> Bool {
    guard let last = lines.last else { return false }
    // Its journal grows at the end: nearly always what lies there is the beginning of it, and the last line says all before it.
    if lines.count <= journal.count, last.id == journal[lines.count - 1].id { return false }
    let own = Set(journal.lazy.map(\.id))
    return lines.contains { !own.contains($0.id) }
  }

  /// Goes on under another name, which nobody has. Its first lines have read those under the old one, so that these are
  /// missed, and carried, where another's have taken their place.
  package mutating func beginAgain(as writer: Writer) throws(JournalLineError) -> [JournalLine] {
    begin(as: writer)
    return try saying { (device) throws(JournalLineError) in try device.append(["kind": "ack"]) }
  }

  /// What it has asked for, and carried, is in a journal that may be another's now.
  private mutating func begin(as writer: Writer) {
    (self.writer, journal, asked, carried) = (writer, [], [], [])
  }

  // MARK: Saying something

  /// The lines that come of something that is said.
  mutating func saying(_ body: (inout Self) throws(JournalLineError) -> Void) throws(JournalLineError) -> [JournalLine]
  {
    let count = journal.count
    try body(&self)
    return Array(journal[count...])
  }

  /// Adds a line with these members, without those that are `nil`, and with what was read since the last one; not if it
  /// isn't reading, since what it says was done before.
  mutating func append(_ members: KeyValuePairs<String, JSONValue?>, isReading: Bool = true) throws(JournalLineError) {
    try append(JSONObject(present: members), isReading: isReading)
  }

  private mutating func append(_ body: JSONObject, isReading: Bool = true) throws(JournalLineError) {
    // What the first line after the head rests on was all taken before. The head may be all that was kept of a new beginning.
    let isReading = isReading || journal.count < 2
    if journal.isEmpty {
      guard let head = JournalHead(share: share, writer: writer) else { throw .body("the share has no name") }
      add(try JournalLine(head.body, after: nil))
    }
    var body = body
    let unread = isReading ? fold.lines.heads(unreadBy: lastLine) : []
    if !unread.isEmpty { body["read"] = .array(unread.map { fold.lines.line($0).id.value }) }
    add(try JournalLine(.object(body), after: journal.last?.id))
  }

  private mutating func add(_ line: JournalLine) {
    fold.add(line)
    journal.append(line)
  }
}

// MARK: What was done here

extension Device {
  /// Says what was committed to the local document since ``exported``.
  ///
  /// Nothing of it depends on when it is said: of two machines with one log, both write the same lines. If a line would be longer
  /// than any may be, an error says so; those before it are in ``journal``.
  /// They are `isReading` if who made them had seen all that was taken.
  package mutating func export(
    _ commits: [LocalCommit], isReading: Bool = false
  ) throws(JournalLineError) -> [JournalLine] {
    try saying { (device) throws(JournalLineError) in
      for commit in commits.joined {
        if let save = commit.save {
          _ = try device.tell(save, upto: commit.label, at: commit.time)
        } else if let seed = commit.seed, let document = commit.after {
          _ = try device.seed(document, seed, upto: commit.label)
        } else {
          try device.export(commit, isReading)
        }
      }
    }
  }

  private mutating func export(_ commit: LocalCommit, _ isReading: Bool) throws(JournalLineError) {
    var actions = commit.actions
    if commit.app == nil {
      actions = actions.map(DocumentAction.summed)
      if let told = actions, !DocumentAction.lead(told, from: commit.before, to: commit.after) { actions = nil }
    }
    let change = SparseChange(from: commit.before, to: commit.after)?.adding(at: commit.sums).value
    do throws(JournalLineError) {
      try append(entry(of: commit, actions, change, app: commit.app), isReading: isReading)
    } catch {
      // What can't be told as actions, as they are too many, may be told by what they changed.
      guard actions != nil else { throw error }
      try append(entry(of: commit, nil, change, app: nil), isReading: isReading)
    }
    exported = commit.label
  }

  private func entry(
    of commit: LocalCommit, _ actions: [JSONValue]?, _ change: JSONValue?, app: AppVersion?
  ) -> KeyValuePairs<String, JSONValue?> {
    [
      "kind": "entry", "time": .number(JSONNumber(commit.time)), "upto": .string(commit.label), "app": app?.value,
      "actions": actions.map(JSONValue.array), "change": change,
    ]
  }

  /// Says what the document held when the device joined without having heard of the others. The label is that of the last commit
  /// that made it so, and ``exported`` from then on.
  package mutating func seed(
    _ document: JSONValue, _ seed: JournalEntry.Seed, upto label: String? = nil
  ) throws(JournalLineError) -> [JournalLine] {
    try saying { (device) throws(JournalLineError) in
      try device.append([
        "kind": "entry", "time": .number(JSONNumber(seed.time)), "seed": .string(seed.rawValue),
        "upto": label.map(JSONValue.string), "change": ["is": document],
      ])
      device.exported = label
    }
  }

  /// Says how the device is called from now on, unless it has said that.
  package mutating func introduce(as name: String) throws(JournalLineError) -> [JournalLine] {
    let known = journal.last { if case .name = $0.contents { true } else { false } }
    if case .name(name)? = known?.contents { return [] }
    return try saying { (device) throws(JournalLineError) in try device.append(["kind": "name", "name": .string(name)])
    }
  }

  /// Says that the device takes part no longer.
  package mutating func leave() throws(JournalLineError) -> [JournalLine] {
    try saying { (device) throws(JournalLineError) in try device.append(["kind": "left"]) }
  }
}

// MARK: What others did

extension Device {
  /// Says what is to be said to what was taken: what the app makes of it, what is missed, what somebody else misses, and that
  /// it was read.
  ///
  /// - Parameters:
  ///   - app: The app that runs here; `nil` where only the command does.
  ///   - now: Any clock that goes on, in milliseconds.
  ///   - nearest: The version in the device's own log that somebody's save was most likely made from, of the file that lies in the
  ///     folder itself: one from before that was met with.
  ///   - isStanding: Whether a line stands in some journal in the folder, so that nobody has to carry it.
  /// - Returns: The lines that were added to the journal.
  /// - Throws: If a line would be longer than any may be; those before it are in ``journal``.
  package mutating func respond(
    app: (any ActionReducer)?, at now: Int, nearest: OwnSearch = { _, _, _ in nil },
    isStanding: (LineID) -> Bool
  ) throws(JournalLineError) -> [JournalLine] {
    let last = lastLine
    return try saying { (device) throws(JournalLineError) in
      try device.carry(isStanding)
      try device.ask(at: now)
      try device.explainSaves(nearest, after: last)
      if let app { try device.settle(app) }
      try device.acknowledge()
    }
  }

  /// Finds out what all that was taken comes to, so that ``respond(app:at:isStanding:)`` is done sooner.
  package mutating func prepare(for app: (any ActionReducer)?) {
    if let app, isUnsettled, isToSettle(app.version) { _ = fold.reduced(by: app) }
    _ = fold.document()
  }

  /// Whether nobody has said yet what this app, or a newer one, makes of all.
  private func isToSettle(_ app: AppVersion) -> Bool {
    guard let best = fold.best else { return true }
    return best.settled.app < app || best.settled.app == app && !fold.readsAll(best.number)
  }

  private mutating func settle(_ app: some ActionReducer) throws(JournalLineError) {
    guard isUnsettled else { return }
    defer { isUnsettled = false }
    guard isToSettle(app.version) else {
      if let best = fold.best, best.settled.app == app.version { findImpurity(best, app.version) }
      return
    }
    guard let value = fold.reduced(by: app), value != fold.document() else { return }
    do throws(JournalLineError) {
      try append(["kind": "settled", "app": app.version.value, "value": value])
    } catch {
      // It helps those who can't reduce; all else is said.
      if error == .tooLong { return }
      throw error
    }
    lastSettled = lastLine
  }

  /// Two values of one app for the same entries are those of a reducer that isn't pure.
  private mutating func findImpurity(_ best: Fold.Candidate, _ app: AppVersion) {
    guard let lastSettled, lastSettled != best.number, fold.readsAll(lastSettled),
      case .settled(let said) = fold.lines.line(lastSettled).contents, said.app == app, said.value != best.settled.value
    else { return }
    problems.insert(.impureReducer(app: app, other: fold.lines.writer(of: best.number)))
  }

  /// Says that it has read what others did, or what their apps make of it; not that they have read something.
  private mutating func acknowledge() throws(JournalLineError) {
    if let lastLine, fold.lines.hasNews(unreadBy: lastLine) { try append(["kind": "ack"]) }
  }

  /// Takes note of the lines that are missed, at a time by the clock of ``respond(app:at:isStanding:)``.
  package mutating func noteMissing(at now: Int) {
    missing = Dictionary(uniqueKeysWithValues: fold.lines.missing.map { ($0, missing[$0] ?? now) })
  }

  private mutating func ask(at now: Int) throws(JournalLineError) {
    noteMissing(at: now)
    let wanted = missing.filter { now - $0.value >= Self.patience && !asked.contains($0.key) }.keys.sorted()
      .prefix(JournalLimits.readCount)
    guard !wanted.isEmpty else { return }
    try append(["kind": "wants", "lines": .array(wanted.map(\.value))])
    asked.formUnion(wanted)
  }

  /// Copies the lines that somebody asks for, and those that their writers had read, where they stand nowhere any more.
  private mutating func carry(_ isStanding: (LineID) -> Bool) throws(JournalLineError) {
    for (request, ids) in requests.sorted(by: { $0.key < $1.key }) {
      guard let asking = fold.lines.number(of: request) else { continue }
      if fold.lines.isAnswered(asking, for: ids) {
        requests[request] = nil
        continue
      }
      for wanted in ids.compactMap({ fold.lines.number(of: $0) }) {
        for number in fold.lines.unread(by: asking, of: wanted) { try carry(number, isStanding) }
      }
    }
  }

  private mutating func carry(_ number: KnownLines.Number, _ isStanding: (LineID) -> Bool) throws(JournalLineError) {
    let line = fold.lines.line(number)
    // What its journal carries stands there, or will once that can be written.
    guard fold.lines.counts(number), !carried.contains(line.id), !isStanding(line.id),
      case .object(let body) = CarriedLine.body(carrying: line, of: fold.lines.writer(of: number))
    else { return }
    carried.insert(line.id)
    do throws(JournalLineError) { try append(body) } catch .tooLong {
      // Within another line it takes more bytes than any may have. So nobody can carry it.
    }
  }
}

extension JournalEntry.Seed {
  /// When it counts: before all that anybody did.
  var time: Int {
    switch self {
    case .contents: 0
    case .defaults: 1
    }
  }
}
