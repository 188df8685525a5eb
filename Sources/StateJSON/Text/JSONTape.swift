/// Where the values of a text stand: all that the parser keeps of it.
///
/// Entries follow the order of the text. A scalar has one, and so has a key, right before those of its value. An array
/// and an object have two, before those of what is in them. What kind of value it is, its first byte says.
struct JSONTape: Sendable {
  /// Eight bytes.
  struct Entry: Sendable, Equatable {
    /// Bytes before the value; in the second entry of a container, bytes before the end of it.
    var start: UInt32
    /// Of a scalar its ``Extent``; of a container the number of entries up to the next value, and in its second entry the
    /// number of its items.
    var detail: UInt32
  }

  /// How long a scalar is, and whether it takes a closer look.
  struct Extent {
    private static let special: UInt32 = 1 << 31

    /// What stands in ``Entry/detail``.
    let detail: UInt32

    init(length: Int, isSpecial: Bool) {
      detail = UInt32(truncatingIfNeeded: length) | (isSpecial ? Self.special : 0)
    }

    init(detail: UInt32) { self.detail = detail }

    /// Of a string the bytes between its quotation marks, of all others those of the literal.
    @inline(__always) var length: Int { Int(detail & ~Self.special) }
    /// A string with escapes, or a number with a fraction or an exponent.
    @inline(__always) var isSpecial: Bool { detail & Self.special != 0 }
  }

  /// Longer texts have no tape, since lengths take 31 bits.
  static let maximumSize = Int(Int32.max)

  /// In the order of the text; the first is that of the root.
  var entries: [Entry] = []

  /// Lends a text and this tape of it.
  @inline(__always)
  func with<Result>(_ bytes: [UInt8], _ body: (TapedText) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBufferPointer { text in try with(text, body) }
  }

  /// The same, of bytes that stand anywhere.
  @inline(__always)
  func with<Result>(_ text: UnsafeBufferPointer<UInt8>, _ body: (TapedText) throws -> Result) rethrows -> Result {
    try entries.withUnsafeBufferPointer { tape in try body(TapedText(text: text, tape: tape)) }
  }
}
