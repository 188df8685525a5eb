import StateJSON

/// The order of saves around one of them, as the times of the file say, and what follows for its base. An engine may have brought the file,
/// and clocks may be off: so no base is taken for impossible.
struct SaveTimes {
  /// Another save that counts: all lines that say how it was saved, the one that counts, and what it costs.
  private struct Other {
    let saves: [KnownLines.Number]
    let effective: KnownLines.Number
    let cost: Int
  }

  /// Those that were made a moment before, or after, and those that were made later than that.
  private var (before, justAfter, later): ([Other], [Other], [Other]) = ([], [], [])

  /// The least cost of a change of one value: nothing explains a save by less, unless that changes nothing.
  static let leastCost = 1
  /// The same, by the others that there are.
  var leastCost: Int { before.isEmpty ? 2 * Self.leastCost : Self.leastCost }

  /// Those that were made later: what they were made from, this one may have been as well.
  var followers: [KnownLines.Number] { (justAfter + later).map(\.effective) }

  /// Finds those that were made before and after a save, if it is known when that was, in microseconds since 1970. The recent saves are
  /// all that there are, whether they count or not.
  init(
    of version: FileVersion, at modified: Int?, among recent: [(number: KnownLines.Number, save: JournalSave)],
    _ fold: Fold
  ) {
    guard let modified, modified.magnitude <= JournalLimits.time else { return }
    for (number, save) in recent where save.version != version && fold.saves.counts(number, save) {
      guard let time = fold.saves.modified(of: save.version, in: fold.lines), time != modified else { continue }
      let other = Other(saves: fold.saves.saves(of: save.version), effective: number, cost: save.cost)
      let isNear = (time - modified).magnitude <= FileVersion.tolerance * 1_000_000
      if time > modified {
        isNear ? justAfter.append(other) : later.append(other)
      } else if isNear {
        before.append(other)
      }
    }
  }

  /// The cost of a base: twice that of the change from it.
  ///
  /// A base that has saves in it that were made a moment later costs as much more as these do: most likely they were made from this one.
  /// If they were made much later, clocks may be off. So it costs more by what such a save would cost less itself if the base was made from
  /// this one. Of bases that cost the same, one that has a save which was made a moment before is the nearest.
  func cost(of change: SparseChange?, from candidate: SaveCandidate, to contents: JSONValue, in lines: KnownLines)
    -> Int
  {
    var cost = 2 * (change?.cost ?? 0)
    for other in justAfter where isIn(candidate.base, other, lines) { cost += other.cost }
    if let other = later.filter({ isIn(candidate.base, $0, lines) }).map(\.cost).max() {
      cost += max(0, other - 2 * (SparseChange(from: contents, to: candidate.value)?.cost ?? 0))
    }
    cost = min(cost, JournalLimits.cost)
    return cost > 0 && before.contains { isIn(candidate.base, $0, lines) } ? cost - 1 : cost
  }

  /// Whether a base has a save in it.
  private func isIn(_ base: JournalSave.Base, _ other: Other, _ lines: KnownLines) -> Bool {
    switch base {
    case .save(let id): lines.number(of: id).map { other.saves.contains($0) } ?? false
    case .lines(let ids):
      ids.contains { id in
        guard let number = lines.number(of: id) else { return false }
        return other.saves.contains { $0 == number || lines.isRead($0, by: number) }
      }
    }
  }
}
