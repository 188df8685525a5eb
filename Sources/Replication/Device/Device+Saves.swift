import StateJSON

/// Lines about a file that lies in the shared folder itself: what instances wrote there, and what people saved.
extension Device {
  /// The meaning that a version of the file has for a device.
  package enum FileMeaning: Sendable {
    /// An instance wrote it, or somebody has said what was saved there.
    case known
    /// Such bytes, but written at a later time.
    case repeated
    /// Nobody has said anything of it: what was saved before such bytes were, and is found after them, is no return to them.
    case unknown
  }

  /// A version that the device's own log has.
  package struct OwnVersion: Sendable {
    /// Its value.
    package let value: JSONValue
    /// The labels of the commits from that version on, in order: of the first that a line names, that says what it was made of.
    package let labels: [String]
    /// The versions that were found in the file, and are part of it, since the document of all lines was last brought there.
    package let finds: [FileVersion]

    /// Makes a version of its parts.
    package init(value: JSONValue, labels: [String], finds: [FileVersion] = []) {
      (self.value, self.labels, self.finds) = (value, labels, finds)
    }
  }

  /// Finds the version in the device's own log that a save was most likely made from: given its value, what stood in the file, and whether
  /// something that was found has that in it.
  package typealias OwnSearch = (JSONValue, FileVersion, _ isLater: (FileVersion) -> Bool) -> OwnVersion?

  /// The meaning of a version of the file.
  package func meaning(of version: FileVersion) -> FileMeaning {
    if fold.saves.isNamed(version) { return .known }
    return fold.saves.isRepetition(version) ? .repeated : .unknown
  }

  /// Whether an instance of another device wrote a version.
  package func isWrittenElsewhere(_ version: FileVersion) -> Bool {
    fold.saves.isWritten(version) { fold.lines.writer(of: $0).device != writer.device }
  }

  /// Whether somebody has said that an instance wrote a version. That somebody saved it, as far as he knew, is something else.
  package func isDeclared(_ version: FileVersion) -> Bool { fold.saves.isWritten(version) { _ in true } }

  /// Whether an instance of this device wrote these bytes at some time.
  package func isWrittenHere(hash: String) -> Bool {
    fold.saves.writes(of: FileVersion(hash: hash, time: nil)).contains {
      fold.lines.writer(of: $0).device == writer.device
    }
  }

  /// Whether a version is what somebody saved, as far as is known.
  package func isSaved(_ version: FileVersion) -> Bool { fold.saves.effective(of: version) != nil }

  /// Whether nothing is known of any other device.
  package var isAlone: Bool { fold.lines.chainsByDevice.allSatisfy { $0.key == writer.device } }

  /// Whether what a file holds, of which nobody has said anything, is less of a change to some version that it can have been made from
  /// than it is all by itself.
  package mutating func isExplained(_ contents: JSONValue, as version: FileVersion) -> Bool {
    let later = later(than: version)
    guard let nearest = nearest(to: contents, of: version, besides: later, own: nil) else { return false }
    return nearest.cost < SaveExplanation(of: contents).cost
  }

  /// Says which versions instances of this device wrote, after the entries that say what these hold.
  ///
  /// - Parameters:
  ///   - versions: In the order in which they were written.
  ///   - contents: What the last one holds, where that may be something else than what the lines come to: something had been found.
  ///   - finds: What that was.
  /// - Returns: The lines that were added to the journal.
  /// - Throws: If a line would be longer than any may be.
  package mutating func declare(
    _ versions: [FileVersion], holding contents: JSONValue? = nil, finds: [FileVersion] = []
  ) throws(JournalLineError) -> [JournalLine] {
    try saying { (device) throws(JournalLineError) in
      var change: SparseChange?
      var untold: [FileVersion] = []
      if let contents, let last = device.lastLine {
        change = SparseChange(from: device.fold.document(of: [last]), to: contents)
        let saves = device.fold.saves
        untold = finds.filter { find in
          !saves.saves(of: find).contains { $0 == last || device.fold.lines.isRead($0, by: last) }
        }
      }
      for start in stride(from: 0, to: versions.count, by: JournalLimits.readCount) {
        let part = versions[start..<min(start + JournalLimits.readCount, versions.count)]
        try device.append(
          [
            "kind": "wrote", "versions": .array(part.map(\.value)),
            "content": part.endIndex == versions.endIndex ? change?.value : nil,
            "found": untold.isEmpty ? nil : .array(untold.suffix(JournalLimits.readCount).map(\.value)),
          ], isReading: false)
      }
    }
  }

  /// Says what was read, before anything else is taken: where bytes were written that had been found in the file before,
  /// that was because of what others may have said of those.
  package mutating func declareReading() throws(JournalLineError) -> [JournalLine] {
    guard let lastLine, !fold.lines.heads(unreadBy: lastLine).isEmpty else { return [] }
    return try saying { (device) throws(JournalLineError) in try device.append(["kind": "ack"]) }
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
  ) throws(JournalLineError) -> [JournalLine] {
    if meaning(of: save.version) == .known { return [] }
    let later = later(than: save.version, besides: save.written)
    if later.isEmpty, save.contents == document { return [] }
    // What is brought back takes the place of what there is.
    let explanation =
      save.isRepeatedOnPurpose
      ? SaveExplanation(of: save.contents, by: SaveCandidate(document, .lines(heads))) { _ in 0 }
      : nearest(
        to: save.contents, of: save.version, at: save.modified, besides: later, own: save.nearest)
        ?? SaveExplanation(of: save.contents)
    explanations.documents = [:]
    return try saying { (device) throws(JournalLineError) in
      try device.append(explanation, save.version, modified: save.modified, upto: label, at: time)
      if let label { device.exported = label }
    }
  }

  /// Says what explains saves by less than what was said, as ``respond(app:at:nearest:isStanding:)`` does, which then has less to do.
  package mutating func explainSaves(_ nearest: OwnSearch) throws(JournalLineError) -> [JournalLine] {
    try saying { (device) throws(JournalLineError) in
      try device.explainSaves(nearest, after: device.lastLine)
    }
  }

  /// Says of saves what explains them by less than what was said, where this device knows that. The last line is the one in which it said
  /// what it had read: of what it knew by then it has said that.
  mutating func explainSaves(_ nearest: OwnSearch, after last: KnownLines.Number?) throws(JournalLineError) {
    let news = fold.saves.lines[explanations.lineCount...].filter { [lines = fold.lines] number in
      last.map { number != $0 && !lines.isRead(number, by: $0) } ?? true
    }
    explanations.lineCount = fold.saves.lines.count
    var explained: Set<KnownLines.Number> = []
    func explain(_ number: KnownLines.Number, _ save: JournalSave, _ device: inout Device) -> SaveExplanation? {
      let isNew = news.contains(number)
      guard isNew || news.contains(where: { !device.fold.lines.isRead(number, by: $0) }),
        let contents = device.contents(of: number)
      else { return nil }
      // Then it was made from something else, which whoever said so may have known.
      let hasItself = device.hasItself(number, save)
      let later = device.later(than: save.version)
      let own = isNew || hasItself ? nearest(contents, save.version) { device.isIn(later, $0) } : nil
      guard
        var explanation = device.nearest(
          to: contents, of: save.version, besides: later, own: own, after: hasItself ? nil : number,
          among: isNew || hasItself ? nil : Array(news))
      else { return nil }
      // So that it counts before one that is known to be wrong.
      if hasItself { explanation.cost = min(explanation.cost, save.cost - 1) }
      return explanation.cost < save.cost ? explanation : nil
    }
    while !news.isEmpty {
      var nearer: [(number: KnownLines.Number, save: JournalSave, cost: Int)] = []
      for (number, save) in recentSaves.suffix(Self.saveCount)
      where save.cost > SaveTimes.leastCost && fold.saves.counts(number, save) && !explained.contains(number) {
        if let explanation = explain(number, save, &self) { nearer.append((number, save, explanation.cost)) }
      }
      if nearer.isEmpty { break }
      // The nearest first: then what it is made from isn't made from it, as far as is known.
      for (number, save, _) in nearer.sorted(by: { $0.cost < $1.cost }) {
        guard let explanation = explain(number, save, &self) else { continue }
        let modified = fold.saves.modified(of: save.version, in: fold.lines)
        try append(explanation, save.version, modified: modified, upto: nil, at: save.entry.time)
        // A version that had seemed to be made from this one may explain others. This one may count all the same, where the better
        // line is void.
        explained.insert(number)
      }
    }
    explanations.documents = [:]
  }
}

/// A save as it was found in a file that lies in the shared folder itself.
package struct FoundSave: Sendable {
  /// The bytes, and when they were written.
  package let version: FileVersion
  /// When they were written, or later, in microseconds since 1970, if that is known.
  package let modified: Int?
  /// The value that they say.
  package let contents: JSONValue
  /// Whether bytes that stood there before are a save all the same: somebody has brought them back.
  package let isRepeatedOnPurpose: Bool
  /// The version in the device's own log that it was most likely made from.
  package let nearest: Device.OwnVersion?
  /// Versions that instances of the device wrote since, and that it hasn't named yet.
  package let written: [FileVersion]
  /// The label of the version that it is in the device's own log, if it is one there.
  package let label: String?

  /// Makes a save of its parts.
  package init(
    _ version: FileVersion, modified: Int? = nil, contents: JSONValue, isRepeatedOnPurpose: Bool = false,
    nearest: Device.OwnVersion? = nil, written: [FileVersion] = [], label: String? = nil
  ) {
    (self.version, self.modified, self.contents) = (version, modified, contents)
    self.isRepeatedOnPurpose = isRepeatedOnPurpose
    (self.nearest, self.written, self.label) = (nearest, written, label)
  }
}
