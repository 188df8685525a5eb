import StateJSON

/// A version that a save can have been made from.
struct SaveCandidate {
  let value: JSONValue?
  let base: JournalSave.Base
  /// What the lines of the base come to.
  let told: JSONValue?

  init(_ value: JSONValue?, _ base: JournalSave.Base) { self.init(value, base, told: value) }

  init(_ value: JSONValue?, _ base: JournalSave.Base, told: JSONValue?) {
    (self.value, self.base, self.told) = (value, base, told)
  }
}

/// How a save came about.
struct SaveExplanation {
  var cost: Int
  let base: JournalSave.Base
  let change: SparseChange?
  /// How the contents are found, if not by the change.
  let contents: SparseChange?

  /// The explanation where there is no version to explain it by.
  init(of contents: JSONValue) { self.init(of: contents, by: SaveCandidate(nil, .lines([]))) }

  init(of contents: JSONValue, by candidate: SaveCandidate, cost: (SparseChange?) -> Int = { 2 * ($0?.cost ?? 0) }) {
    change = SparseChange(from: candidate.value, to: contents)
    self.cost = cost(change)
    base = candidate.base
    self.contents = candidate.told == candidate.value ? nil : SparseChange(from: candidate.told, to: contents)
  }
}

extension Device {
  /// What is known of saves besides what the lines say.
  struct Explanations: Sendable {
    /// What saves held, as far as that was asked for; `nil` where it can't be found out.
    var contents: [KnownLines.Number: JSONValue?] = [:]
    /// What lines come to, while saves are explained by them.
    var documents: [KnownLines.Number: JSONValue?] = [:]
    /// How many lines said something of versions when it was looked last whether saves can be explained by less.
    var lineCount = 0
  }

  /// How many of a device's newest lines about versions tell what a save may have been made from.
  private static let baseCount = 16
  /// Among how many lines these are.
  private static let lookBack = 1_024
  /// How many of the newest saves may yet be explained by less.
  static let saveCount = 64
  /// How many saves in a row were made one from the other before nobody looks what they held any more.
  private static let chainLength = 64

  /// The explanation of a save that costs least: by the version in the device's own log first, then by those that others tell of.
  ///
  /// Whoever has found it in the file knows best by which of the versions that had stood there it was made; for who takes something away an
  /// older one may be less of a change. So of these no other one is asked for, nor of those that somebody knew who has told it before.
  ///
  /// - Returns: `nil` if there is no other version.
  mutating func nearest(
    to contents: JSONValue, of version: FileVersion, at modified: Int? = nil, besides later: [KnownLines.Number],
    own: OwnVersion?, after former: KnownLines.Number? = nil, among lines: [KnownLines.Number]? = nil
  ) -> SaveExplanation? {
    var nearest: SaveExplanation?
    let times = SaveTimes(
      of: version, at: modified ?? fold.saves.modified(of: version, in: fold.lines), among: recentSaves, fold)
    func isEnough(_ candidate: SaveCandidate) -> Bool {
      let explanation = SaveExplanation(of: contents, by: candidate) { [fold] change in
        times.cost(of: change, from: candidate, to: contents, in: fold.lines)
      }
      if explanation.cost < nearest?.cost ?? .max { nearest = explanation }
      return nearest?.cost ?? .max <= times.leastCost
    }
    let own = self.own(own, besides: later)
    var isFound = own.contains(where: isEnough)
    if !isFound, lines == nil, later.isEmpty { isFound = isEnough(SaveCandidate(document, .lines(heads))) }
    for number in lines ?? newestBases where !isFound && !has(later, number) {
      if let former, fold.lines.isRead(number, by: former) { continue }
      if !own.isEmpty, stoodHere(number) { continue }
      if let candidate = base(number, of: version) { isFound = isEnough(candidate) }
    }
    for number in times.followers.suffix(Self.baseCount) where !isFound {
      if let candidate = base(of: number, besides: later) { isFound = isEnough(candidate) }
    }
    return nearest
  }

  /// The saves among the lines that tell what a save may have been made from, in the order in which they came to count.
  var recentSaves: [(number: KnownLines.Number, save: JournalSave)] {
    fold.saves.lines.suffix(Self.lookBack).compactMap { number in
      if case .save(let save) = fold.lines.line(number).contents { (number, save) } else { nil }
    }
  }

  /// The lines that have a save in them: those of all saves that say the same bytes, or a version that was made from it as far as is known
  /// now, or that only seems to be a save, and was written by who knew it; and of what was written by who had found any of these.
  func later(than version: FileVersion, besides written: [FileVersion] = []) -> [KnownLines.Number] {
    var later = fold.saves.saves(ofHash: version.hash) + fold.saves.finders(ofHash: version.hash)
    for version in written { later += fold.saves.saves(of: version) }
    if later.isEmpty { return [] }
    var rest = Set(recentSaves.map(\.save.version)).map { version in
      // What it seemed to be made from says nothing any more once it is known who wrote it, or what explains it by less.
      let save = fold.saves.effective(of: version)
      return (version, causes: save.map { fold.lines.base(of: $0) } ?? fold.saves.writes(of: version))
    }
    var finders = fold.saves.lines.suffix(Self.lookBack).compactMap { number -> (KnownLines.Number, [FileVersion])? in
      guard case .wrote(let writes) = fold.lines.line(number).contents, !writes.finds.isEmpty else { return nil }
      return (number, writes.finds)
    }
    var count = 0
    while count < later.count {
      count = later.count
      rest.removeAll { version, causes in
        guard causes.contains(where: { has(later, $0) }) else { return false }
        later += fold.saves.saves(of: version)
        return true
      }
      finders.removeAll { number, finds in
        guard finds.contains(where: { isIn(later, $0) }) else { return false }
        later.append(number)
        return true
      }
    }
    return later
  }

  /// Whether what a save seems to be made from has this very save in it: something was taken for a save there that turned out to be none,
  /// and was written because of this one.
  func hasItself(_ number: KnownLines.Number, _ save: JournalSave) -> Bool {
    let base = fold.lines.base(of: number)
    return recentSaves.contains { other, echo in
      base.contains { has([other], $0) } && fold.saves.isEcho(echo.version, of: save.version, in: fold.lines)
    }
  }

  /// Whether the last version that a line tells of stood in the file on this device, so that its own log has it.
  private func stoodHere(_ number: KnownLines.Number) -> Bool {
    let hash: String? =
      switch fold.lines.line(number).contents {
      case .wrote(let writes): writes.versions.last?.hash
      case .save(let save): save.version.hash
      default: nil
      }
    guard let hash else { return false }
    return isWrittenHere(hash: hash)
      || fold.saves.saves(ofHash: hash).contains { fold.lines.writer(of: $0).device == writer.device }
  }

  /// The lines that tell of each device's newest versions, and of what was saved before, newest first.
  private var newestBases: [KnownLines.Number] {
    var counts: [String: Int] = [:]
    return fold.saves.lines.reversed().prefix(Self.lookBack).filter { [lines = fold.lines] number in
      counts[lines.writer(of: number).device, default: 0] += 1
      return counts[lines.writer(of: number).device, default: 0] <= Self.baseCount
    }
  }

  /// A version that a line tells of, if a save can have been made from it.
  private mutating func base(_ number: KnownLines.Number, of version: FileVersion) -> SaveCandidate? {
    let line = fold.lines.line(number)
    switch line.contents {
    // Who wrote the same bytes at another time had the save in them.
    case .wrote(let writes) where !writes.versions.contains { $0.hash == version.hash }:
      let told = explanations.documents[number] ?? fold.document(of: [number])
      explanations.documents[number] = .some(told)
      var value = told
      writes.contents?.apply(to: &value)
      return SaveCandidate(value, .lines([line.id]), told: told)
    case .save(let save) where fold.saves.counts(number, save):
      return contents(of: number).map { SaveCandidate($0, .save(line.id)) }
    default: return nil
    }
  }

  /// The version that a save was made from, unless it has certain lines in it.
  private mutating func base(of save: KnownLines.Number, besides later: [KnownLines.Number]) -> SaveCandidate? {
    guard case .save(let contents) = fold.lines.line(save).contents else { return nil }
    let numbers = fold.lines.base(of: save)
    switch contents.base {
    case .save:
      guard let number = numbers.first, !later.contains(number) else { return nil }
      return self.contents(of: number).map { SaveCandidate($0, contents.base) }
    case .lines:
      if numbers.isEmpty || numbers.contains(where: { isPast(later, of: $0) }) { return nil }
      return SaveCandidate(fold.document(of: numbers), contents.base)
    }
  }

  /// A version in the device's own log, if what it was made of has been said.
  func own(_ version: OwnVersion?, besides later: [KnownLines.Number]) -> [SaveCandidate] {
    let isLater = version?.finds.contains { isIn(later, $0) }
    guard let version, isLater != true, let line = firstLine(of: version.labels),
      let number = fold.lines.number(of: line.id), fold.lines.counts(number),
      !isPast(later, of: number)
    else { return [] }
    return [SaveCandidate(version.value, .lines([line.id]), told: fold.document(of: [number]))]
  }

  /// The line that says the first of some commits that any line says, among the newest.
  private func firstLine(of labels: [String]) -> JournalLine? {
    let places = Dictionary(zip(labels, labels.indices)) { first, _ in first }
    var first: (place: Int, line: JournalLine)?
    for line in journal.suffix(Self.lookBack).reversed() {
      guard let place = line.doing?.upto.flatMap({ places[$0] }), place < first?.place ?? .max else { continue }
      first = (place, line)
    }
    return first?.line
  }

  /// Whether something that was found has one of some saves in it.
  func isIn(_ saves: [KnownLines.Number], _ find: FileVersion) -> Bool {
    fold.saves.saves(of: find).contains { saves.contains($0) }
      || fold.saves.effective(of: find) == nil && fold.saves.writes(of: find).contains { has(saves, $0) }
  }

  /// Whether what a line says has one of some saves in it: it is one, or no save, and its writer had read one. Of a save its writer
  /// may know more than was in the file.
  private func has(_ saves: [KnownLines.Number], _ number: KnownLines.Number) -> Bool {
    if case .save = fold.lines.line(number).contents { return saves.contains(number) }
    return isPast(saves, of: number)
  }

  /// Whether one of some lines is a line, or its writer had read one.
  private func isPast(_ lines: [KnownLines.Number], of number: KnownLines.Number) -> Bool {
    lines.contains { $0 == number || fold.lines.isRead($0, by: number) }
  }

  var heads: [LineID] { fold.lines.heads(unreadBy: nil).map { fold.lines.line($0).id } }

  /// What a save held that counts among the lines, if that can be found out from them.
  mutating func contents(of number: KnownLines.Number) -> JSONValue? {
    if let known = explanations.contents[number] { return known }
    var changes: [SparseChange?] = []
    var next = number
    var value: JSONValue?
    while true {
      guard case .save(let save) = fold.lines.line(next).contents, changes.count < Self.chainLength else { return nil }
      changes.append(save.contents ?? save.entry.change)
      // It counts, and so do the lines that it was made from.
      let base = fold.lines.base(of: next)
      guard case .save = save.base else {
        value = base.isEmpty ? nil : fold.document(of: base)
        break
      }
      next = base[0]
    }
    for change in changes.reversed() { change?.apply(to: &value) }
    explanations.contents[number] = value
    return value
  }

  mutating func append(
    _ explanation: SaveExplanation, _ version: FileVersion, modified: Int?, upto label: String?, at time: Int
  ) throws(JournalLineError) {
    var (on, of): (JSONValue?, JSONValue?)
    switch explanation.base {
    case .lines(let ids): on = .array(ids.map(\.value))
    case .save(let id): of = id.value
    }
    // A time of centuries from now is nobody's.
    let modified = modified.flatMap { $0.magnitude <= JournalLimits.time ? $0 : nil }
    try append(
      [
        "kind": "save", "time": .number(JSONNumber(time)), "upto": label.map(JSONValue.string),
        "version": version.value, "modified": modified.map { .number(JSONNumber($0)) },
        "cost": .number(JSONNumber(explanation.cost)), "on": on, "of": of, "change": explanation.change?.value,
        "content": explanation.contents?.value,
      ], isReading: false)
  }
}
