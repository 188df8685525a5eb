import StateJSON

extension Fold {
  /// The document that some lines that count come to, together with all that their writers had read: what it was for whoever knew
  /// these, and no others.
  ///
  /// - Complexity: Of the entries from the first one on that they don't know, or that are something else for them; of all, where they
  ///   begin with another value. Nothing of it is kept.
  func document(of readers: [KnownLines.Number]) -> JSONValue? {
    let isKnown = { (number: KnownLines.Number) in
      readers.contains { $0 == number || lines.isRead(number, by: $0) }
    }
    let saves = saves.effective(in: lines, among: isKnown)
    func doing(_ number: KnownLines.Number) -> JournalEntry? {
      let line = lines.line(number)
      return line.entry == nil && !saves.contains(number) ? nil : line.doing
    }
    let best = best(among: isKnown, saves)
    var (state, first) = (FoldState(value: best?.settled.value), 0)
    if best?.number == self.best?.number, best?.number == start,
      let last = documents.last(upTo: firstDifference(for: readers, saves))
    {
      (state, first) = (last.state, last.count)
    } else {
      entries.forEach(from: 0) { _, number in
        if let best, lines.isRead(number, by: best.number), let entry = doing(number) { state.ghosts.remember(entry) }
      }
    }
    entries.forEach(from: first) { _, number in
      if let best, lines.isRead(number, by: best.number) { return }
      if isKnown(number), let entry = doing(number) { state.apply(entry) }
    }
    return state.value
  }

  /// How many entries are before the first one that some readers don't know, or that does something for them that it doesn't do now.
  private func firstDifference(
    for readers: [KnownLines.Number], _ effective: Set<KnownLines.Number>
  ) -> Int {
    let others = saves.effective.symmetricDifference(effective)
    return (lines.doing(unreadBy: readers) + others).reduce(entries.count) { min($0, entries.index(of: $1)) }
  }

  /// The best value that somebody has said in the lines that are known to somebody, for whom certain saves count.
  private func best(
    among isKnown: (KnownLines.Number) -> Bool, _ effective: Set<KnownLines.Number>
  ) -> Candidate? {
    var best: Candidate?
    for candidate in candidates where isKnown(candidate.number) {
      let number = candidate.number
      let read = effective.filter { lines.isRead($0, by: number) }
      guard saves.effective(in: lines, among: { lines.isRead($0, by: number) }) == read else { continue }
      let same = Candidate(
        number: number, id: candidate.id, settled: candidate.settled,
        entryCount: lines.entryCount(before: number) + read.count)
      if best.map({ same.isBetter(than: $0) }) ?? true { best = same }
    }
    return best
  }
}
