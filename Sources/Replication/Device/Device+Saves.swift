import StateJSON

/// Lines about a file that lies in the shared folder itself: what instances wrote there, and what people saved.
extension Device {
  /// The meaning that a version of the file has for a device.
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
    /// The versions that were found in the file, and are part of it, since the document of all lines was last brought there.
    package let finds: [FileVersion]

    /// Makes a version of its parts.
    package init(value: JSONValue, label: String?, finds: [FileVersion] = []) {
      (self.value, self.label, self.finds) = (value, label, finds)
    }
  }

  /// The meaning of a version of the file.
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
      ? SaveExplanation(of: save.contents, by: SaveCandidate(document, .lines(heads)), cost: 0)
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
