import TestSupport
import Testing

@testable import StateJSON

@Suite struct SequenceAlignmentTests {
  @Test func `the pairs are a longest common subsequence`() {
    for seed in 0..<500 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let alphabet = 1 + random.below(6)
      let old = (0..<random.below(12)).map { _ in random.below(alphabet) }
      let new = (0..<random.below(12)).map { _ in random.below(alphabet) }
      let pairs = SequenceAlignment.commonPairs(old, new, maximumEdits: 100)
      #expect(pairs.allSatisfy { old[$0.old] == new[$0.new] }, "seed \(seed)")
      #expect(zip(pairs, pairs.dropFirst()).allSatisfy { $0.old < $1.old && $0.new < $1.new }, "seed \(seed)")
      #expect(pairs.count == longestCommonSubsequence(old, new), "seed \(seed): \(old) \(new)")
    }
  }

  @Test func `too many edits give no pairs`() {
    #expect(SequenceAlignment.commonPairs([1, 2, 3], [3, 4, 5], maximumEdits: 4).count == 1)
    #expect(SequenceAlignment.commonPairs([1, 2, 3], [3, 4, 5], maximumEdits: 3).isEmpty)
  }

  private func longestCommonSubsequence(_ old: [Int], _ new: [Int]) -> Int {
    var lengths = Array(repeating: Array(repeating: 0, count: new.count + 1), count: old.count + 1)
    for row in old.indices {
      for column in new.indices {
        lengths[row + 1][column + 1] =
          old[row] == new[column]
          ? lengths[row][column] + 1 : max(lengths[row][column + 1], lengths[row + 1][column])
      }
    }
    return lengths[old.count][new.count]
  }
}
