/// The saves of a file in the shared folder, and which of them count: of those of one version the one that costs least, then the one
/// that was made from most, and none of a version that an instance wrote. A version that was written because of this very save
/// stays one.
struct FoldSaves: Sendable {
  /// The lines that say something of a version.
  private struct Group {
    var saves: [KnownLines.Number] = []
    var written: [KnownLines.Number] = []
    /// The one that counts.
    var effective: KnownLines.Number?
  }

  private var groups: [FileVersion: Group] = [:]
  /// Those that somebody has saved, or seems to have.
  private var saved: Set<FileVersion> = []
  /// The bytes that stood in the file at some time, and the lines that say how somebody saved them, whether they count or not.
  private var savesOfHash: [String: [KnownLines.Number]] = [:]
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
      saved.insert(save.version)
      savesOfHash[save.version.hash, default: []].append(number)
      self.lines.append(number)
      groups[save.version, default: Group()].saves.append(number)
      return update(save.version, in: lines)
    case .wrote(let writes):
      self.lines.append(number)
      return writes.versions.flatMap { version in
        savesOfHash[version.hash, default: []] += []
        groups[version, default: Group()].written.append(number)
        return update(version, in: lines)
      }
    default: return []
    }
  }

  private mutating func update(_ version: FileVersion, in lines: KnownLines) -> [KnownLines.Number] {
    guard var group = groups[version] else { return [] }
    let old = group.effective
    group.effective = Self.effective(group, in: lines) { _ in true }
    groups[version] = group
    if group.effective == old { return [] }
    count += (group.effective == nil ? 0 : 1) - (old == nil ? 0 : 1)
    return [old, group.effective].compactMap { $0 }
  }

  /// Whether some line says something of a version.
  func isNamed(_ version: FileVersion) -> Bool { groups[version] != nil }

  /// Whether some line says something of these bytes, whenever they were written.
  func isNamed(hash: String) -> Bool { savesOfHash[hash] != nil }

  /// The lines that say how somebody saved these bytes, at whatever time, whether they count or not.
  func saves(ofHash hash: String) -> [KnownLines.Number] { savesOfHash[hash] ?? [] }

  /// The lines that say how somebody saved a version, whether they count or not.
  func saves(of version: FileVersion) -> [KnownLines.Number] { groups[version]?.saves ?? [] }

  /// The lines that say that an instance wrote a version.
  func writes(of version: FileVersion) -> [KnownLines.Number] { groups[version]?.written ?? [] }

  /// The saves that count for who knows certain lines.
  func effective(in lines: KnownLines, among isKnown: (KnownLines.Number) -> Bool) -> Set<KnownLines.Number> {
    Set(saved.compactMap { groups[$0].flatMap { Self.effective($0, in: lines, isKnown) } })
  }

  /// Whether a save counts.
  func counts(_ number: KnownLines.Number, _ save: JournalSave) -> Bool {
    groups[save.version]?.effective == number
  }

  /// How many of those that count a line's writer had read or written before it.
  func count(before reader: KnownLines.Number, in lines: KnownLines) -> Int {
    saved.reduce(0) { sum, version in
      sum + (groups[version]?.effective.map { lines.isRead($0, by: reader) ? 1 : 0 } ?? 0)
    }
  }

  /// Whether of all that a line's writer had read the same saves counted for it as do now.
  func agree(with reader: KnownLines.Number, in lines: KnownLines) -> Bool {
    saved.allSatisfy { version in
      guard let group = groups[version] else { return true }
      let former = Self.effective(group, in: lines) { lines.isRead($0, by: reader) }
      return former == group.effective.flatMap { lines.isRead($0, by: reader) ? $0 : nil }
    }
  }

  /// The one that counts of those that somebody knows.
  private static func effective(
    _ group: Group, in lines: KnownLines, _ isKnown: (KnownLines.Number) -> Bool
  ) -> KnownLines.Number? {
    let known = group.saves.filter(isKnown)
    let isVoid = group.written.contains { written in
      isKnown(written) && !group.saves.contains { lines.isRead($0, by: written) }
    }
    if known.isEmpty || isVoid { return nil }
    return known.min { isBefore($0, $1, in: lines) }
  }

  private static func isBefore(_ left: KnownLines.Number, _ right: KnownLines.Number, in lines: KnownLines) -> Bool {
    guard case .save(let one) = lines.line(left).contents, case .save(let other) = lines.line(right).contents else {
      preconditionFailure("only saves are compared")
    }
    if one.cost != other.cost { return one.cost < other.cost }
    let counts = [left, right].map { lines.changeCount(upTo: lines.base(of: $0)) }
    if counts[0] != counts[1] { return counts[0] > counts[1] }
    if one.entry.time != other.entry.time { return one.entry.time < other.entry.time }
    return lines.line(left).id < lines.line(right).id
  }
}
