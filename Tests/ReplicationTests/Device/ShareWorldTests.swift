import ShareSimulation
import Testing

/// `scripts/check shares` makes 20,000 runs, optimised.
@Suite struct ShareWorldTests {
  @Test(arguments: [1, 101, 201, 301] as [UInt64])
  func `no promise is broken, whatever arrives in whatever order`(first: UInt64) {
    for seed in first..<first + 10 { #expect(ShareWorld.run(seed: seed) == [], "seed \(seed)") }
  }

  /// Variants that take more than three runs to be caught: `scripts/check variants` has all of them.
  private static let rare: Set<ShareVariant> = [
    .exportNoted, .gapsIgnored, .ghostsForgotten, .takenBeforeKept, .shownBeforeKept, .sameLengthIsSame,
    .oneNameForClones, .newestSeed, .readNotAwaited, .readBeforeExport,
  ]

  @Test(arguments: ShareVariant.allCases.filter { !rare.contains($0) })
  func `a broken form is caught`(variant: ShareVariant) {
    #expect((1...100 as ClosedRange<UInt64>).contains { !ShareWorld.run(seed: $0, variant: variant).isEmpty })
  }
}
