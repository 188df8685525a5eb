import Replication
import StateJSON

/// What people did in a world, by the line that says it, and what must be there of it.
struct Deeds {
  private var done: [LineID: Deed] = [:]
  /// How many commits of each machine were said.
  private var counts: [Int] = []
  /// The sum that all those come to that were asked for last.
  private(set) var sum = 0

  /// What one line says.
  fileprivate struct Deed {
    var time = 0
    var sum = 0
    var tokens: Set<String> = []
    var tags: [String] = []
    /// Rows that came, those that an editor changed, and those that went, by an action or with an editor.
    var rows: Set<String> = []
    var edited: Set<String> = []
    var dropped: Set<String> = []
    var removed: Set<String> = []
    /// The titles that gave way, and the last that was given.
    var formerTitles: Set<String> = []
    var title: String?
  }

  /// Takes note of what a machine has said; each commit is said once.
  mutating func note(_ lines: some Sequence<JournalLine>, of log: [LocalCommit], by machine: Int) {
    while counts.count <= machine { counts.append(0) }
    for line in lines {
      guard let entry = line.doing, let upto = entry.upto.flatMap({ Int($0) }) else { continue }
      defer { counts[machine] = max(counts[machine], upto) }
      // What was saved in a file in the folder itself is looked after by who saves it.
      if case .save = line.contents { continue }
      // A clone has said the same.
      if done[line.id] != nil { continue }
      var deed = Deed(time: entry.time)
      if entry.seed == .contents, case .replaced(_, let contents?)? = entry.change {
        deed.edit(from: nil, to: contents)
      } else if entry.seed == nil, entry.change != nil || entry.actions != nil, upto > counts[machine] {
        deed.take(log[counts[machine]..<upto])
      }
      done[line.id] = deed
    }
  }

  /// A second machine has done all that one did.
  mutating func clone(_ machine: Int, as copy: Int) {
    while counts.count <= max(machine, copy) { counts.append(0) }
    counts[copy] = counts[machine]
  }

  // MARK: What must be there

  /// The promises that a document breaks: all that anybody has heard of must be there, once; and what was given last, if the world
  /// is punctual: all clocks are right, and everybody had seen what their machines had read.
  mutating func breaches(of document: JSONValue, among lines: KnownLines, isPunctual: Bool) -> [String] {
    let known = done.compactMap { id, deed in
      lines.number(of: id).flatMap { lines.counts($0) ? (number: $0, deed: deed) : nil }
    }
    sum = known.reduce(0) { $0 + $1.deed.sum }
    var breaches = Self.breachesOfRows(document, known, lines) + Self.breachesOfTitle(document, known, isPunctual)
    guard case .object(let tokens) = document[member: "tokens"] else { return ["there are no tokens"] }
    if !known.allSatisfy({ $0.deed.tokens.isSubset(of: tokens.keys) }) { breaches.append("tokens are lost") }
    var (tags, found): ([String: Int], [String: Int]) = ([:], [:])
    for tag in known.lazy.flatMap(\.deed.tags) { tags[tag, default: 0] += 1 }
    for tag in document[member: "tags"].elements { found[tag.string, default: 0] += 1 }
    if tags.contains(where: { $0.value > found[$0.key, default: 0] }) { breaches.append("tags are lost") }
    if found.contains(where: { $0.value > tags[$0.key, default: 0] }) { breaches.append("a tag is there twice") }
    return breaches
  }

  /// The promises that a document breaks since it isn't as if all actions had been reduced one after another, by the newest app; if that
  /// is one of those that are about, or nobody has one. Asked after ``breaches(of:among:isPunctual:)``.
  func breachesOfReduction(_ document: JSONValue, _ fold: Fold, _ apps: [AppVersion]) -> [String] {
    var fold = fold
    let newest = fold.lines.counted.compactMap { id -> AppVersion? in
      guard let number = fold.lines.number(of: id) else { return nil }
      return switch fold.lines.line(number).contents {
      case .entry(let entry): entry.app
      case .settled(let settled): settled.app
      default: nil
      }
    }.max()
    guard newest == nil || newest.map(apps.contains) == true else { return [] }
    var breaches: [String] = []
    if document[member: "n"].integer != sum {
      breaches.append("the counter is \(document[member: "n"].integer) of \(sum)")
    }
    if let newest, fold.reduced(by: SampleApp(newest.version)) != document {
      breaches.append("not as if reduced one after another")
    }
    return breaches
  }

  private typealias Known = (number: KnownLines.Number, deed: Deed)

  private static func breachesOfRows(_ document: JSONValue, _ known: [Known], _ lines: KnownLines) -> [String] {
    var breaches: [String] = []
    let elements = document[member: "rows"].elements
    let ids = elements.compactMap { $0.id?.string }
    let there = Set(ids)
    if there.count != ids.count { breaches.append("a row is there twice") }
    if elements.contains(where: { $0[member: "v"] == .null }) { breaches.append("a row is there in part") }
    var dropped: Set<String> = []
    var (made, removed): ([String: [KnownLines.Number]], [String: [KnownLines.Number]]) = ([:], [:])
    for (number, deed) in known {
      dropped.formUnion(deed.dropped)
      for row in deed.edited.union(deed.rows) { made[row, default: []].append(number) }
      for row in deed.removed { removed[row, default: []].append(number) }
    }
    let added = Set(known.lazy.flatMap(\.deed.rows))
    if !added.subtracting(dropped).subtracting(removed.keys).isSubset(of: there) { breaches.append("rows are lost") }
    // Who has edited a row last keeps it from who removes it without having heard of that.
    let isWrong = known.contains { edit, deed in
      deed.edited.contains { row in
        !there.contains(row) && !dropped.contains(row)
          && made[row, default: []].allSatisfy { $0 == edit || lines.isRead($0, by: edit) }
          && !removed[row, default: []].contains { lines.isRead(edit, by: $0) }
      }
    }
    if isWrong { breaches.append("an edit gave way to a removal") }
    return breaches
  }

  private static func breachesOfTitle(_ document: JSONValue, _ known: [Known], _ isPunctual: Bool) -> [String] {
    let title = document[member: "title"].string
    let given = known.filter { $0.deed.title != nil }
    if given.contains(where: { $0.deed.formerTitles.contains(title) }) { return ["a title is back"] }
    guard isPunctual, let last = given.map(\.deed.time).max() else { return [] }
    return given.contains { $0.deed.time == last && $0.deed.title == title } ? [] : ["the last title is not the last"]
  }
}

extension Deeds.Deed {
  /// Takes in commits that are one entry.
  fileprivate mutating func take(_ run: ArraySlice<LocalCommit>) {
    let run = run.filter { $0.save == nil }
    guard let first = run.first, let last = run.last else { return }
    if first.actions == nil { return edit(from: first.before, to: last.after) }
    for commit in run {
      replaceTitle(commit.before, commit.after)
      for action in commit.actions ?? [] { take(action.elements) }
    }
  }

  private mutating func take(_ action: [JSONValue]) {
    switch action[0].string {
    case "token": tokens.insert(action[1].string)
    case "set":
      guard let pointer = try? JSONPointer(parsing: action[1].string), pointer.tokens[0] == "tokens" else { return }
      tokens.insert(pointer.tokens[1])
    case "add": sum += action[1].integer
    case "increment": sum += action[2].integer
    case "row": rows.insert(action[1].string)
    case "drop": dropped.insert(action[1].string)
    case "tag": tags.append(action[1].string)
    case "append": tags.append(action[2].string)
    default: break
    }
  }

  /// Takes in what an editor saved.
  fileprivate mutating func edit(from before: JSONValue?, to after: JSONValue?) {
    replaceTitle(before, after)
    tokens.formUnion(Set(after?.tokens ?? []).subtracting(before?.tokens ?? []))
    let (old, new) = (Self.notes(before), Self.notes(after))
    rows = Set(new.keys).subtracting(old.keys)
    removed = Set(old.keys).subtracting(new.keys)
    edited = Set(new.keys.filter { key in old[key].map { $0 != new[key] } ?? false })
  }

  private mutating func replaceTitle(_ before: JSONValue?, _ after: JSONValue?) {
    let (old, new) = (before?[member: "title"].string, after?[member: "title"].string ?? "")
    if new == old ?? "" { return }
    formerTitles.insert(old ?? "")
    formerTitles.remove(new)
    title = new
  }

  private static func notes(_ document: JSONValue?) -> [String: JSONValue] {
    let rows = document?[member: "rows"].elements ?? []
    return Dictionary(rows.map { ($0.id?.string ?? "", $0[member: "note"]) }, uniquingKeysWith: { first, _ in first })
  }
}
