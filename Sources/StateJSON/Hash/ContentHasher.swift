/// A ``ContentHash`` in the making, for who has a text in pieces.
package struct ContentHasher {
  /// How many bytes each piece but the last one has a multiple of.
  static let pieceUnit = XXH3.blockSize

  private var lanes = XXH3.initialLanes
  private var count = 0
  /// The end of what was added so far, which is mixed in another way if nothing follows: up to a block, and before it the stripe
  /// that it begins after, if there is one.
  private var held: [UInt8] = []

  package init() {}

  /// Adds a piece. All but the last one have a multiple of ``pieceUnit`` bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if bytes.isEmpty { return }
    precondition(count.isMultiple(of: Self.pieceUnit), "only the last piece may have a rest")
    if count > 0 {
      held.withUnsafeBytes { held in
        let block = UnsafeRawBufferPointer(rebasing: held.suffix(XXH3.blockSize))
        XXH3.accumulate(blocksOf: block, in: &lanes)
      }
    }
    let rest = (bytes.count - 1) / XXH3.blockSize * XXH3.blockSize
    XXH3.accumulate(blocksOf: UnsafeRawBufferPointer(rebasing: bytes[..<rest]), in: &lanes)
    held = rest > 0 ? Array(bytes[..<rest].suffix(XXH3.stripeSize)) : Array(held.suffix(XXH3.stripeSize))
    held += bytes[rest...]
    count += bytes.count
  }

  /// The hash of all pieces.
  package func finish() -> ContentHash {
    held.withUnsafeBytes { held in
      guard count > XXH3.shortLimit, let start = held.baseAddress else { return XXH3.short(held) }
      let rest = (count - 1) % XXH3.blockSize + 1
      return XXH3.finish(lanes, rest: start + held.count - rest, count: rest, of: count)
    }
  }
}
