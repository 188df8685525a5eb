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

  /// What there is, until the next change.
  @inline(__always)
  borrowing func withElements<Result>(_ body: (UnsafeBufferPointer<Element>) throws -> Result) rethrows -> Result {
    try body(UnsafeBufferPointer(start: base, count: count))
  }

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
    if capacity - count < elements.count { grow(by: elements.count) }
    (base + count).initialize(from: source, count: elements.count)
    count += elements.count
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
  ///
  /// Looking and copying go together, eight bytes at a time.
  @inline(__always)
  mutating func append(plainTextOf text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let length = text.count - start
    guard length > 0 else { return 0 }
    if capacity - count < length { grow(by: length) }
    let source = UnsafeRawPointer(text.baseAddress! + start)
    let target = UnsafeMutableRawPointer(base + count)
    var copied = 0
    while copied + 8 <= length {
      let word = source.loadUnaligned(fromByteOffset: copied, as: UInt64.self)
      guard word.hasNoEscapes else { break }
      target.storeBytes(of: word, toByteOffset: copied, as: UInt64.self)
      copied += 8
    }
    while copied < length {
      let byte = source.load(fromByteOffset: copied, as: UInt8.self)
      guard byte.isPlainText || byte >= 0x80 else { break }
      target.storeBytes(of: byte, toByteOffset: copied, as: UInt8.self)
      copied += 1
    }
    count += copied
    return copied
  }
}
