/// The saves of a file in the shared folder, and which of them count: of those of one version the one that costs least, then the one
/// that was made from most, and none of what an instance wrote. A version that was written because of this very save stays one. What was
/// found with its time and without is one save.
struct FoldSaves: Sendable {
  /// The lines that say how somebody saved a version.
  private struct Group {
    var saves: [KnownLines.Number] = []
    /// The one that counts.
    var effective: KnownLines.Number?
  }

  /// What is known of some bytes, whenever they were written.
  private struct Bytes {
    var saved: [FileVersion] = []
    var written: [(version: FileVersion, line: KnownLines.Number)] = []
    /// The lines whose writers had found them in the file, and say that this is in what they wrote.
    var found: [(version: FileVersion, line: KnownLines.Number)] = []
  }

  private var groups: [FileVersion: Group] = [:]
  private var bytes: [String: Bytes] = [:]
  private var causes = WriteCauses()
  /// How many count.
  private(set) var count = 0
  /// The lines that say something of versions, in the order in which they came to count.
  private(set) var lines: [KnownLines.Number] = []

  /// Takes note of a line that counts now.
  ///
  /// - Returns: The saves that count now and didn't, or don't any more.
  mutating func add(_ number: KnownLines.Number, in lines: KnownLines) -> [KnownLines.Number] {
    switch lines.line(number).contents {
    case .save(let save):
      self.lines.append(number)
      if groups[save.version] == nil { bytes[save.version.hash, default: Bytes()].saved.append(save.version) }
      groups[save.version, default: Group()].saves.append(number)
      let sources = sources(of: save.version, in: lines) { _ in true }
      // Nobody has read it yet, so nothing else is because of something else now.
      if !sources.isEmpty { _ = causes.set([(number, sources)], in: lines) }
      return update([save.version.hash], in: lines)
    case .wrote(let writes):
      self.lines.append(number)
      causes.add(write: number, in: lines)
      for version in writes.versions { bytes[version.hash, default: Bytes()].written.append((version, number)) }
      for version in writes.finds { bytes[version.hash, default: Bytes()].found.append((version, number)) }
      let echoes = saved(in: writes).filter { found in writes.versions.contains { $0.isJust(found) } }
      let changed = causes.set(
        echoes.flatMap { version in
          let sources = sources(of: version, in: lines) { _ in true }
          return saves(of: version).map { ($0, sources) }
        }, in: lines)
      let others = changed.flatMap { number -> [FileVersion] in
        if case .wrote(let writes) = lines.line(number).contents { writes.versions } else { [] }
      }
      return update(Set((writes.versions + others + writes.finds).map(\.hash)), in: lines)
    default: return []
    }
  }

  /// The versions that were saved whose bytes an instance wrote.
  private func saved(in writes: JournalWrites) -> [FileVersion] {
    writes.versions.flatMap { bytes[$0.hash]?.saved ?? [] }
  }

  /// Finds out again which saves of some bytes count.
  private mutating func update(_ hashes: Set<String>, in lines: KnownLines) -> [KnownLines.Number] {
    hashes.flatMap { bytes[$0]?.saved ?? [] }.flatMap { version -> [KnownLines.Number] in
      let old = groups[version]?.effective
      let new = effective(version, because: causes, in: lines) { _ in true }
      groups[version]?.effective = new
      if new == old { return [] }
      count += (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
      return [old, new].compactMap { $0 }
    }
  }

  /// Whether some line says something of a version. Where its time isn't known, that is so if any does of its bytes.
  func isNamed(_ version: FileVersion) -> Bool {
    guard let bytes = bytes[version.hash] else { return false }
    if version.time == nil || groups[version] != nil { return true }
    // Of what an instance wrote the times are known.
    return bytes.written.isEmpty
      ? bytes.saved.contains { $0.time == nil } : bytes.written.contains { $0.version.mayBe(version) }
  }

  /// Whether some line says something of the same bytes at an earlier time, or at one that isn't known.
  func isRepetition(_ version: FileVersion) -> Bool {
    guard let bytes = bytes[version.hash], let time = version.time else { return false }
    return (bytes.saved + bytes.written.map(\.version) + bytes.found.map(\.version)).contains {
      $0.time.map { $0 < time } ?? true
    }
  }

  /// The lines that say how somebody saved these bytes, at whatever time, whether they count or not.
  func saves(ofHash hash: String) -> [KnownLines.Number] {
    bytes[hash]?.saved.flatMap { groups[$0]?.saves ?? [] } ?? []
  }

  /// The lines whose writers had found these bytes, and say that they are in what they wrote.
  func finders(ofHash hash: String) -> [KnownLines.Number] { bytes[hash]?.found.map(\.line) ?? [] }

  /// The lines that say how somebody saved a version, whether they count or not.
  func saves(of version: FileVersion) -> [KnownLines.Number] { groups[version]?.saves ?? [] }

  /// When a version was saved, at the latest, in microseconds since 1970, if anybody knows.
  func modified(of version: FileVersion, in lines: KnownLines) -> Int? {
    let saves = version.time == nil ? saves(ofHash: version.hash) : saves(of: version)
    return saves.map { save($0, in: lines) }.compactMap { $0.isOnPurpose ? nil : $0.modified }.min()
  }

  /// The lines that say that an instance wrote what may be a version.
  func writes(of version: FileVersion) -> [KnownLines.Number] {
    bytes[version.hash]?.written.filter { $0.version.mayBe(version) }.map(\.line) ?? []
  }

  /// Whether an instance wrote a version, and it was found as it was written, by a writer that is asked for.
  func isWritten(_ version: FileVersion, by isWriter: (KnownLines.Number) -> Bool) -> Bool {
    bytes[version.hash]?.written.contains { $0.version == version && isWriter($0.line) } ?? false
  }

  /// The saves that count.
  var effective: Set<KnownLines.Number> { Set(groups.values.compactMap(\.effective)) }

  /// The saves that count for who knows certain lines.
  func effective(in lines: KnownLines, among isKnown: (KnownLines.Number) -> Bool) -> Set<KnownLines.Number> {
    let causes = causes(in: lines, isKnown)
    return Set(groups.keys.compactMap { effective($0, because: causes, in: lines, isKnown) })
  }

  /// What a line does to the document; `nil` for a save that doesn't count.
  func doing(_ number: KnownLines.Number, in lines: KnownLines) -> JournalEntry? {
    let line = lines.line(number)
    if case .save(let save) = line.contents, !counts(number, save) { return nil }
    return line.doing
  }

  /// Whether a save counts.
  func counts(_ number: KnownLines.Number, _ save: JournalSave) -> Bool {
    groups[save.version]?.effective == number
  }

  /// The line that says how a version was saved, as far as that counts.
  func effective(of version: FileVersion) -> KnownLines.Number? { groups[version]?.effective }

  /// Whether a version was only taken for a save: instances wrote it, all of them because of another one that was saved.
  func isEcho(_ version: FileVersion, of saved: FileVersion, in lines: KnownLines) -> Bool {
    guard version != saved, effective(of: version) == nil else { return false }
    let (writes, saves) = (writes(of: version), saves(of: saved))
    return !writes.isEmpty
      && writes.allSatisfy { write in saves.contains { causes.isBecause(write, of: $0, in: lines) } }
  }

  /// How many of those that count a line's writer had read or written before it.
  func count(before reader: KnownLines.Number, in lines: KnownLines) -> Int {
    groups.values.reduce(0) { sum, group in
      sum + (group.effective.map { lines.isRead($0, by: reader) ? 1 : 0 } ?? 0)
    }
  }

  /// Whether of all that a line's writer had read the same saves counted for it as do now.
  func agree(with reader: KnownLines.Number, in lines: KnownLines) -> Bool {
    let isKnown = { (number: KnownLines.Number) in lines.isRead(number, by: reader) }
    let causes = causes(in: lines, isKnown)
    return groups.allSatisfy { version, group in
      let former = effective(version, because: causes, in: lines, isKnown)
      return former == group.effective.flatMap { isKnown($0) ? $0 : nil }
    }
  }

  /// The one that counts of those that somebody knows. Of what was found with its time and without it is one of both.
  private func effective(
    _ version: FileVersion, because causes: WriteCauses, in lines: KnownLines, _ isKnown: (KnownLines.Number) -> Bool
  ) -> KnownLines.Number? {
    func best(_ version: FileVersion) -> KnownLines.Number? {
      self.best(version, because: causes, in: lines, isKnown)
    }
    func isSame(_ number: KnownLines.Number) -> Bool { !save(number, in: lines).isOnPurpose }
    let own = best(version)
    guard let own, isSame(own), let bytes = bytes[version.hash], bytes.saved.count > 1,
      let timeless = version.time == nil ? own : best(FileVersion(hash: version.hash, time: nil)), isSame(timeless),
      let timed = bytes.saved.filter({ $0.time != nil }).compactMap(best).filter(isSame)
        .min(by: { isBefore($0, $1, in: lines) })
    else { return own }
    // The one of both that is worse counts for nothing.
    return own == (isBefore(timeless, timed, in: lines) ? timed : timeless) ? nil : own
  }

  /// The best of those of one version that somebody knows, if it isn't void.
  private func best(
    _ version: FileVersion, because causes: WriteCauses, in lines: KnownLines, _ isKnown: (KnownLines.Number) -> Bool
  ) -> KnownLines.Number? {
    let saves = saves(of: version).filter(isKnown)
    if saves.isEmpty { return nil }
    let others = others(version, because: causes, in: lines, isKnown)
    let isJust = others.contains { $0.isJust(version) }
    return saves.filter { number in
      save(number, in: lines).isOnPurpose ? !isJust : others.isEmpty
    }.min { isBefore($0, $1, in: lines) }
  }

  /// The versions that may be what was saved, and were written for another reason.
  private func others(
    _ version: FileVersion, because causes: WriteCauses, in lines: KnownLines, _ isKnown: (KnownLines.Number) -> Bool
  ) -> [FileVersion] {
    func written(as found: FileVersion, besides versions: [FileVersion]) -> [FileVersion] {
      let bytes = bytes[version.hash] ?? Bytes()
      let finders = bytes.found.filter { find in versions.contains { find.version.isJust($0) } }.map(\.line)
      let evidence = (versions.flatMap { saves(of: $0) } + finders).filter(isKnown)
      return bytes.written.filter { written in
        isKnown(written.line) && written.version.mayBe(found)
          && !evidence.contains { $0 == written.line || causes.isBecause(written.line, of: $0, in: lines) }
      }.map(\.version)
    }
    let others = written(as: version, besides: [version])
    let timeless = FileVersion(hash: version.hash, time: nil)
    // Who had found this very save without its time, and wrote it again, did so because of it, unless that find was an echo.
    if others.isEmpty || version.time == nil || !saves(of: timeless).contains(where: isKnown) { return others }
    return written(as: timeless, besides: [version, timeless]).isEmpty ? [] : others
  }

  private func save(_ number: KnownLines.Number, in lines: KnownLines) -> JournalSave {
    guard case .save(let save) = lines.line(number).contents else { preconditionFailure("only saves are asked for") }
    return save
  }

  /// The causes of versions for a reader that knows certain lines and no others.
  private func causes(in lines: KnownLines, _ isKnown: (KnownLines.Number) -> Bool) -> WriteCauses {
    causes.limited(to: isKnown, in: lines) { number in
      sources(of: save(number, in: lines).version, in: lines, isKnown)
    }
  }

  /// The lines that say that an instance wrote what somebody found just so, before he did.
  private func sources(
    of version: FileVersion, in lines: KnownLines, _ isKnown: (KnownLines.Number) -> Bool
  ) -> [KnownLines.Number] {
    let written = (bytes[version.hash]?.written ?? []).filter { written in
      isKnown(written.line) && written.version.isJust(version)
        && !saves(of: version).contains { lines.isRead($0, by: written.line) }
        && bytes[version.hash]?.found.contains { $0.line == written.line } != true
    }
    // Those whose time is nearest; of what has no time, whoever wrote it first.
    func distance(_ written: FileVersion) -> Int { (written.time ?? 0) - (version.time ?? 0) }
    let distances = written.map { version.time == nil ? distance($0.version) : abs(distance($0.version)) }
    let least = distances.min()
    return zip(written, distances).filter { $1 == least }.map(\.0.line)
  }

  private func isBefore(_ left: KnownLines.Number, _ right: KnownLines.Number, in lines: KnownLines) -> Bool {
    let (one, other) = (save(left, in: lines), save(right, in: lines))
    if one.cost != other.cost { return one.cost < other.cost }
    let counts = [left, right].map { lines.changeCount(upTo: lines.base(of: $0)) }
    if counts[0] != counts[1] { return counts[0] > counts[1] }
    if one.entry.time != other.entry.time { return one.entry.time < other.entry.time }
    return lines.line(left).id < lines.line(right).id
  }
}
