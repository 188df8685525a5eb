/// A text that is written as a value encodes itself, from the first byte to the last.
///
/// Nearly all types encode that way. What doesn't, such as a key that comes twice or a nested container that is written to
/// after the next one has begun, and what can't be encoded at all, ends in ``OutOfOrderError``: an ``EncodingNode`` sorts it out
/// then, or finds the words for the error.
final class EncodingText {
  /// The value has to be encoded by an ``EncodingNode``.
  struct OutOfOrderError: Error {}

  /// An array or an object that hasn't ended, or a value that hasn't said yet what it is.
  struct Level {
    /// Tells this level from those that had its place before.
    let serial: Int
    /// Where its text begins.
    let start: Int
    var shape = EncodedShape.undecided
    /// How many items it has so far.
    var count = 0
    /// Where the text of the last key begins.
    var key = 0
    /// Where the digests of its keys begin.
    var firstDigest = 0
  }

  let options: JSONValueEncoder
  /// What is known of a value before this one.
  private let increment: EncodingIncrement?

  // Each is accessed for as long as a statement takes, and none of these calls into a type that is being encoded.
  @exclusivity(unchecked) private(set) var writer: JSONWriter
  @exclusivity(unchecked) private var levels = GrowingBuffer<Level>()
  /// Items of open levels in which there are unordered places, those of inner levels last.
  @exclusivity(unchecked) private var unordered: [(level: Int, position: Int, places: UnorderedPlaces)] = []
  @exclusivity(unchecked) private var digests = KeyDigests()
  @exclusivity(unchecked) private var serials = 0
  /// The serial of the innermost level.
  @exclusivity(unchecked) private var top = 0
  @exclusivity(unchecked) private var isInOrder = true
  @exclusivity(unchecked) private var forms = UnorderedForms()
  @exclusivity(unchecked) private var containers = ContainerCache<LevelPlace>()
  /// Those of the whole value, once that has ended.
  private(set) var places = UnorderedPlaces()

  private init(options: JSONValueEncoder, increment: EncodingIncrement?) {
    self.options = options
    self.increment = increment
    writer = JSONWriter(format: .compact, minimumCapacity: 256 + (increment?.formerLength ?? 0))
  }

  /// The text of a value; `nil` if the value isn't encoded in order, or not at all.
  ///
  /// - Throws: What an `encode(to:)` throws.
  static func encode<T: Encodable>(
    _ value: T, options: JSONValueEncoder, increment: EncodingIncrement? = nil
  ) throws -> (bytes: [UInt8], places: UnorderedPlaces)? {
    let text = EncodingText(options: options, increment: increment)
    defer { text.containers.close() }
    do {
      try text.encode(value)
    } catch is OutOfOrderError {
      return nil
    }
    return text.isInOrder ? (text.writer.bytes(), text.places) : nil
  }

  // MARK: - Levels

  /// Begins a value that says later what it is.
  private func begin() throws -> EncodingPlace {
    guard levels.count <= options.limits.depth else { throw notInOrder() }
    serials += 1
    top = serials
    levels.append(Level(serial: serials, start: writer.count))
    return EncodingPlace(text: self, index: levels.count - 1, serial: serials)
  }

  /// Makes a level the innermost one: what is inside of it has ended now.
  @inline(__always)
  func reach(_ place: EncodingPlace) throws {
    if top != place.serial { try closeLevels(above: place.index, place.serial) }
  }

  private func isOpen(_ index: Int, _ serial: Int) -> Bool {
    index >= 0 && index < levels.count && levels[index].serial == serial
  }

  private func closeLevels(above index: Int, _ serial: Int) throws {
    guard isOpen(index, serial) else { throw notInOrder() }
    while levels.count > index + 1 { try close(nil) }
  }

  /// Refuses an array that would be nested too deep here.
  func checkDepth() throws {
    guard levels.count < options.limits.depth else { throw notInOrder() }
  }

  /// Ends the innermost level.
  private func close(_ form: UnorderedPlaces.Form?) throws {
    let level = levels[levels.count - 1]
    levels.removeAll(from: levels.count - 1)
    top = levels.count == 0 ? 0 : levels[levels.count - 1].serial
    switch level.shape {
    case .single: break
    case .undecided:
      // What encodes nothing is an object without members, as with Foundation's `JSONEncoder`; but no value at the root.
      if levels.count == 0 { throw notInOrder() }
      writer.append("{}")
    case .array:
      try checkDepth()
      writer.append(UInt8(ascii: "]"))
    case .object:
      try checkDepth()
      writer.append(UInt8(ascii: "}"))
      digests.end(level.firstDigest)
    }
    if form != nil || unordered.last?.level == level.serial { settle(level, form) }
  }

  /// Sorts what has no order, and tells the level around it where it was.
  private func settle(_ level: Level, _ form: UnorderedPlaces.Form?) {
    var inside: [Int: UnorderedPlaces] = [:]
    while let item = unordered.last, item.level == level.serial {
      inside[item.position] = item.places
      unordered.removeLast()
    }
    var places = inside[0] ?? UnorderedPlaces()
    if level.shape == .array || level.shape == .object {
      let collection = EncodedCollection(bytes: writer.bytes(from: level.start), places: inside)
      let sorted = collection.sorted(form)
      writer.replace(from: level.start, with: sorted.bytes)
      if form != nil { increment?.forgetInside() }
      places = sorted.places
    }
    note(places)
  }

  /// Tells the innermost level what has no order in the value that has ended.
  private func note(_ places: UnorderedPlaces) {
    guard !places.isEmpty else { return }
    if levels.count == 0 {
      self.places = places
    } else {
      let around = levels[levels.count - 1]
      unordered.append((around.serial, around.shape == .single ? 0 : around.count - 1, places))
    }
  }

  func notInOrder() -> OutOfOrderError {
    isInOrder = false
    return OutOfOrderError()
  }

  // MARK: - Writing

  /// Settles what a value is; asked for again, a container is the same one.
  func become(_ shape: EncodedShape, _ place: EncodingPlace) throws {
    try reach(place)
    let old = levels[place.index].shape
    if old == .undecided {
      levels[place.index].shape = shape
      if shape == .array { writer.append(UInt8(ascii: "[")) }
      if shape == .object {
        writer.append(UInt8(ascii: "{"))
        levels[place.index].firstDigest = digests.begin()
      }
    } else if old != shape || shape == .single {
      throw notInOrder()
    }
  }

  /// How many elements an array has so far.
  func count(_ place: EncodingPlace) -> Int {
    isOpen(place.index, place.serial) ? levels[place.index].count : 0
  }

  /// Begins the next element of an array.
  @inline(__always)
  func element(_ place: EncodingPlace) throws {
    try reach(place)
    if levels[place.index].count > 0 { writer.append(UInt8(ascii: ",")) }
    levels[place.index].count += 1
  }

  /// Begins the next member of an object.
  @inline(__always)
  func member(_ key: some CodingKey, of object: LevelPlace) throws {
    try member(named: key.stringValue, of: object)
  }

  private func member(named name: String, of object: LevelPlace) throws {
    let (index, serial) = (object.index, object.serial)
    if top != serial { try closeLevels(above: index, serial) }
    try name.withContiguousUTF8 { name in
      guard digests.insert(KeyDigests.digest(name), since: levels[index].firstDigest) else { throw notInOrder() }
      levels[index].key = writer.write(key: name, isFirst: levels[index].count == 0)
      levels[index].count += 1
    }
  }

  /// Writes a value that says itself what it is, or one that a coder takes over.
  @inline(__always)
  func encode<T: Encodable>(_ value: T) throws {
    if try writeDirectly(value) { return }
    guard let increment else { return try encodeItself(value) }
    if let known = increment.known(value, depth: levels.count, at: writer.count) {
      writer.append(known.text)
      return note(known.places)
    }
    let mark = increment.begin(T.self, depth: levels.count, at: writer.count)
    let count = unordered.count
    do {
      try encodeItself(value)
    } catch {
      increment.abandon(mark)
      throw error
    }
    let places = unordered.count > count ? unordered[count].places : self.places
    increment.end(mark, value, at: writer.count, places: places)
  }

  @inline(__always)
  private func encodeItself<T: Encodable>(_ value: T) throws {
    let place = try begin()
    try value.encode(to: place)
    // What is still open in it ends, too.
    try reach(place)
    try close(forms.form(of: T.self))
  }

  /// A container of the members of an object.
  @inline(__always)
  func container<Key: CodingKey>(keyedBy type: Key.Type, at place: EncodingPlace) -> KeyedEncodingContainer<Key> {
    // What was kept for these keys is a container for them.
    if let kept = containers.unused(for: type, move: { $0.move(to: place) }) { return KeptContainer.copy(of: kept) }
    return newContainer(keyedBy: type, at: place)
  }

  /// Not inlined, as it has to look up the container's type.
  @inline(never)
  private func newContainer<Key: CodingKey>(
    keyedBy type: Key.Type, at place: EncodingPlace
  ) -> KeyedEncodingContainer<Key> {
    let level = LevelPlace(place)
    let container = KeyedEncodingContainer(KeyedPlaceContainer<Key>(text: self, level: level))
    containers.keep(container, for: type, level)
    return container
  }

  /// Begins a value that is written to until the one around it goes on.
  func part(_ shape: EncodedShape) throws -> EncodingPlace {
    let place = try begin()
    if shape != .undecided { try become(shape, place) }
    return place
  }

  @inline(__always) func write(byte: UInt8) { writer.append(byte) }
  @inline(__always) func null() { writer.append("null") }
  @inline(__always) func write(_ value: Bool) { writer.append(value ? "true" : "false") }
  @inline(__always) func write(_ value: String) { writer.write(value) }
  @inline(__always) func write(_ value: some FixedWidthInteger) { writer.write(value) }
  @inline(__always) func write(_ value: JSONValue) { writer.write(value) }

  func write(_ value: Double) throws {
    guard value.isFinite else { throw notInOrder() }
    writer.write(value)
  }

  func write(_ value: Float) throws {
    guard value.isFinite else { throw notInOrder() }
    writer.write(number: value.description)
  }

  // MARK: - Paths

  /// The keys that lead to a place, while its level is open.
  func codingPath(to place: EncodingPlace) -> [any CodingKey] {
    guard isOpen(place.index, place.serial) else { return [] }
    return levels.array()[..<place.index].compactMap { level -> (any CodingKey)? in
      switch level.shape {
      case .object:
        writer.bytes(from: level.key).withUnsafeBufferPointer { text in
          var scanner = JSONScanner(text, from: 0)
          scanner.skipString()
          return AnyCodingKey(JSONEscape.unescaped(UnsafeBufferPointer(rebasing: text[1..<scanner.position - 1])))
        }
      case .array: AnyCodingKey(level.count - 1)
      case .single, .undecided: nil
      }
    }
  }
}
