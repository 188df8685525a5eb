import StateJSON

/// What stands in a file that lies in the shared folder itself: what instances wrote there, and what people saved.
extension Device {
  /// What a version of the file is to who knows what this device knows.
  package enum FileMeaning: Sendable {
    /// An instance wrote it, or somebody has said what was saved there.
    case known
    /// Such bytes, but written at another time.
    case repeated
    /// Nobody has said anything of it.
    case unknown
  }

  /// A version that the device's own log has.
  package struct OwnVersion: Sendable {
    /// Its value.
    package let value: JSONValue
    /// The label of the first commit, from that version on, that an entry names; `nil` if none does yet.
    package let label: String?
    /// What was found in the file, and is part of it, since the document that all lines came to was last brought there.
    package let finds: [FileVersion]

    /// Makes a version of its parts.
    package init(value: JSONValue, label: String?, finds: [FileVersion] = []) {
      (self.value, self.label, self.finds) = (value, label, finds)
    }
  }

  /// What is known of saves besides what the lines say.
  struct Explanations: Sendable {
    /// What saves held, as far as that was asked for; `nil` where it can't be found out.
    var contents: [KnownLines.Number: JSONValue?] = [:]
    /// How many lines said something of versions when it was looked last whether saves can be explained by less.
    var lineCount = 0
  }

  /// What a version of the file is.
  package func meaning(of version: FileVersion) -> FileMeaning {
    if fold.saves.isNamed(version) { return .known }
    return fold.saves.isNamed(hash: version.hash) ? .repeated : .unknown
  }

  /// Says which versions instances of this device wrote, after the entries that say what these hold.
  ///
  /// - Parameters:
  ///   - versions: In the order in which they were written.
  ///   - contents: What the last one holds, where that may be something else than what the lines come to.
  /// - Returns: The lines that were added to the journal.
  /// - Throws: If a line would be longer than any may be.
  package mutating func declare(
    _ versions: [FileVersion], holding contents: JSONValue? = nil
  ) throws(LineFault) -> [JournalLine] {
    try saying { (device) throws(LineFault) in
      var change: SparseChange?
      if let contents, let last = device.journal.last.flatMap({ device.fold.lines.number(of: $0.id) }) {
        change = SparseChange(from: device.fold.document(of: [last]), to: contents)
      }
      for start in stride(from: 0, to: versions.count, by: JournalLimits.readCount) {
        let part = versions[start..<min(start + JournalLimits.readCount, versions.count)]
        try device.append(
          [
            "kind": "wrote", "versions": .array(part.map(\.value)),
            "content": part.endIndex == versions.endIndex ? change?.value : nil,
          ], isReading: false)
      }
    }
  }

  /// Says what somebody saved, as a change of the version that it was most likely made from.
  ///
  /// - Parameters:
  ///   - save: What was found.
  ///   - label: The label of the commit that the local log made of it; `nil` if it made none.
  ///   - time: When it was found, by the clock of the device: milliseconds since 1970.
  /// - Returns: The lines that were added to the journal: none if what was found says nothing new.
  /// - Throws: If the line would be longer than any may be.
  package mutating func tell(
    _ save: FoundSave, upto label: String?, at time: Int
  ) throws(LineFault) -> [JournalLine] {
    if meaning(of: save.version) == .known { return [] }
    let later = later(than: save.version, besides: save.written)
    if later.isEmpty, save.contents == document { return [] }
    // What is brought back takes the place of what there is.
    let explanation =
      save.isRepeatedOnPurpose
      ? Explanation(of: save.contents, by: Candidate(document, .lines(heads)), cost: 0)
      : nearest(
        to: save.contents, among: bases(of: save.version, besides: later) + own(save.nearest, besides: later))
    return try saying { (device) throws(LineFault) in
      try device.append(explanation, save.version, upto: label, at: time)
      if let label { device.exported = label }
    }
  }

  /// Says of saves what explains them by less than what was said, where this device knows that.
  mutating func explainSaves(_ nearest: (JSONValue) -> OwnVersion?) throws(LineFault) {
    let news = fold.saves.lines[explanations.lineCount...]
    explanations.lineCount = fold.saves.lines.count
    for (number, save) in recentSaves.suffix(Self.saveCount) where save.cost > 0 && fold.saves.counts(number, save) {
      let isNew = news.contains(number)
      guard isNew || news.contains(where: { !fold.lines.isRead(number, by: $0) }), let contents = contents(of: number)
      else { continue }
      let later = later(than: save.version)
      let candidates =
        isNew
        ? bases(of: save.version, besides: later) + own(nearest(contents), besides: later)
        : bases(of: save.version, among: news, besides: later)
      let explanation = self.nearest(to: contents, among: candidates)
      // Where there is nothing to explain it by, that costs more.
      if explanation.cost < save.cost { try append(explanation, save.version, upto: nil, at: save.entry.time) }
    }
  }
}

/// A save as it was found in a file that lies in the shared folder itself.
package struct FoundSave: Sendable {
  /// The bytes, and when they were written.
  package let version: FileVersion
  /// The value that they say.
  package let contents: JSONValue
  /// Whether bytes that stood there before are a save all the same: somebody has brought them back.
  package let isRepeatedOnPurpose: Bool
  /// The version in the device's own log that it was most likely made from.
  package let nearest: Device.OwnVersion?
  /// Versions that instances of the device wrote since, and that it hasn't named yet.
  package let written: [FileVersion]

  /// Makes a save of its parts.
  package init(
    _ version: FileVersion, contents: JSONValue, isRepeatedOnPurpose: Bool = false, nearest: Device.OwnVersion? = nil,
    written: [FileVersion] = []
  ) {
    (self.version, self.contents, self.isRepeatedOnPurpose) = (version, contents, isRepeatedOnPurpose)
    (self.nearest, self.written) = (nearest, written)
  }
}

// MARK: - Explanations

/// A version that a save can have been made from.
private struct Candidate {
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
private struct Explanation {
  let cost: Int
  let base: JournalSave.Base
  let change: SparseChange?
  /// How the contents are found, if not by the change.
  let contents: SparseChange?

  init(of contents: JSONValue, by candidate: Candidate, cost: Int? = nil) {
    change = SparseChange(from: candidate.value, to: contents)
    self.cost = cost ?? change?.cost ?? 0
    base = candidate.base
    self.contents = candidate.told == candidate.value ? nil : SparseChange(from: candidate.told, to: contents)
  }
}

extension Device {
  /// How many of a device's newest lines about versions tell what a save may have been made from.
  private static let baseCount = 16
  /// Among how many lines these are.
  private static let lookBack = 1_024
  /// How many of the newest saves may yet be explained by less.
  private static let saveCount = 64
  /// How many saves in a row were made one from the other before nobody looks what they held any more.
  private static let chainLength = 64

  private func nearest(to contents: JSONValue, among candidates: [Candidate]) -> Explanation {
    var nearest: Explanation?
    for candidate in candidates {
      let explanation = Explanation(of: contents, by: candidate)
      if explanation.cost < nearest?.cost ?? .max { nearest = explanation }
    }
    return nearest ?? Explanation(of: contents, by: Candidate(nil, .lines([])))
  }

  /// The saves among the lines that tell what a save may have been made from, in the order in which they came to count.
  private var recentSaves: [(number: KnownLines.Number, save: JournalSave)] {
    fold.saves.lines.suffix(Self.lookBack).compactMap { number in
      if case .save(let save) = fold.lines.line(number).contents { (number, save) } else { nil }
    }
  }

  /// The saves that have a save in them: those that say the same bytes, that were made from it, or that only seem to be saves, and
  /// were written by who knew it.
  private func later(than version: FileVersion, besides written: [FileVersion] = []) -> [KnownLines.Number] {
    var later = fold.saves.saves(ofHash: version.hash)
    for version in written { later += fold.saves.saves(of: version) }
    for (number, save) in recentSaves where !later.contains(number) {
      let causes = fold.saves.writes(of: save.version) + fold.lines.base(of: number)
      if causes.contains(where: { has(later, $0) }) { later.append(number) }
    }
    return later
  }

  /// Versions that a save can have been made from: each device's newest ones, what was saved before, and what there is now; but none
  /// that has the save in it.
  private mutating func bases(of version: FileVersion, besides later: [KnownLines.Number]) -> [Candidate] {
    let now = later.isEmpty ? [Candidate(document, .lines(heads))] : []
    var counts: [String: Int] = [:]
    let newest = fold.saves.lines.reversed().prefix(Self.lookBack).filter { [lines = fold.lines] number in
      counts[lines.writer(of: number).device, default: 0] += 1
      return counts[lines.writer(of: number).device, default: 0] <= Self.baseCount
    }
    return now + bases(of: version, among: newest, besides: later)
  }

  /// The versions that some lines tell of, but none that has certain saves in it.
  private mutating func bases(
    of version: FileVersion, among lines: some Sequence<KnownLines.Number>, besides later: [KnownLines.Number]
  ) -> [Candidate] {
    var bases: [Candidate] = []
    for number in lines where !has(later, number) {
      let line = fold.lines.line(number)
      switch line.contents {
      // Who wrote the same bytes at another time had the save in them.
      case .wrote(let writes) where !writes.versions.contains { $0.hash == version.hash }:
        let told = fold.document(of: [number])
        var value = told
        writes.contents?.apply(to: &value)
        bases.append(Candidate(value, .lines([line.id]), told: told))
      case .save(let save) where fold.saves.counts(number, save):
        if let contents = contents(of: number) { bases.append(Candidate(contents, .save(line.id))) }
      default: break
      }
    }
    return bases
  }

  /// A version in the device's own log, if what it was made of has been said.
  private func own(_ version: OwnVersion?, besides later: [KnownLines.Number]) -> [Candidate] {
    let isLater = version?.finds.contains { find in
      later.contains { if case .save(let save) = fold.lines.line($0).contents { save.version == find } else { false } }
    }
    guard let version, isLater != true, let label = version.label,
      let line = journal.last(where: { $0.doing?.upto == label }), let number = fold.lines.number(of: line.id),
      fold.lines.counts(number), !has(later, number)
    else { return [] }
    return [Candidate(version.value, .lines([line.id]), told: fold.document(of: [number]))]
  }

  /// Whether what a line says has one of some saves in it: it is one, or no save, and its writer had read one. Of a save its writer
  /// may know more than was in the file.
  private func has(_ saves: [KnownLines.Number], _ number: KnownLines.Number) -> Bool {
    if case .save = fold.lines.line(number).contents { return saves.contains(number) }
    return saves.contains { fold.lines.isRead($0, by: number) }
  }

  private var heads: [LineID] { fold.lines.heads(unreadBy: nil).map { fold.lines.line($0).id } }

  /// What a save held, if that can be found out from the lines that count.
  private mutating func contents(of number: KnownLines.Number) -> JSONValue? {
    if let known = explanations.contents[number] { return known }
    var changes: [SparseChange?] = []
    var next = number
    var value: JSONValue?
    walk: while true {
      guard case .save(let save) = fold.lines.line(next).contents, changes.count < Self.chainLength else { return nil }
      changes.append(save.contents ?? save.entry.change)
      if case .save(let id) = save.base {
        guard let other = fold.lines.number(of: id), fold.lines.counts(other) else { return nil }
        next = other
      } else if case .lines(let ids) = save.base {
        let numbers = ids.compactMap { fold.lines.number(of: $0) }
        guard numbers.count == ids.count, numbers.allSatisfy({ fold.lines.counts($0) }) else { return nil }
        value = numbers.isEmpty ? nil : fold.document(of: numbers)
        break walk
      }
    }
    for change in changes.reversed() { change?.apply(to: &value) }
    explanations.contents[number] = value
    return value
  }

  private mutating func append(
    _ explanation: Explanation, _ version: FileVersion, upto label: String?, at time: Int
  ) throws(LineFault) {
    var (on, of): (JSONValue?, JSONValue?)
    switch explanation.base {
    case .lines(let ids): on = .array(ids.map { .string("\($0)") })
    case .save(let id): of = .string("\(id)")
    }
    try append(
      [
        "kind": "save", "time": .number(JSONNumber(time)), "upto": label.map(JSONValue.string),
        "version": version.value,
        "cost": .number(JSONNumber(explanation.cost)), "on": on, "of": of, "change": explanation.change?.value,
        "content": explanation.contents?.value,
      ], isReading: false)
  }
}
