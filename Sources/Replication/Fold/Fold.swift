import StateJSON

/// The document that the lines of all journals come to. It depends on which lines are known, and on nothing else, so that it
/// is the same wherever they are.
///
///     var fold = Fold()
///     for line in journal.lines + journal.carried { fold.add(line) }
///     fold.document()  // what everybody takes it for
///
/// Entries have one order, and each does what it says to what those before it have come to. ``document()`` begins with the best
/// value that an app has said, and does what the entries say that this one's writer had not read.
/// ``reduced(by:)`` is what the entries come to for the app itself, from the first one on.
///
/// - Complexity: Asked again, both do only what has arrived, and what is after that in the order.
package struct Fold: Sendable {
  /// All that is known.
  package private(set) var lines = KnownLines()
  private(set) var entries = FoldOrder()
  private(set) var saves = FoldSaves()
  /// The values that somebody has said.
  private(set) var candidates: [Candidate] = []
  /// The best of them, of those that count.
  private(set) var best: Candidate?
  /// How many lines do something, and count.
  private var doingCount = 0

  /// The value that ``document()`` had begun with when it was asked last.
  private(set) var start: KnownLines.Number?
  /// Without a value: of what was read where it was said.
  private var startGhosts = FoldSnapshots<Ghosts>()
  private(set) var documents = FoldSnapshots<FoldState>()
  private var reductions = FoldSnapshots<FoldState>()
  /// The document that so many entries come to for the app.
  private var reduction: (count: Int, value: JSONValue?)?
  /// The app that they are for.
  private var reducer: AppVersion?

  /// A value that somebody has said, and what it is judged by.
  struct Candidate {
    let number: KnownLines.Number
    let id: LineID
    let settled: SettledValue
    let entryCount: Int

    func isBetter(than other: Self) -> Bool {
      if entryCount != other.entryCount { return entryCount > other.entryCount }
      return settled.app == other.settled.app ? id > other.id : settled.app > other.settled.app
    }
  }

  /// Knows nothing.
  package init() {}

  /// Adds a line, whatever is missing before it; one that is known already changes nothing.
  package mutating func add(_ line: JournalLine) {
    for number in lines.add(line) {
      if let index = entries.add(number, in: lines) {
        startGhosts.shift(from: index)
        documents.discard(from: index)
        reductions.discard(from: index)
      }
      let changed = saves.add(number, in: lines)
      if !changed.isEmpty { redo(changed) }
      switch lines.line(number).contents {
      case .entry: doingCount += 1
      case .settled(let settled):
        candidates.append(candidate(number, settled))
        consider(candidates[candidates.count - 1])
      default: break
      }
    }
  }

  /// Does again what saves change that count now, or don't any more.
  private mutating func redo(_ changed: [KnownLines.Number]) {
    for save in changed {
      let index = entries.index(of: save)
      startGhosts.discard(from: index)
      documents.discard(from: index)
      reductions.discard(from: index)
    }
    reduction = nil
    best = nil
    candidates = candidates.map { candidate($0.number, $0.settled) }
    for candidate in candidates { consider(candidate) }
  }

  private func candidate(_ number: KnownLines.Number, _ settled: SettledValue) -> Candidate {
    Candidate(
      number: number, id: lines.line(number).id, settled: settled, entryCount: readCount(before: number))
  }

  private mutating func consider(_ candidate: Candidate) {
    guard best.map({ candidate.isBetter(than: $0) }) ?? true, saves.agree(with: candidate.number, in: lines) else {
      return
    }
    best = candidate
  }

  /// How many lines that do something, and count, a line's writer had read or written before it.
  private func readCount(before reader: KnownLines.Number) -> Int {
    lines.entryCount(before: reader) + saves.count(before: reader, in: lines)
  }

  /// The entries that count, in order.
  package var order: [LineID] {
    var order: [LineID] = []
    entries.forEach(from: 0) { if saves.doing($1, in: lines) != nil { order.append(lines.line($1).id) } }
    return order
  }

  /// The line that says the best value: what its writer had read most entries for, then by the newest app, then by name.
  package var bestSettled: LineID? { best?.id }

  /// Whether the writer of a line that counts had read all entries that count.
  func readsAll(_ number: KnownLines.Number) -> Bool { readCount(before: number) == doingCount + saves.count }

  /// The document as it is for all, whether they run an app or not; `nil` if there is none.
  package mutating func document() -> JSONValue? {
    let begins = startState()
    return Self.advance(&documents, from: begins, besides: start, entries, lines, saves)
  }

  /// The document that the entries come to for an app.
  package mutating func reduced(by app: some ActionReducer) -> JSONValue? {
    if reducer != app.version { (reducer, reductions, reduction) = (app.version, FoldSnapshots(), nil) }
    // What is added makes them more.
    if let reduction, reduction.count == entries.count { return reduction.value }
    let value = Self.advance(&reductions, by: app, entries, lines, saves)
    reduction = (entries.count, value)
    return value
  }

  /// The state that the document begins with, and what was removed until then.
  private mutating func startState() -> FoldState {
    if start != best?.number {
      documents = FoldSnapshots()
      if let old = start, let new = best?.number {
        let different = lines.firstDifferences(old, new).map { entries.index(of: $0) }
        startGhosts.discard(from: different.min() ?? entries.count)
      }
      start = best?.number
    }
    guard let best else { return FoldState() }
    let last = startGhosts.takeLast() ?? (0, Ghosts())
    var ghosts = last.state
    entries.forEach(from: last.count) { index, number in
      if index > last.count, index % FoldSnapshots<Ghosts>.step == 0 { startGhosts.append(ghosts, after: index) }
      if lines.isRead(number, by: best.number), let doing = saves.doing(number, in: lines) { ghosts.remember(doing) }
    }
    startGhosts.append(ghosts, after: entries.count)
    return FoldState(value: best.settled.value, ghosts: ghosts)
  }

  /// Does what entries say that a line's writer hadn't read, from the last snapshot on.
  private static func advance(
    _ snapshots: inout FoldSnapshots<FoldState>, from start: FoldState, besides reader: KnownLines.Number?,
    _ entries: FoldOrder, _ lines: KnownLines, _ saves: FoldSaves
  ) -> JSONValue? {
    let last = snapshots.takeLast() ?? (0, start)
    var state = last.state
    entries.forEach(from: last.count) { index, number in
      if index > last.count, index % FoldSnapshots<FoldState>.step == 0 { snapshots.append(state, after: index) }
      if let reader, lines.isRead(number, by: reader) { return }
      if let doing = saves.doing(number, in: lines) { state.apply(doing) }
    }
    snapshots.append(state, after: entries.count)
    return state.value
  }

  /// How many actions an app is handed together, unless one entry has more.
  private static let groupLimit = 64

  /// Has an app reduce what entries say, from the last snapshot on.
  ///
  /// It is handed several entries at once. Where one of these groups ends depends on the order alone, and the snapshots are between two
  /// groups: so what comes out is the same for all, also if a document doesn't say all that the app makes of it.
  private static func advance(
    _ snapshots: inout FoldSnapshots<FoldState>, by app: some ActionReducer, _ entries: FoldOrder, _ lines: KnownLines,
    _ saves: FoldSaves
  ) -> JSONValue? {
    let last = snapshots.takeLast() ?? (0, FoldState())
    var state = last.state
    var (group, count): ([JournalEntry], Int) = ([], 0)
    entries.forEach(from: last.count) { index, number in
      if group.isEmpty { snapshots.append(state, after: index) }
      if let doing = saves.doing(number, in: lines) {
        group.append(doing)
        count += doing.actions?.count ?? 0
      }
      if count >= groupLimit || (index + 1) % FoldSnapshots<FoldState>.step == 0 {
        state.apply(group, app: app)
        (group, count) = ([], 0)
      }
    }
    if group.isEmpty { snapshots.append(state, after: entries.count) }
    state.apply(group, app: app)
    return state.value
  }
}
