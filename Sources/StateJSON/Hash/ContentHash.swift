/// A fast 128-bit hash of a text's bytes: MurmurHash3 x64 128, seed 0. Not meant to resist an attacker.
///
/// The halves are those of Austin Appleby's reference: ``high`` is its `h1` and ``low`` its `h2`.
public struct ContentHash: Sendable, Hashable {
  /// The first half.
  public let high: UInt64
  /// The second half.
  public let low: UInt64

  /// Makes a hash of its halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Hashes a text's bytes.
  public init(_ bytes: [UInt8]) {
    self = bytes.withUnsafeBytes { ContentHash($0) }
  }

  /// - Complexity: O(*n*) in the number of bytes, sixteen of them at a step.
  public init(_ bytes: UnsafeRawBufferPointer) {
    var hasher = ContentHasher()
    hasher.update(bytes)
    self = hasher.finish()
  }
}

/// A ``ContentHash`` in the making, for who has a text in pieces.
package struct ContentHasher {
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var count = 0
  /// What is left over of the last piece.
  private var rest: (first: UInt64, second: UInt64) = (0, 0)

  package init() {}

  /// Adds a piece. All but the last one have a multiple of sixteen bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    precondition(count.isMultiple(of: 16), "only the last piece may have a rest")
    var (first, second) = (first, second)
    var offset = 0
    while bytes.count - offset >= 16 {
      first ^= Self.mixFirst(Self.word(bytes, offset))
      first = (first.rotatedLeft(27) &+ second) &* 5 &+ 0x52dc_e729
      second ^= Self.mixSecond(Self.word(bytes, offset + 8))
      second = (second.rotatedLeft(31) &+ first) &* 5 &+ 0x3849_5ab5
      offset += 16
    }
    rest = (Self.tail(bytes, offset), Self.tail(bytes, offset + 8))
    (self.first, self.second) = (first, second)
    count += bytes.count
  }

  /// The hash of all pieces.
  package func finish() -> ContentHash {
    var first = first ^ Self.mixFirst(rest.first) ^ UInt64(count)
    var second = second ^ Self.mixSecond(rest.second) ^ UInt64(count)
    first &+= second
    second &+= first
    first = Self.avalanche(first)
    second = Self.avalanche(second)
    first &+= second
    second &+= first
    return ContentHash(high: first, low: second)
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Up to eight bytes from `offset` on as a little-endian word; none give 0, which the mixing leaves 0.
  private static func tail(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    var word: UInt64 = 0
    var index = min(bytes.count, offset + 8)
    while index > offset {
      index -= 1
      word = word << 8 | UInt64(bytes[index])
    }
    return word
  }

  @inline(__always)
  private static func mixFirst(_ word: UInt64) -> UInt64 {
    (word &* 0x87c3_7b91_1142_53d5).rotatedLeft(31) &* 0x4cf5_ad43_2745_937f
  }

  @inline(__always)
  private static func mixSecond(_ word: UInt64) -> UInt64 {
    (word &* 0x4cf5_ad43_2745_937f).rotatedLeft(33) &* 0x87c3_7b91_1142_53d5
  }

  @inline(__always)
  private static func avalanche(_ word: UInt64) -> UInt64 {
    var word = word
    word = (word ^ word >> 33) &* 0xff51_afd7_ed55_8ccd
    word = (word ^ word >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return word ^ word >> 33
  }
}

extension ContentHash: LosslessStringConvertible {
  /// A hash from its 32 hexadecimal digits.
  public init?(_ description: String) {
    self.init(digits: Array(description.utf8)[...])
  }

  /// A hash from its 32 hexadecimal digits in ASCII.
  package init?(digits: ArraySlice<UInt8>) {
    guard digits.count == 32 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for digit in digits {
      guard let value = digit.hexDigitValue else { return nil }
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(value)
    }
    self.init(high: high, low: low)
  }

  /// 32 hexadecimal digits, lower case.
  public var description: String {
    String(unsafeUninitializedCapacity: 32) { digits in
      for place in 0..<16 {
        digits.initializeElement(at: place, to: Self.digit(of: high, at: place))
        digits.initializeElement(at: 16 + place, to: Self.digit(of: low, at: place))
      }
      return 32
    }
  }

  private static func digit(of word: UInt64, at place: Int) -> UInt8 {
    UInt8(hexDigit: UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * place)) & 15)
  }
}

extension UInt64 {
  @inline(__always)
  fileprivate func rotatedLeft(_ count: UInt64) -> UInt64 { self << count | self >> (64 - count) }
}
