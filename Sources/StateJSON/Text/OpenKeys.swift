/// The keys of the objects that a parser is in, to find one that is there twice.
///
/// Up to ``scanLimit`` keys of an object are compared one by one, by a digest first; beyond that they are hashed, with
/// the seed of the process, so that no text makes this slow.
struct OpenKeys {
  struct Key {
    /// The same for equal keys, and most likely different for others.
    let digest: UInt64
    /// Where the unescaped key stands: in the text, or in `unescaped`.
    let start: UInt32
    let length: UInt32
    let isUnescaped: Bool
    /// The key's entry on the tape.
    let entry: UInt32
  }

  /// Positions in `keys` by their hash, for one large object.
  private struct Table {
    /// Where the object's keys begin.
    let first: Int
    /// A power of two, at most half of it taken; 0 is free, others are positions plus 1.
    var slots: [UInt32]
  }

  private static let scanLimit = 16

  private var keys: [Key] = []
  private var unescaped: [UInt8] = []
  private var tables: [Table] = []

  /// The keys of an object that begins; to be told to the others.
  func begin() -> Int { keys.count }

  /// Forgets the keys of an object that has ended.
  mutating func end(_ first: Int) {
    keys.removeSubrange(first...)
    if tables.last?.first == first { tables.removeLast() }
  }

  /// Notes a key whose content is at a range of the text; returns the entry of the equal one before it, if there is one.
  mutating func insert(
    _ range: Range<Int>, isEscaped: Bool, entry: Int, in text: UnsafeBufferPointer<UInt8>, since first: Int
  ) -> Int? {
    let key = key(range, isEscaped: isEscaped, entry: entry, in: text)
    if keys.count - first < Self.scanLimit {
      for other in keys[first...] where other.digest == key.digest && areEqual(other, key, in: text) {
        return Int(other.entry)
      }
      keys.append(key)
      return nil
    }
    if tables.last?.first != first { tables.append(Table(first: first, slots: [])) }
    keys.append(key)
    let table = tables.count - 1
    // With the others, the new key is noted too, unless an equal one stands in its place.
    if (keys.count - first) * 2 > tables[table].slots.count { grow(table, in: text) }
    let slot = slot(of: key, table, in: text)
    let found = Int(tables[table].slots[slot]) - 1
    if 0..<keys.count - 1 ~= found { return Int(keys[found].entry) }
    tables[table].slots[slot] = UInt32(keys.count)
    return nil
  }

  // MARK: - Keys

  private mutating func key(
    _ range: Range<Int>, isEscaped: Bool, entry: Int, in text: UnsafeBufferPointer<UInt8>
  ) -> Key {
    guard isEscaped else {
      let digest = KeyDigests.digest(UnsafeBufferPointer(rebasing: text[range]))
      return Key(
        digest: digest, start: UInt32(range.lowerBound), length: UInt32(range.count), isUnescaped: false,
        entry: UInt32(entry))
    }
    let start = unescaped.count
    unescaped.append(contentsOf: JSONEscape.unescaped(UnsafeBufferPointer(rebasing: text[range])).utf8)
    let digest = unescaped.withUnsafeBufferPointer { KeyDigests.digest(UnsafeBufferPointer(rebasing: $0[start...])) }
    return Key(
      digest: digest, start: UInt32(start), length: UInt32(unescaped.count - start), isUnescaped: true,
      entry: UInt32(entry))
  }

  private func areEqual(_ left: Key, _ right: Key, in text: UnsafeBufferPointer<UInt8>) -> Bool {
    left.length == right.length
      && withBytes(of: left, in: text) { left in
        withBytes(of: right, in: text) { right in left.elementsEqual(right) }
      }
  }

  @inline(__always)
  private func withBytes<Result>(
    of key: Key, in text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let range = Int(key.start)..<Int(key.start) + Int(key.length)
    return key.isUnescaped
      ? unescaped.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
      : body(UnsafeBufferPointer(rebasing: text[range]))
  }

  // MARK: - Tables

  /// Makes room, and notes all keys of the object again.
  private mutating func grow(_ table: Int, in text: UnsafeBufferPointer<UInt8>) {
    let first = tables[table].first
    tables[table].slots = Array(repeating: 0, count: max(64, tables[table].slots.count * 2))
    for position in first..<keys.count {
      let slot = slot(of: keys[position], table, in: text)
      if tables[table].slots[slot] == 0 { tables[table].slots[slot] = UInt32(position + 1) }
    }
  }

  /// The slot of an equal key, or the free one that this key would get.
  private func slot(of key: Key, _ table: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    let mask = tables[table].slots.count - 1
    var hasher = Hasher()
    withBytes(of: key, in: text) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    var slot = hasher.finalize() & mask
    while true {
      let taken = Int(tables[table].slots[slot])
      if taken == 0 { return slot }
      if keys[taken - 1].digest == key.digest, areEqual(keys[taken - 1], key, in: text) { return slot }
      slot = (slot + 1) & mask
    }
  }
}
