/// Digests of the keys of objects that are being written, to notice one that may be there already.
///
/// Two keys with one digest count as the same: whoever asks takes a closer look then.
struct KeyDigests: ~Copyable {
  /// More than these are looked up in a set.
  private static let scanLimit = 16

  private var digests = GrowingBuffer<UInt64>()
  /// Of the large objects among those that haven't ended: where the digests begin, and all of them.
  private var large: [(first: Int, digests: Set<UInt64>)] = []

  /// The length, and the first and the last eight bytes; of short keys the first and the last four, or all.
  @inline(__always)
  static func digest(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var (head, tail): (UInt64, UInt64) = (0, 0)
    if let bytes = UnsafeRawPointer(key.baseAddress) {
      if key.count >= 8 {
        head = bytes.loadUnaligned(as: UInt64.self)
        tail = bytes.loadUnaligned(fromByteOffset: key.count - 8, as: UInt64.self)
      } else if key.count >= 4 {
        head = UInt64(bytes.loadUnaligned(as: UInt32.self))
        tail = UInt64(bytes.loadUnaligned(fromByteOffset: key.count - 4, as: UInt32.self))
      } else {
        for byte in key { head = head << 8 | UInt64(byte) }
      }
    }
    return head ^ (tail &* 0x9e37_79b9_7f4a_7c15) ^ (UInt64(key.count) &* 0xff51_afd7_ed55_8ccd)
  }

  /// Marks where the digests of a new object begin.
  func begin() -> Int { digests.count }

  /// Forgets the digests of an object that has ended.
  mutating func end(_ first: Int) {
    digests.removeAll(from: first)
    if large.last?.first == first { large.removeLast() }
  }

  /// Notes a digest of the innermost object; returns whether it is new.
  @inline(__always)
  mutating func insert(_ digest: UInt64, since first: Int) -> Bool {
    let count = digests.count - first
    if count < Self.scanLimit {
      var position = first
      while position < digests.count {
        if digests[position] == digest { return false }
        position += 1
      }
      digests.append(digest)
      return true
    }
    if large.last?.first != first { large.append((first, Set(digests.array(from: first)))) }
    digests.append(digest)
    return large[large.count - 1].digests.insert(digest).inserted
  }
}
