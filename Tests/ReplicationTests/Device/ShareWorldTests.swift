import ShareSimulation
import Testing

/// `scripts/check shares` makes 20,000 runs, optimised.
@Suite struct ShareWorldTests {
  @Test(arguments: [1, 101, 201, 301] as [UInt64])
  func `no promise is broken, whatever arrives in whatever order`(first: UInt64) {
    for seed in first..<first + 10 { #expect(ShareWorld.run(seed: seed) == [], "seed \(seed)") }
  }

  /// `scripts/check variants` has every broken form.
  @Test(arguments: [.nothingCarried, .clocksAlone, .oneNeighbour, .positionsByCount] as [ShareVariant])
  func `a broken form is caught`(variant: ShareVariant) {
    #expect((1...100 as ClosedRange<UInt64>).contains { !ShareWorld.run(seed: $0, variant: variant).isEmpty })
  }
}
