import ShareSimulation
import Testing

@Suite struct ShareWorldTests {
  @Test(arguments: [1, 101, 201, 301] as [UInt64])
  func `no promise is broken, whatever arrives in whatever order`(first: UInt64) {
    for seed in first..<first + 25 { #expect(ShareWorld.run(seed: seed) == [], "seed \(seed)") }
  }

  @Test(arguments: ShareVariant.allCases)
  func `a broken form is caught`(variant: ShareVariant) {
    #expect((1...200).contains { !ShareWorld.run(seed: $0, variant: variant).isEmpty })
  }
}
