import Synchronization

/// Decodes one text after the other, each most likely the same as the one before in most places, and makes only those values
/// anew whose text has changed.
///
/// A part is an array or an object that is decoded as some type. One with the same text as before, at about the same place,
/// is the same value as before: so `init(from:)` has to make equal values of equal texts. Instances of classes are always
/// made anew, and so is what contains any: no two values share one.
///
/// It keeps the parts that were decoded last, and their text; after an error, none.
package final class IncrementalDecoder: Sendable {
  private let decoder: JSONValueDecoder
  /// Shorter texts are decoded in less time than it takes to look for them.
  private let minimumLength: Int
  private let last = Mutex(DecodedParts())

  package init(_ decoder: JSONValueDecoder = JSONValueDecoder(), minimumLength: Int = 48) {
    self.decoder = decoder
    self.minimumLength = minimumLength
  }

  /// As ``JSONValueDecoder/decode(_:from:)-(_,JSONDocument)``. Parts with more bytes of text than `size` are put together anew from
  /// the known ones in them: so the arrays and dictionaries in the value share no memory with those of an earlier one, but for small
  /// ones.
  ///
  /// - Complexity: O(*n*) in the text, as fast as memory is compared; beyond that, that of decoding the parts that have
  ///   changed, and O(*m* log *m*) in the number of those next to them, and around them.
  package func decode<T: Decodable>(
    _ type: T.Type, from document: JSONDocument, renewingAbove size: Int = .max
  ) throws -> T {
    // Taken, and not copied: most parts are moved from there to the new ones.
    var former = DecodedParts()
    last.withLock { swap(&former, &$0) }
    let increment = DecodingIncrement(
      from: consume former, to: document.bytes, lengths: minimumLength...max(minimumLength, size))
    let value = try DecodingText.decode(type, from: document, options: decoder, increment: increment)
    let parts = increment.result()
    last.withLock { $0 = parts }
    return value
  }
}

/// What has been made of the arrays and objects of a text.
///
/// Parts of a sendable state are sendable; others, which an `init(from:)` makes on the way, are handed to nobody else.
struct DecodedParts: @unchecked Sendable {
  struct Part {
    private(set) var type: ObjectIdentifier
    /// Where its text is.
    var start: UInt32
    var end: UInt32
    private(set) var value: Any

    var length: UInt32 { end - start }

    /// The type of a part whose value has been moved out of it. It still tells where it was, but nobody asks for this type.
    private enum Gone {}

    /// Moves the value into a part of another text, without copying what it refers to.
    mutating func move(by shift: Int, to parts: inout [Part]) {
      if type == ObjectIdentifier(Gone.self) { return }
      let start = UInt32(Int(start) + shift)
      parts.append(Part(type: type, start: start, end: start + length, value: ()))
      swap(&value, &parts[parts.count - 1].value)
      type = ObjectIdentifier(Gone.self)
    }
  }

  fileprivate(set) var bytes: [UInt8] = []
  /// In the order of their ends, so that inner ones come first.
  fileprivate(set) var parts: [Part] = []

  /// The first part that ends at or after a place, looked for from a part on that is most likely near.
  fileprivate func index(endingAt end: Int, near guess: Int) -> Int {
    var (low, high) = (0, parts.count)
    if guess == 0 || parts[guess - 1].end < end {
      low = guess
      var step = 1
      while low + step < high, parts[low + step].end < end {
        low += step
        step *= 2
      }
      high = min(high, low + step)
    } else {
      high = guess
    }
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].end < end { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// One decoding, for which the parts of another text are at hand.
final class DecodingIncrement {
  /// How many parts around the place where one should be are looked at.
  private static let reach = 8

  // Each is accessed for as long as a statement takes, and none of these calls into a type that is being decoded.
  @exclusivity(unchecked) private var old: DecodedParts
  /// How long the texts of parts are that are kept and looked for; longer ones are only kept.
  private let lengths: ClosedRange<Int>
  /// How many bytes both texts begin with, and where in the new one those begin that both end with.
  private let prefix: Int
  private let suffix: Int
  @exclusivity(unchecked) private var new: DecodedParts
  /// How many bytes further on in the new text the part was that was found last.
  @exclusivity(unchecked) private var shift = 0
  /// After that part.
  @exclusivity(unchecked) private var cursor = 0
  /// How many instances of classes have been made.
  @exclusivity(unchecked) private var instances = 0

  init(from old: consuming DecodedParts, to bytes: [UInt8], lengths: ClosedRange<Int>) {
    let divergence = old.bytes.withUnsafeBufferPointer { old in
      bytes.withUnsafeBufferPointer { ByteDivergence(old, $0) }
    }
    self.lengths = lengths
    new = DecodedParts(bytes: bytes)
    new.parts.reserveCapacity(old.parts.count)
    self.old = old
    prefix = divergence?.prefix ?? bytes.count
    suffix = bytes.count - (divergence?.suffix ?? 0)
  }

  /// The value of a type that stands in a range of the text: a known one, or the one that is made.
  @inline(__always)
  func value<T>(_ type: T.Type, in range: Range<Int>, make: () throws -> T) rethrows -> T {
    if range.count < lengths.lowerBound {
      let value = try make()
      if T.self is AnyObject.Type { instances += 1 }
      return value
    }
    let identifier = ObjectIdentifier(type)
    // Parts of one type are values of that type.
    if range.count <= lengths.upperBound, let index = known(identifier, in: range) {
      return reuse(index, at: range.lowerBound) as! T
    }
    let instancesBefore = instances
    let value = try make()
    if T.self is AnyObject.Type {
      instances += 1
    } else if instances == instancesBefore {
      new.parts.append(
        .init(type: identifier, start: UInt32(range.lowerBound), end: UInt32(range.upperBound), value: value))
    }
    return value
  }

  /// The part that stands in a range of the new text, and had the same text in the old one.
  private func known(_ type: ObjectIdentifier, in range: Range<Int>) -> Int? {
    if old.parts.isEmpty { return nil }
    if range.upperBound <= prefix {
      shift = 0
    } else if range.lowerBound >= suffix {
      shift = new.bytes.count - old.bytes.count
    }
    let expected = old.index(endingAt: range.upperBound - shift, near: cursor)
    for index in expected..<min(expected + Self.reach, old.parts.count) where isKnown(index, type, range) {
      return index
    }
    for index in max(expected - Self.reach, 0)..<expected where isKnown(index, type, range) { return index }
    return nil
  }

  @inline(__always)
  private func isKnown(_ index: Int, _ type: ObjectIdentifier, _ range: Range<Int>) -> Bool {
    guard old.parts[index].type == type, old.parts[index].length == range.count else { return false }
    let start = Int(old.parts[index].start)
    // Where both texts begin alike, or end alike, they have been compared.
    if range.upperBound <= prefix, start == range.lowerBound { return true }
    if range.lowerBound >= suffix, start - range.lowerBound == old.bytes.count - new.bytes.count { return true }
    return old.bytes.withUnsafeBufferPointer { old in
      new.bytes.withUnsafeBufferPointer { new in
        UnsafeBufferPointer(rebasing: old[start..<start + range.count])
          .hasSameBytes(as: UnsafeBufferPointer(rebasing: new[range]))
      }
    }
  }

  /// Takes a part over, with those that it consists of.
  private func reuse(_ index: Int, at place: Int) -> Any {
    let start = old.parts[index].start
    (cursor, shift) = (index + 1, place - Int(start))
    var first = index
    while first > 0, old.parts[first - 1].start >= start { first -= 1 }
    for part in first...index { old.parts[part].move(by: shift, to: &new.parts) }
    return new.parts[new.parts.count - 1].value
  }

  /// All parts of the new text.
  func result() -> DecodedParts {
    // Who asks for members in the order of the text gets them in this order.
    let isInOrder = new.parts.indices.dropFirst().allSatisfy { new.parts[$0 - 1].end <= new.parts[$0].end }
    if !isInOrder { new.parts.sort { $0.end < $1.end } }
    return new
  }
}
