import Synchronization

/// Encodes one value after the other, each most likely made of the one before, and asks only those parts to encode
/// themselves that have changed.
///
/// A part is any value that is encoded into a container. One that consists of the same bits as before is written as before: so
/// `encode(to:)` has to write equal values equally. What is an instance of a class, or contains one that is encoded as
/// such, always encodes itself: its bits don't tell whether it has changed.
///
/// It keeps copies of the parts that were encoded last, and their text; after an error, none.
package final class IncrementalEncoder: Sendable {
  private let encoder: JSONValueEncoder
  /// Shorter texts are written in less time than it takes to look for them.
  private let minimumLength: Int
  private let last = Mutex(EncodedParts())

  package init(_ encoder: JSONValueEncoder = JSONValueEncoder(), minimumLength: Int = 48) {
    self.encoder = encoder
    self.minimumLength = minimumLength
  }

  /// As ``JSONValueEncoder/dump(_:)``.
  ///
  /// - Complexity: O(*n*) in the text, as fast as memory is copied, and in the number of values next to those that have
  ///   changed, and around them.
  package func dump(_ value: some Encodable) throws -> TypedDump {
    // Taken, and not copied: most parts are moved from there to the new ones.
    var former = EncodedParts()
    last.withLock { swap(&former, &$0) }
    let increment = EncodingIncrement(from: consume former, minimumLength: minimumLength)
    guard let (bytes, places) = try EncodingText.encode(value, options: encoder, increment: increment) else {
      return try encoder.dump(value)
    }
    let parts = increment.result(bytes)
    last.withLock { $0 = parts }
    return TypedDump(JSONDocument(written: bytes), unordered: places)
  }

  /// Forgets the copies of parts with more bytes of text than this, but not of the parts that they consist of: so whoever changes an
  /// array or a dictionary in the value that was encoded last copies none that is larger.
  package func forget(above size: Int) {
    last.withLock { last in
      for index in last.parts.indices where last.parts[index].length > size { last.parts[index].bits = nil }
    }
  }
}

/// The parts of a value that has been encoded, each before those that it consists of.
///
/// Parts of a sendable state are sendable; others, which an `encode(to:)` makes on the way, are handed to nobody.
struct EncodedParts: @unchecked Sendable {
  struct Part {
    let type: ObjectIdentifier
    /// In how many levels it was encoded.
    let depth: Int
    /// Where its text is.
    var start: Int
    var end: Int
    var length: Int { end - start }
    /// How many parts it is, itself included.
    var count = 1
    /// What has no order in it.
    var places = UnorderedPlaces()
    /// `nil` where they don't tell whether it is the same, or have been moved.
    var bits: ValueBits?

    /// Moves the bits into a part of another text, without copying what they refer to.
    mutating func move(by shift: Int, to parts: inout [Part]) {
      parts.append(
        Part(type: type, depth: depth, start: start + shift, end: end + shift, count: count, places: places))
      swap(&bits, &parts[parts.count - 1].bits)
    }
  }

  fileprivate(set) var bytes: [UInt8] = []
  fileprivate(set) var parts: [Part] = []
}

/// One encoding, for which the parts of another value are at hand.
final class EncodingIncrement {
  /// A value that is being encoded, and how things stood before it.
  struct Mark {
    fileprivate let slot: Int
    fileprivate let inside: Int
    fileprivate let instances: Int
    fileprivate let cursor: Int
    fileprivate let limit: Int
    fileprivate let missed: [Int]
    /// What it was, most likely.
    fileprivate let former: Int?
  }

  /// How many neighbours of the one that should be next are looked at.
  private static let reach = 8

  private let oldBytes: [UInt8]
  // Each is accessed for as long as a statement takes, and none of these calls into a type that is being encoded.
  @exclusivity(unchecked) private var old: [EncodedParts.Part]
  private let minimumLength: Int
  /// The part that is most likely the next, and where those end that the value around had.
  @exclusivity(unchecked) private var cursor = 0
  @exclusivity(unchecked) private var limit: Int
  /// The last ones that have become others, as it seemed: others may have been put before them.
  @exclusivity(unchecked) private var missed: [Int] = []
  /// Where the parts of the value begin that is being encoded.
  @exclusivity(unchecked) private var inside = 0
  /// How many instances of classes have been encoded.
  @exclusivity(unchecked) private var instances = 0
  @exclusivity(unchecked) private var new = EncodedParts()

  init(from old: consuming EncodedParts, minimumLength: Int) {
    oldBytes = old.bytes
    self.old = old.parts
    new.parts.reserveCapacity(old.parts.count)
    self.minimumLength = minimumLength
    limit = old.parts.count
  }

  /// How long the text of the other value was.
  var formerLength: Int { oldBytes.count }

  /// Takes over a part that is known, which is to begin at `start`; returns its text, and what has no order in it.
  @inline(__always)
  func known<T>(_ value: T, depth: Int, at start: Int) -> (text: ArraySlice<UInt8>, places: UnorderedPlaces)? {
    let type = ObjectIdentifier(T.self)
    // Most often there is none, and nothing needs to be copied.
    if former(of: type) == nil { return nil }
    let index = ValueBits.index(of: value) { former(of: type, with: $0, depth: depth) }
    return index.map { reuse($0, at: start) }
  }

  /// Takes a part over, with those that it consists of.
  private func reuse(_ index: Int, at start: Int) -> (ArraySlice<UInt8>, UnorderedPlaces) {
    let (text, count) = (old[index].start..<old[index].end, old[index].count)
    for part in index..<index + count { old[part].move(by: start - text.lowerBound, to: &new.parts) }
    cursor = index + count
    return (oldBytes[text], old[index].places)
  }

  /// A value is about to encode itself.
  func begin<T>(_ type: T.Type, depth: Int, at start: Int) -> Mark {
    let former = former(of: ObjectIdentifier(type))
    let mark = Mark(
      slot: new.parts.count, inside: inside, instances: instances, cursor: cursor, limit: limit, missed: missed,
      former: former)
    new.parts.append(EncodedParts.Part(type: ObjectIdentifier(type), depth: depth, start: start, end: start))
    inside = new.parts.count
    cursor = former.map { $0 + 1 } ?? limit
    limit = former.map { $0 + old[$0].count } ?? limit
    missed = []
    return mark
  }

  /// What has been encoded inside of the innermost value stands in other places now.
  func forgetInside() { new.parts.removeSubrange(inside...) }

  /// A value has encoded itself.
  func end<T>(_ mark: Mark, _ value: T, at end: Int, places: UnorderedPlaces) {
    if T.self is AnyObject.Type { instances += 1 }
    // Nor is any part of a short text longer.
    guard end - new.parts[mark.slot].start >= minimumLength else { return abandon(mark) }
    goBack(to: mark)
    if let former = mark.former {
      cursor = former + old[former].count
      missed.append(former)
      if missed.count > Self.reach { missed.removeFirst() }
    }
    new.parts[mark.slot].end = end
    new.parts[mark.slot].count = new.parts.count - mark.slot
    new.parts[mark.slot].places = places
    if instances == mark.instances { new.parts[mark.slot].bits = ValueBits(value) }
  }

  /// A value has failed to encode itself, or what it encoded isn't worth keeping.
  func abandon(_ mark: Mark) {
    goBack(to: mark)
    new.parts.removeSubrange(mark.slot...)
  }

  private func goBack(to mark: Mark) {
    (inside, cursor, limit, missed) = (mark.inside, mark.cursor, mark.limit, mark.missed)
  }

  /// The old part of a type that a value was, if it is one that could be: where it is expected, or after others that are gone,
  /// or where others were put before it.
  private func former(of type: ObjectIdentifier) -> Int? { former { old[$0].type == type } }

  /// The same of one that is the same to the bit, and was encoded as deep.
  private func former(of type: ObjectIdentifier, with bits: UnsafeRawBufferPointer, depth: Int) -> Int? {
    former { old[$0].type == type && old[$0].depth == depth && old[$0].bits?.isSame(bits) == true }
  }

  @inline(__always)
  private func former(where isIt: (Int) -> Bool) -> Int? {
    var index = cursor
    for _ in 0..<Self.reach where index < limit {
      if isIt(index) { return index }
      index += old[index].count
    }
    return missed.last(where: isIt)
  }

  /// All parts of the new text.
  func result(_ bytes: [UInt8]) -> EncodedParts {
    new.bytes = bytes
    return new
  }
}
