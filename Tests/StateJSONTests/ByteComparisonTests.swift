import TestSupport
import Testing

@testable import StateJSON

/// Bytes are compared several at a time, which gives what comparing one by one gives.
@Suite struct ByteComparisonTests {
  /// Also of more than two of the longest steps, with some of each shorter one behind.
  @Test(arguments: Array(0...100) + [127, 128, 129, 159, 192, 255, 256, 257, 299, 301])
  func `texts of any length part where their bytes do`(length: Int) {
    var random = SplitMix64(seed: UInt64(length))
    let text = (0..<length).map { _ in UInt8.random(in: 0...3, using: &random) }
    #expect(text.hasSameBytes(as: Array(text[...])))
    for place in text.indices {
      var other = text
      other[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      #expect(!text.hasSameBytes(as: other))
      expectDivergence(of: text, from: other, prefix: place, suffix: length - place - 1)
      // What follows the place is moved on, so that it stands at other addresses.
      let more = [UInt8](repeating: 9, count: .random(in: 1...40, using: &random))
      expectDivergence(
        of: text, from: other[..<place] + more + other[place...], prefix: place, suffix: length - place - 1)
    }
  }

  private func expectDivergence(of one: [UInt8], from other: some Sequence<UInt8>, prefix: Int, suffix: Int) {
    Array(other).withUnsafeBufferPointer { other in
      one.withUnsafeBufferPointer { one in
        let divergence = ByteDivergence(one, other)
        #expect(divergence?.prefix == prefix, "\(one.count) bytes")
        #expect(divergence?.suffix == suffix, "\(one.count) bytes, which part at \(prefix)")
      }
    }
  }
}
