import CXXH3

/// XXH3 with 128 bits and seed 0, after its specification.
///
/// Each length has a form of its own: up to 16 bytes, up to 128, up to 240, and more. The longest texts are read in blocks of
/// sixteen stripes; each of a stripe's eight words is mixed into a lane. All forms take what they mix the text with from
/// `secret`, at the offsets that the specification gives.
///
/// No read is outside of the text: a form reads from both ends no more than its least length, stripes are counted before the last
/// byte, and the last one ends with it, in a text of more than 240 bytes. Nor outside of the secret's 192 bytes: the largest
/// offset of a stripe is 128, and of the 32 bytes that shorter texts read, 103.
enum XXH3 {
  /// The hash of a text.
  static func hash(_ text: UnsafeRawBufferPointer) -> ContentHash {
    guard text.count > shortLimit, let start = text.baseAddress else { return short(text) }
    var lanes = initialLanes
    let end = start + (text.count - 1) / blockSize * blockSize
    accumulate(blocksOf: UnsafeRawBufferPointer(start: start, count: end - start), in: &lanes)
    return finish(lanes, rest: end, count: text.count - (end - start), of: text.count)
  }

  // MARK: More than 240 bytes

  typealias Lanes = SIMD8<UInt64>

  static let shortLimit = 240
  /// After so many bytes the lanes are scrambled.
  static let blockSize = 16 * stripeSize
  static let stripeSize = 64

  static var initialLanes: Lanes {
    Lanes(
      UInt64(prime32.2), prime64.0, prime64.1, prime64.2, prime64.3, UInt64(prime32.1), prime64.4, UInt64(prime32.0))
  }

  /// Adds whole blocks.
  static func accumulate(blocksOf text: UnsafeRawBufferPointer, in lanes: inout Lanes) {
    #if arch(x86_64)
      if hasWideVectors { return accumulateWidely(blocksOf: text, in: &lanes) }
    #endif
    accumulatePortably(blocksOf: text, in: &lanes)
  }

  #if arch(x86_64)
    static var hasWideVectors: Bool { xxh3_has_avx2() != 0 }

    /// Where the processor has wide vectors.
    static func accumulateWidely(blocksOf text: UnsafeRawBufferPointer, in lanes: inout Lanes) {
      guard let start = text.baseAddress else { return }
      secret.withUnsafeBytes { secret in
        withUnsafeMutableBytes(of: &lanes) { lanes in
          xxh3_accumulate_avx2(
            lanes.assumingMemoryBound(to: UInt64.self).baseAddress, start.assumingMemoryBound(to: UInt8.self),
            text.count / blockSize, secret.assumingMemoryBound(to: UInt8.self).baseAddress)
        }
      }
    }
  #endif

  static func accumulatePortably(blocksOf text: UnsafeRawBufferPointer, in lanes: inout Lanes) {
    guard let start = text.baseAddress else { return }
    secret.withUnsafeBytes { secret in
      let secret = secret.baseAddress!
      var local = lanes
      for block in stride(from: 0, to: text.count, by: blockSize) {
        for stripe in 0..<16 {
          accumulate(start + block + stripe * stripeSize, secret + 8 * stripe, in: &local)
        }
        local ^= local &>> 47
        local ^= words(secret + 128)
        local &*= Lanes(repeating: UInt64(prime32.0))
      }
      lanes = local
    }
  }

  /// The hash of a text of `total` bytes, whose whole blocks are in the lanes.
  ///
  /// `rest` is what follows them: one byte at least, and at most as many as a block has. Where it is shorter than a stripe, it is
  /// preceded in memory by what precedes it in the text.
  static func finish(_ lanes: Lanes, rest: UnsafeRawPointer, count: Int, of total: Int) -> ContentHash {
    secret.withUnsafeBytes { secret in
      let secret = secret.baseAddress!
      var lanes = lanes
      for stripe in 0..<(count - 1) / stripeSize {
        accumulate(rest + stripe * stripeSize, secret + 8 * stripe, in: &lanes)
      }
      accumulate(rest + count - stripeSize, secret + 121, in: &lanes)
      let total = UInt64(total)
      return ContentHash(
        high: merge(lanes, secret + 117, from: ~(total &* prime64.1)),
        low: merge(lanes, secret + 11, from: total &* prime64.0))
    }
  }

  @inline(__always)
  private static func accumulate(_ stripe: UnsafeRawPointer, _ secret: UnsafeRawPointer, in lanes: inout Lanes) {
    let text = words(stripe)
    let key = text ^ words(secret)
    var neighbours = Lanes()
    (neighbours.evenHalf, neighbours.oddHalf) = (text.oddHalf, text.evenHalf)
    lanes &+= neighbours
    lanes &+= (key & 0xffff_ffff) &* (key &>> 32)
  }

  private static func merge(_ lanes: Lanes, _ secret: UnsafeRawPointer, from start: UInt64) -> UInt64 {
    var sum = start
    for pair in stride(from: 0, to: 8, by: 2) {
      sum &+= folded(lanes[pair] ^ word(secret + 8 * pair), lanes[pair + 1] ^ word(secret + 8 * pair + 8))
    }
    return avalanche(sum)
  }

  // MARK: Up to 240 bytes

  static func short(_ text: UnsafeRawBufferPointer) -> ContentHash {
    secret.withUnsafeBytes { secret in
      let secret = secret.baseAddress!
      guard let start = text.baseAddress, text.count > 0 else {
        return ContentHash(
          high: strongAvalanche(word(secret + 80) ^ word(secret + 88)),
          low: strongAvalanche(word(secret + 64) ^ word(secret + 72)))
      }
      switch text.count {
      case ...3: return hash(upTo3: text, secret)
      case ...8: return hash(upTo8: start, text.count, secret)
      case ...16: return hash(upTo16: start, text.count, secret)
      case ...128: return hash(upTo128: start, text.count, secret)
      default: return hash(upTo240: start, text.count, secret)
      }
    }
  }

  private static func hash(upTo3 text: UnsafeRawBufferPointer, _ secret: UnsafeRawPointer) -> ContentHash {
    let count = text.count
    let low =
      UInt32(text[0]) << 16 | UInt32(text[count >> 1]) << 24 | UInt32(text[count - 1]) | UInt32(count) << 8
    let swapped = low.byteSwapped
    let high = swapped << 13 | swapped >> 19
    return ContentHash(
      high: strongAvalanche(UInt64(high) ^ (halfWord(secret + 8) ^ halfWord(secret + 12))),
      low: strongAvalanche(UInt64(low) ^ (halfWord(secret) ^ halfWord(secret + 4))))
  }

  private static func hash(upTo8 text: UnsafeRawPointer, _ count: Int, _ secret: UnsafeRawPointer) -> ContentHash {
    let both = halfWord(text) | halfWord(text + count - 4) << 32
    let key = both ^ (word(secret + 16) ^ word(secret + 24))
    var (high, low) = key.multipliedFullWidth(by: prime64.0 &+ UInt64(count) << 2)
    high &+= low << 1
    low ^= high >> 3
    low = (low ^ low >> 35) &* 0x9fb2_1c65_1e98_df25
    return ContentHash(high: avalanche(high), low: low ^ low >> 28)
  }

  private static func hash(upTo16 text: UnsafeRawPointer, _ count: Int, _ secret: UnsafeRawPointer) -> ContentHash {
    let last = word(text + count - 8)
    let key = word(text) ^ last ^ (word(secret + 32) ^ word(secret + 40))
    var (high, low) = key.multipliedFullWidth(by: prime64.0)
    low &+= UInt64(count - 1) << 54
    let lastKey = last ^ (word(secret + 48) ^ word(secret + 56))
    high &+= lastKey &+ (lastKey & 0xffff_ffff) &* (UInt64(prime32.1) - 1)
    low ^= high.byteSwapped
    let product = low.multipliedFullWidth(by: prime64.1)
    return ContentHash(high: avalanche(product.high &+ high &* prime64.1), low: avalanche(product.low))
  }

  private static func hash(upTo128 text: UnsafeRawPointer, _ count: Int, _ secret: UnsafeRawPointer) -> ContentHash {
    var sums = (high: UInt64(0), low: UInt64(count) &* prime64.0)
    // From both ends inwards, the innermost first.
    for offset in stride(from: (count - 1) / 32 * 16, through: 0, by: -16) {
      mix(text + offset, text + count - 16 - offset, secret + 2 * offset, into: &sums)
    }
    return finish(sums, count)
  }

  private static func hash(upTo240 text: UnsafeRawPointer, _ count: Int, _ secret: UnsafeRawPointer) -> ContentHash {
    var sums = (high: UInt64(0), low: UInt64(count) &* prime64.0)
    for offset in stride(from: 0, to: 128, by: 32) {
      mix(text + offset, text + offset + 16, secret + offset, into: &sums)
    }
    sums = (avalanche(sums.high), avalanche(sums.low))
    for offset in stride(from: 128, through: count - 32, by: 32) {
      mix(text + offset, text + offset + 16, secret + offset - 125, into: &sums)
    }
    mix(text + count - 16, text + count - 32, secret + 103, into: &sums)
    return finish(sums, count)
  }

  /// Adds sixteen bytes here and sixteen there.
  private static func mix(
    _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ secret: UnsafeRawPointer,
    into sums: inout (high: UInt64, low: UInt64)
  ) {
    sums.low &+= folded(word(one) ^ word(secret), word(one + 8) ^ word(secret + 8))
    sums.low ^= word(other) &+ word(other + 8)
    sums.high &+= folded(word(other) ^ word(secret + 16), word(other + 8) ^ word(secret + 24))
    sums.high ^= word(one) &+ word(one + 8)
  }

  private static func finish(_ sums: (high: UInt64, low: UInt64), _ count: Int) -> ContentHash {
    let high = sums.low &* prime64.0 &+ sums.high &* prime64.3 &+ UInt64(count) &* prime64.1
    return ContentHash(high: 0 &- avalanche(high), low: avalanche(sums.low &+ sums.high))
  }

  // MARK: Words

  private static func avalanche(_ word: UInt64) -> UInt64 {
    let word = (word ^ word >> 37) &* 0x1656_6791_9e37_79f9
    return word ^ word >> 32
  }

  private static func strongAvalanche(_ word: UInt64) -> UInt64 {
    var word = (word ^ word >> 33) &* prime64.1
    word = (word ^ word >> 29) &* prime64.2
    return word ^ word >> 32
  }

  /// Both halves of a product.
  private static func folded(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = one.multipliedFullWidth(by: other)
    return product.high ^ product.low
  }

  @inline(__always)
  private static func word(_ place: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
  }

  private static func halfWord(_ place: UnsafeRawPointer) -> UInt64 {
    UInt64(UInt32(littleEndian: place.loadUnaligned(as: UInt32.self)))
  }

  /// The eight words of a stripe.
  @inline(__always)
  private static func words(_ place: UnsafeRawPointer) -> Lanes {
    #if _endian(little)
      place.loadUnaligned(as: Lanes.self)
    #else
      Lanes((0..<8).map { word(place + 8 * $0) })
    #endif
  }

  private static var prime32: (UInt32, UInt32, UInt32) { (0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d) }

  private static var prime64: (UInt64, UInt64, UInt64, UInt64, UInt64) {
    (
      0x9e37_79b1_85eb_ca87, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9, 0x85eb_ca77_c2b2_ae63,
      0x27d4_eb2f_1656_67c5
    )
  }

  /// The 192 bytes that the specification names `defaultSecret`.
  private static let secret: [UInt8] = [
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
  ]
}
