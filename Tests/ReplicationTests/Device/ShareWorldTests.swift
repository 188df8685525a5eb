import ShareSimulation
import Testing

@Suite struct ShareWorldTests {
  @Test(arguments: [1, 101, 201, 301] as [UInt64])
  func `no promise is broken, whatever arrives in whatever order`(first: UInt64) {
    for seed in first..<first + 25 { #expect(ShareWorld.run(seed: seed) == [], "seed \(seed)") }
  }

  /// Those that take many runs to be caught: `simulate-shares --variants` has all of them.
  private static let rare: Set<ShareVariant> = [
    .exportNoted, .gapsIgnored, .ghostsForgotten, .takenBeforeKept, .shownBeforeKept, .sameLengthIsSame,
  ]

  @Test(arguments: ShareVariant.allCases.filter { !rare.contains($0) })
  func `a broken form is caught`(variant: ShareVariant) {
    #expect((1...100 as ClosedRange<UInt64>).contains { !ShareWorld.run(seed: $0, variant: variant).isEmpty })
  }
}
