// What the parser, the scanner and the writer ask of UTF-8 bytes.

extension UInt8 {
  /// Whether this is white space to RFC 8259: space, tab, line feed or carriage return.
  @inline(__always) var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  /// Whether this stands in a string for itself: printable ASCII but for `"` and `\`.
  @inline(__always) var isPlainText: Bool {
    self >= 0x20 && self < 0x80 && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
  }

  /// 0...15 for a hexadecimal digit.
  var hexDigitValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension [UInt8] {
  /// `==`, which compares one byte at a time.
  package func hasSameBytes(as other: Self) -> Bool {
    withUnsafeBufferPointer { left in
      other.withUnsafeBufferPointer { right in
        left.baseAddress == right.baseAddress && left.count == right.count || left.hasSameBytes(as: right)
      }
    }
  }
}

extension UnsafeRawPointer {
  /// Whether the same eight bytes stand here and there.
  @inline(__always)
  fileprivate func hasSame8Bytes(as other: Self) -> Bool { differences(from: other, at: 0) == 0 }

  /// Whether the same 32 bytes stand here and there.
  @inline(__always)
  fileprivate func hasSame32Bytes(as other: Self) -> Bool {
    // One question instead of four.
    differences(from: other, at: 0) | differences(from: other, at: 8)
      | differences(from: other, at: 16) | differences(from: other, at: 24) == 0
  }

  /// Whether the same 128 bytes stand here and there.
  @inline(__always)
  fileprivate func hasSame128Bytes(as other: Self) -> Bool {
    let differences = differencesOf64(from: other, at: 0) | differencesOf64(from: other, at: 64)
    let half = differences.lowHalf | differences.highHalf
    let quarter = half.lowHalf | half.highHalf
    return quarter.x | quarter.y == 0
  }

  /// The bits in which 64 bytes differ.
  @inline(__always)
  private func differencesOf64(from other: Self, at offset: Int) -> SIMD8<UInt64> {
    loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt64>.self)
      ^ other.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt64>.self)
  }

  /// The bits in which eight bytes differ.
  @inline(__always)
  private func differences(from other: Self, at offset: Int) -> UInt64 {
    loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      ^ other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}

extension String {
  /// Calls with the string's UTF-8, as `withUTF8` does; but that would have it copied, and its storage retained, first.
  @inline(__always)
  func withContiguousUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    if let result = try utf8.withContiguousStorageIfAvailable(body) { return result }
    // Bridged from elsewhere.
    var copy = self
    return try copy.withUTF8(body)
  }
}

extension UInt64 {
  /// Whether none of these eight bytes is a quotation mark, a backslash or a control character.
  ///
  /// An ASCII byte is less than n, or equal to n, where subtracting n, or 1 after `^ n`, from all eight borrows into its high
  /// bit; of other bytes the high bit says nothing, and none of them is any of these. A borrow out of a neighbour can only
  /// make this say no too often.
  @inline(__always) var hasNoEscapes: Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = (self ^ (ones &* UInt64(UInt8(ascii: "\"")))) &- ones
    let backslashes = (self ^ (ones &* UInt64(UInt8(ascii: "\\")))) &- ones
    let controls = self &- (ones &* 0x20)
    return (quotes | backslashes | controls) & ~self & 0x8080_8080_8080_8080 == 0
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The first position from `start` on whose byte isn't plain text, or the end.
  ///
  /// Looks at eight bytes at a time.
  @inline(__always)
  func endOfPlainText(from start: Int) -> Int {
    var position = start
    while position + 8 <= count {
      let word = UnsafeRawPointer(baseAddress! + position).loadUnaligned(as: UInt64.self)
      guard word.hasNoEscapes, word & 0x8080_8080_8080_8080 == 0 else { break }
      position += 8
    }
    while position < count, self[position].isPlainText { position += 1 }
    return position
  }

  /// Whether both hold the same bytes; 128 at a time, then 32, and then eight.
  @inline(__always)
  func hasSameBytes(as other: Self) -> Bool {
    guard count == other.count else { return false }
    guard count > 0 else { return true }
    let (left, right) = (UnsafeRawPointer(baseAddress!), UnsafeRawPointer(other.baseAddress!))
    // Of few bytes the first and the last ones, which may overlap.
    if count < 4 {
      return self[0] == other[0] && self[count / 2] == other[count / 2] && self[count - 1] == other[count - 1]
    }
    if count < 8 {
      return left.loadUnaligned(as: UInt32.self) == right.loadUnaligned(as: UInt32.self)
        && left.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
          == right.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
    }
    var offset = 0
    while offset + 128 <= count {
      if !(left + offset).hasSame128Bytes(as: right + offset) { return false }
      offset += 128
    }
    while offset + 32 <= count {
      if !(left + offset).hasSame32Bytes(as: right + offset) { return false }
      offset += 32
    }
    while offset + 8 <= count {
      if !(left + offset).hasSame8Bytes(as: right + offset) { return false }
      offset += 8
    }
    // The last eight, some of which may have been compared already.
    return (left + (count - 8)).hasSame8Bytes(as: right + (count - 8))
  }

  /// Whether these bytes stand at a position.
  @inline(__always)
  func has(_ bytes: Self, at position: Int) -> Bool {
    position + bytes.count <= count
      && bytes.hasSameBytes(as: Self(rebasing: self[position..<position + bytes.count]))
  }

  /// How many bytes both begin with, up to a limit that neither is shorter than.
  func commonPrefix(with other: Self, upTo limit: Int) -> Int {
    guard let left = UnsafeRawPointer(baseAddress), let right = UnsafeRawPointer(other.baseAddress) else { return 0 }
    var length = 0
    while length + 128 <= limit, (left + length).hasSame128Bytes(as: right + length) { length += 128 }
    while length + 32 <= limit, (left + length).hasSame32Bytes(as: right + length) { length += 32 }
    while length + 8 <= limit, (left + length).hasSame8Bytes(as: right + length) { length += 8 }
    while length < limit, self[length] == other[length] { length += 1 }
    return length
  }

  /// How many bytes both end with, up to a limit that neither is shorter than.
  func commonSuffix(with other: Self, upTo limit: Int) -> Int {
    guard let left = UnsafeRawPointer(baseAddress), let right = UnsafeRawPointer(other.baseAddress) else { return 0 }
    let (leftEnd, rightEnd) = (left + count, right + other.count)
    var length = 0
    while length + 128 <= limit, (leftEnd - length - 128).hasSame128Bytes(as: rightEnd - length - 128) { length += 128 }
    while length + 32 <= limit, (leftEnd - length - 32).hasSame32Bytes(as: rightEnd - length - 32) { length += 32 }
    while length + 8 <= limit, (leftEnd - length - 8).hasSame8Bytes(as: rightEnd - length - 8) { length += 8 }
    while length < limit, self[count - length - 1] == other[other.count - length - 1] { length += 1 }
    return length
  }

  /// The first position from `start` on whose byte isn't white space, or the end; eight bytes of indentation at a time.
  @inline(__always)
  func endOfSpace(from start: Int) -> Int {
    var position = start
    while position < count, self[position].isJSONSpace {
      position += 1
      while position + 8 <= count,
        UnsafeRawPointer(baseAddress! + position).loadUnaligned(as: UInt64.self) == 0x2020_2020_2020_2020
      {
        position += 8
      }
    }
    return position
  }

  /// Where the line of a position begins, after a byte-order mark.
  func lineStart(of position: Int) -> Int {
    self[..<position].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? Swift.min(byteOrderMarkLength, position)
  }

  /// The length of the well-formed UTF-8 sequence at `position` (Unicode, table 3-7), or 0 if there is none.
  func lengthOfScalar(at position: Int) -> Int {
    func follows(_ range: ClosedRange<UInt8>, _ index: Int) -> Bool {
      position + index < count && range.contains(self[position + index])
    }
    let tail: ClosedRange<UInt8> = 0x80...0xBF
    switch self[position] {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: return follows(tail, 1) ? 2 : 0
    case 0xE0: return follows(0xA0...0xBF, 1) && follows(tail, 2) ? 3 : 0
    case 0xED: return follows(0x80...0x9F, 1) && follows(tail, 2) ? 3 : 0
    case 0xE1...0xEF: return follows(tail, 1) && follows(tail, 2) ? 3 : 0
    case 0xF0: return follows(0x90...0xBF, 1) && follows(tail, 2) && follows(tail, 3) ? 4 : 0
    case 0xF1...0xF3: return follows(tail, 1) && follows(tail, 2) && follows(tail, 3) ? 4 : 0
    case 0xF4: return follows(0x80...0x8F, 1) && follows(tail, 2) && follows(tail, 3) ? 4 : 0
    default: return 0
    }
  }
}
