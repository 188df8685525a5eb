import StateJSON
import TestSupport
import Testing

@testable import Replication

/// Five times the saves take some five times as long; if each had to do with all others, 25 times.
@Suite(.serialized) struct SavesComplexityTests {
  /// Two devices: one comes upon all that the other one writes before it hears of it, and something is saved there each time.
  private static func lines(count: Int) throws -> [JournalLine] {
    var (a, b) = (try TestJournal("a"), try TestJournal("b"))
    var lines = a.lines + b.lines
    for turn in 0..<count {
      let time = 10 * turn
      let entry = try a.entry(time, #"{"change":{"in":{"n":{"is":\#(turn)}}}}"#)
      let wrote = try a.wrote("a\(turn)", written: time)
      // An echo, a save made from that, and what came of it; then it hears who wrote the echo.
      let echo = try b.save(
        "a\(turn)", at: time, saved: time, cost: 2, ["in": ["n": ["is": .number(JSONNumber(turn))]]])
      let save = try b.save(
        "s\(turn)", at: time, saved: time, cost: 1, ["in": ["e": ["is": .number(JSONNumber(turn))]]])
      let found = try b.wrote("b\(turn)", written: time)
      let heard = try b.acknowledge(wrote)
      // These bytes are no save either: somebody wrote them who had heard nothing of it.
      let other = try a.wrote("s\(turn)", written: time)
      lines += [echo, save, found, entry, wrote, other, heard]
      if turn % 4 == 0 { lines.append(try a.acknowledge(heard)) }
    }
    return lines
  }

  @Test func `what is known of saves takes time in their number`() throws {
    func time(count: Int) throws -> Duration {
      let lines = try Self.lines(count: count)
      return processorTime {
        var known = KnownLines()
        var saves = FoldSaves()
        for line in lines { for number in known.add(line) { _ = saves.add(number, in: known) } }
        #expect(saves.count == 0)
        // All but the last one, which it hasn't heard of yet.
        let last = known.numbers.upperBound - 1
        #expect(saves.effective(in: known, among: { known.isRead($0, by: last) }).count == 1)
      }
    }
    let (short, long) = try (time(count: 200), time(count: 1000))
    #expect(long < short * 12)
  }
}
