/// The saves that versions which instances wrote in a file were because of: those that a writer had read of, and those that it had come
/// upon in the file itself, in what somebody else had written because of them.
///
/// The latter shows where the writer of a `wrote` had read of an *echo*: of a save that is nothing but what some other `wrote`, its
/// *source*, says that an instance wrote. The source's writer knew things, and what was written after the echo is because of these as well.
///
/// The lines that a writer knew so are a ``VersionVector``, as those that it had read are: a source's writer had read all lines of a chain
/// that are before one which it had read. The vector grows along a chain.
///
/// - Complexity: A question takes no time. What is added takes as long as there are lines that come to know more.
struct WriteCauses: Sendable {
  private struct Write: Sendable {
    let number: KnownLines.Number
    /// The lines that its writer knew through the file, besides those that it had read.
    var found = VersionVector()
  }

  private struct Echo: Sendable {
    let save: KnownLines.Number
    var sources: [KnownLines.Number]
  }

  /// The `wrote`s of each chain, in its order.
  private var writes: [[Write]] = []
  /// The echoes of each chain, in its order.
  private var echoes: [[Echo]] = []

  /// Takes note of a `wrote` that counts now, after all that its writer had read.
  mutating func add(write number: KnownLines.Number, in lines: KnownLines) {
    let chain = lines.place(of: number).chain
    makeRoom(for: chain)
    writes[chain].append(Write(number: number))
    _ = find(in: chain, from: writes[chain].count - 1, in: lines)
  }

  /// Takes note of the sources of some saves.
  ///
  /// - Returns: The `wrote`s that are because of something else now.
  mutating func set(
    _ sources: [(save: KnownLines.Number, sources: [KnownLines.Number])], in lines: KnownLines
  ) -> [KnownLines.Number] {
    if sources.isEmpty { return [] }
    let first = writes.map { writes in
      writes.partitioningIndex { write in sources.contains { isKnown($0.save, by: write, in: lines) } }
    }
    for (save, sources) in sources {
      let (chain, place) = lines.place(of: save)
      makeRoom(for: chain)
      let index = echoes[chain].partitioningIndex { lines.place(of: $0.save).place >= place }
      if index < echoes[chain].count, echoes[chain][index].save == save {
        echoes[chain][index].sources = sources
      } else {
        echoes[chain].insert(Echo(save: save, sources: sources), at: index)
      }
    }
    return first.enumerated().flatMap { find(in: $0, from: $1, in: lines) }
  }

  /// The same for who knows certain lines, and so not all sources.
  func limited(
    to isKnown: (KnownLines.Number) -> Bool, in lines: KnownLines,
    sources: (_ save: KnownLines.Number) -> [KnownLines.Number]
  ) -> Self {
    let other = echoes.joined().filter { isKnown($0.save) && !$0.sources.allSatisfy(isKnown) }
    var limited = self
    _ = limited.set(other.map { ($0.save, sources($0.save)) }, in: lines)
    return limited
  }

  /// Whether a `wrote` was because of a save.
  func isBecause(_ write: KnownLines.Number, of save: KnownLines.Number, in lines: KnownLines) -> Bool {
    if lines.isRead(save, by: write) { return true }
    let (chain, place) = lines.place(of: write)
    let index = writes[chain].partitioningIndex { lines.place(of: $0.number).place >= place }
    return isKnown(save, by: writes[chain][index], in: lines)
  }

  private func isKnown(_ save: KnownLines.Number, by write: Write, in lines: KnownLines) -> Bool {
    let (chain, place) = lines.place(of: save)
    return place < max(lines.readCount(by: write.number, in: chain), write.found[chain])
  }

  private mutating func makeRoom(for chain: Int) {
    let missing = max(0, chain + 1 - writes.count)
    writes += repeatElement([], count: missing)
    echoes += repeatElement([], count: missing)
  }

  /// Finds out again what the writers of a chain knew through the file, from one of its lines on.
  ///
  /// - Returns: Those of which it is something else.
  private mutating func find(in chain: Int, from start: Int, in lines: KnownLines) -> [KnownLines.Number] {
    var found = start > 0 ? writes[chain][start - 1].found : VersionVector()
    // How many echoes of each chain are in it already.
    var counts = echoes.map { echoes in
      start == 0 ? 0 : echoes.partitioningIndex { !isKnown($0.save, by: writes[chain][start - 1], in: lines) }
    }
    var changed: [KnownLines.Number] = []
    for index in writes[chain].indices[start...] {
      let number = writes[chain][index].number
      var isMore = true
      while isMore {
        isMore = false
        for chain in echoes.indices {
          let known = max(lines.readCount(by: number, in: chain), found[chain])
          while counts[chain] < echoes[chain].count {
            let echo = echoes[chain][counts[chain]]
            guard lines.place(of: echo.save).place < known else { break }
            for source in echo.sources { lines.merge(source, into: &found) }
            counts[chain] += 1
            isMore = true
          }
        }
      }
      if found == writes[chain][index].found { continue }
      writes[chain][index].found = found
      changed.append(number)
    }
    return changed
  }
}

extension Array {
  /// The index of the first element of which something is true that is true of all after it; the end, if there is none.
  fileprivate func partitioningIndex(where isSecond: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
