import TestSupport
import Testing

@testable import Replication

/// Versions that are written and found again and again by devices that hear of each other now and then.
@Suite struct WriteCausesTests {
  private static func lines(_ random: inout SplitMix64) throws -> [JournalLine] {
    var journals = try ["a", "b", "c"].map { try TestJournal($0) }
    var lines = journals.flatMap(\.lines)
    var saves: [JournalLine] = []
    for _ in 0..<40 {
      let writer = random.below(3)
      let (hash, time) = ("\(random.below(4))", random.below(3) * 3)
      switch random.below(3) {
      case 0:
        let other = random.oneIn(2) ? journals[random.below(3)].lines.last : nil
        lines.append(try journals[writer].acknowledge(other))
      case 1 where random.oneIn(4):
        let found = FileVersion(hash: "\(random.below(4))", time: time)
        lines.append(try journals[writer].wrote(hash, written: time, found: found))
      case 1: lines.append(try journals[writer].wrote(hash, written: time))
      default:
        let saved = random.oneIn(4) ? nil : time
        let base = saves.isEmpty || random.oneIn(2) ? nil : random.pick(saves)
        saves.append(
          try journals[writer].save(
            hash, at: time, saved: saved, cost: random.below(4), ["in": ["e": ["is": 1]]], of: base, read: base))
        lines.append(saves[saves.count - 1])
      }
    }
    return lines
  }

  private static func effective(_ lines: [JournalLine]) -> Set<LineID> {
    var known = KnownLines()
    var saves = FoldSaves()
    for line in lines { for number in known.add(line) { _ = saves.add(number, in: known) } }
    return Set(saves.effective.map { known.line($0).id })
  }

  @Test(arguments: 0..<150 as Range<UInt64>)
  func `what counts for who knows some lines is what counts where there are no others`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let lines = try Self.lines(&random)
    var known = KnownLines()
    var saves = FoldSaves()
    for line in lines { for number in known.add(line) { _ = saves.add(number, in: known) } }
    for reader in known.numbers {
      let isKnown = { (number: KnownLines.Number) in known.isRead(number, by: reader) }
      let effective = saves.effective(in: known, among: isKnown)
      let expected = Self.effective(known.numbers.filter(isKnown).map { known.line($0) })
      #expect(Set(effective.map { known.line($0).id }) == expected)
      #expect(saves.agree(with: reader, in: known) == (saves.effective.filter(isKnown) == effective))
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `what counts is the same in whatever order lines arrive`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let lines = try Self.lines(&random)
    let expected = Self.effective(lines)
    for _ in 0..<5 { #expect(Self.effective(lines.shuffled(using: &random)) == expected) }
  }
}
