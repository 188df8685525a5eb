/// Memory for plain elements that grows at its end, without the checks of an array: whether it is shared, at each
/// change, and whether an index is in bounds.
///
/// It has one owner, who can't copy it; `count` elements from `base` on are initialised, and there is room for `capacity`
/// of them. Only what changes `count` or `base` reads or writes beyond what its caller names, and reserves the room first.
/// That an index or a range is below `count` is up to the caller, and is checked in debug builds, as the tests and the
/// fuzzers are.
struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>
  private var capacity: Int
  /// How many elements there are.
  private(set) var count = 0

  init(minimumCapacity: Int = 16) {
    capacity = max(1, minimumCapacity)
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      assert(index >= 0 && index < count)
      return base[index]
    }
    set {
      assert(index >= 0 && index < count)
      base[index] = newValue
    }
    _modify {
      assert(index >= 0 && index < count)
      yield &base[index]
    }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(by: 1) }
    (base + count).initialize(to: element)
    count += 1
  }

  @inline(__always)
  mutating func append(_ elements: UnsafeBufferPointer<Element>) {
    guard let source = elements.baseAddress else { return }
    reserve(elements.count)
    (base + count).initialize(from: source, count: elements.count)
    count += elements.count
  }

  /// Makes room for so many more elements.
  @inline(__always)
  mutating func reserve(_ additional: Int) {
    if capacity - count < additional { grow(by: additional) }
  }

  /// Forgets the elements from a position on.
  @inline(__always)
  mutating func removeAll(from position: Int) {
    assert(position >= 0 && position <= count)
    count = position
  }

  /// The elements from a position on, in memory of their own.
  borrowing func array(from position: Int = 0) -> [Element] {
    Array(UnsafeBufferPointer(start: base + position, count: count - position))
  }

  @inline(never)
  private mutating func grow(by additional: Int) {
    let larger = max(count + additional, capacity * 2)
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: larger)
    memory.moveInitialize(from: base, count: count)
    base.deallocate()
    (base, capacity) = (memory, larger)
  }
}

extension GrowingBuffer<UInt8> {
  /// Copies what stands in a JSON string for itself, up to the first `"`, `\\` or control character; returns how many bytes
  /// that are.
  @inline(__always)
  mutating func append(plainTextOf text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let length = text.count - start
    guard length > 0 else { return 0 }
    reserve(length)
    let copied = UnsafeRawPointer(text.baseAddress! + start).copyPlainText(length, to: base + count)
    count += copied
    return copied
  }

  /// Writes text between quotation marks, and what else there is around it, if all of it stands in a JSON string for itself.
  ///
  /// - Returns: Whether it does. If not, nothing is written.
  @inline(__always)
  mutating func append(
    quoted text: UnsafeBufferPointer<UInt8>, afterComma: Bool = false, beforeColon: Bool = false
  ) -> Bool {
    reserve(text.count + 4)
    // What is written could be this buffer's own count and base, for all that the compiler knows.
    var end = base + count
    if afterComma {
      end.initialize(to: UInt8(ascii: ","))
      end += 1
    }
    end.initialize(to: UInt8(ascii: "\""))
    end += 1
    if let source = text.baseAddress {
      guard UnsafeRawPointer(source).copyPlainText(text.count, to: end) == text.count else { return false }
      end += text.count
    }
    end.initialize(to: UInt8(ascii: "\""))
    end += 1
    if beforeColon {
      end.initialize(to: UInt8(ascii: ":"))
      end += 1
    }
    count = end - base
    return true
  }

  /// Writes a number's decimal digits, of which so many are behind the point.
  @inline(__always)
  mutating func append(digitsOf number: UInt64, decimals: Int = 0) {
    // 2^64 has 20 digits. Before the point there is one at least.
    let length = Swift.max(number.decimalDigitCount, decimals + 1) + (decimals > 0 ? 1 : 0)
    reserve(length)
    let first = base + count
    var (position, rest, behind) = (length - 1, number, decimals)
    while position >= 0 {
      (first + position).initialize(to: UInt8(truncatingIfNeeded: rest % 10) + UInt8(ascii: "0"))
      rest /= 10
      position -= 1
      behind -= 1
      if behind == 0 {
        (first + position).initialize(to: UInt8(ascii: "."))
        position -= 1
      }
    }
    count += length
  }
}

extension UInt64 {
  /// How many digits it is written with.
  @inline(__always)
  fileprivate var decimalDigitCount: Int {
    var (count, limit) = (1, 10 as UInt64)
    while self >= limit {
      count += 1
      // 10^19 is the last power that there is.
      if count == 20 { break }
      limit *= 10
    }
    return count
  }
}

extension UnsafeRawPointer {
  /// Copies what stands in a JSON string for itself, up to a length, which there is room for; returns how many bytes that are.
  ///
  /// Looking and copying go together, eight bytes at a time.
  @inline(__always)
  fileprivate func copyPlainText(_ length: Int, to start: UnsafeMutablePointer<UInt8>) -> Int {
    let target = UnsafeMutableRawPointer(start)
    var copied = 0
    while copied + 8 <= length, copyPlainText(UInt64.self, at: copied, to: target) { copied += 8 }
    // Few are left: together with some before them, or in two halves that overlap.
    if length - copied < 8 {
      if length >= 8 {
        if copyPlainText(UInt64.self, at: length - 8, to: target) { return length }
      } else if length >= 4 {
        if copyPlainText(UInt32.self, at: 0, to: target), copyPlainText(UInt32.self, at: length - 4, to: target) {
          return length
        }
      }
    }
    while copied < length {
      let byte = load(fromByteOffset: copied, as: UInt8.self)
      guard byte.isPlainText || byte >= 0x80 else { break }
      target.storeBytes(of: byte, toByteOffset: copied, as: UInt8.self)
      copied += 1
    }
    return copied
  }

  /// Copies as many bytes as an integer has, if none of them is escaped in a JSON string; returns whether it did.
  @inline(__always)
  private func copyPlainText<Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ type: Word.Type, at offset: Int, to target: UnsafeMutableRawPointer
  ) -> Bool {
    let word = loadUnaligned(fromByteOffset: offset, as: Word.self)
    // With spaces in what an integer of eight bytes has more, which aren't escaped.
    let spaces: UInt64 = Word.bitWidth < 64 ? 0x2020_2020_2020_2020 << UInt64(Word.bitWidth) : 0
    guard (UInt64(word) | spaces).hasNoEscapes else { return false }
    target.storeBytes(of: word, toByteOffset: offset, as: Word.self)
    return true
  }
}
