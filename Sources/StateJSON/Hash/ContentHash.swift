/// A fast 128-bit hash of a text's bytes: XXH3 with 128 bits, seed 0, as `xxh128sum` prints it. Not meant to resist an attacker.
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

  /// - Complexity: O(*n*) in the number of bytes, 64 of them at a step.
  public init(_ bytes: UnsafeRawBufferPointer) {
    self = XXH3.hash(bytes)
  }
}

extension ContentHash: LosslessStringConvertible {
  /// A hash from its 32 hexadecimal digits.
  public init?(_ description: String) {
    guard let hash = description.withContiguousUTF8({ ContentHash(digits: UnsafeRawBufferPointer($0)) }) else {
      return nil
    }
    self = hash
  }

  /// A hash from its 32 hexadecimal digits in ASCII.
  package init?(digits: UnsafeRawBufferPointer) {
    guard digits.count == Self.digitCount, let high = Self.word(digits[..<16]), let low = Self.word(digits[16...])
    else {
      return nil
    }
    self.init(high: high, low: low)
  }

  private static func word(_ digits: Slice<UnsafeRawBufferPointer>) -> UInt64? {
    var word: UInt64 = 0
    for digit in digits {
      guard let value = digit.hexDigitValue else { return nil }
      word = word << 4 | UInt64(value)
    }
    return word
  }

  /// 32 hexadecimal digits, lower case.
  public var description: String { digits(of: Self.digitCount) }

  /// How many hexadecimal digits it has.
  static var digitCount: Int { 32 }

  /// The first of its digits.
  package func digits(of count: Int) -> String {
    String(unsafeUninitializedCapacity: count) { digits in
      for place in 0..<count { digits.initializeElement(at: place, to: digit(at: place)) }
      return count
    }
  }

  /// Adds the first of its digits to a text, in ASCII.
  package func write(digits count: Int = digitCount, to text: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { digits in
      for place in 0..<count { digits.initializeElement(at: place, to: digit(at: place)) }
      text.append(contentsOf: digits)
    }
  }

  /// Whether these are the first of its digits.
  package func begins(with digits: UnsafeRawBufferPointer) -> Bool {
    digits.count <= Self.digitCount && digits.indices.allSatisfy { digits[$0] == digit(at: $0) }
  }

  private func digit(at place: Int) -> UInt8 {
    let word = place < 16 ? high : low
    return UInt8(hexDigit: UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (place & 15))) & 15)
  }
}
