import ShareSimulation
import Testing

/// `scripts/check shares` makes 20,000 runs of each, optimised.
@Suite struct CoreWorldTests {
  @Test(arguments: [1, 1_001, 2_001, 3_001] as [UInt64])
  func `no promise is broken, whoever has heard what of whom`(first: UInt64) {
    for seed in first..<first + 60 { #expect(CoreWorld.run(seed: seed) == [], "seed \(seed)") }
  }

  @Test(arguments: [1, 1_001, 2_001, 3_001] as [UInt64])
  func `no promise is broken where the file lies in the folder itself`(first: UInt64) {
    for seed in first..<first + 60 { #expect(CoreWorld.run(seed: seed, isInside: true) == [], "seed \(seed)") }
  }

  @Test(arguments: [ShareVariant.nothingSettled, .nothingCarried])
  func `a broken form is caught`(variant: ShareVariant) {
    #expect((1...400 as ClosedRange<UInt64>).contains { !CoreWorld.run(seed: $0, variant: variant).isEmpty })
  }
}
