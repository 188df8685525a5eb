/// What a decoder reads: a text and its tape, kept for as long as any of its containers is.
///
/// A place is the entry of a value, or a negative number for a `null` that isn't there.
final class DecodingText {
  private let bytes: [UInt8]
  private let tape: JSONTape
  let options: JSONValueDecoder
  /// What is known of a text before this one.
  private let increment: DecodingIncrement?
  /// For every 64th object from this one on, the key that was asked for last: the next question is about the one after it
  /// as a rule.
  ///
  /// Nothing else is accessed while it is, which needn't be checked at each of a million keys.
  @exclusivity(unchecked)
  private var recent = InlineArray<64, Recent>(repeating: Recent(object: -1, key: 0))
  /// The keys of objects that weren't asked in order.
  private var indices: [Int: [ScalarString: Int]] = [:]
  /// Members that aren't there, and read as `null`.
  private var absent: [(object: Int, key: any CodingKey)] = []

  private struct Recent {
    var object: Int
    /// The entry of a key.
    var key: Int
  }

  /// An object of more members gets an index once it is asked out of order.
  private static let scanLimit = 16

  init(_ document: JSONDocument, options: JSONValueDecoder, increment: DecodingIncrement? = nil) {
    bytes = document.bytes
    tape = document.tape
    self.options = options
    self.increment = increment
  }

  @inline(__always)
  func read<Result>(_ body: (TapedText) throws -> Result) rethrows -> Result { try tape.with(bytes, body) }

  // MARK: - Values

  /// A value of a type.
  @inline(__always)
  func decode<T: Decodable>(_ type: T.Type, at place: Int) throws -> T {
    guard let increment, place >= 0, read({ $0.isContainer(place) }) else { return try make(type, at: place) }
    return try increment.value(type, in: read { $0.range(of: place) }) { try make(type, at: place) }
  }

  @inline(__always)
  private func make<T: Decodable>(_ type: T.Type, at place: Int) throws -> T {
    // Each is a value of the type.
    if let direct = try direct(type, at: place) { return direct as! T }
    return try T(from: DecodingNode(text: self, place: place))
  }

  @inline(__always)
  func isNull(_ place: Int) -> Bool { place < 0 || read { $0.firstByte(of: place) == UInt8(ascii: "n") } }

  func isObject(_ place: Int) -> Bool { place >= 0 && read { $0.firstByte(of: place) == UInt8(ascii: "{") } }
  func isArray(_ place: Int) -> Bool { place >= 0 && read { $0.firstByte(of: place) == UInt8(ascii: "[") } }

  func value(at place: Int) -> JSONValue { place < 0 ? .null : read { $0.value(at: place) } }

  /// A member's value, or `nil` if there is no such member.
  func member(_ key: some CodingKey, of object: Int) -> Int? { entry(of: key.stringValue, in: object).map { $0 + 1 } }

  /// A member's value, or the place of a `null` that stands for it.
  func memberOrNull(_ key: some CodingKey, of object: Int) -> Int {
    if let member = member(key, of: object) { return member }
    absent.append((object, key))
    return -absent.count
  }

  // MARK: - Keys

  /// The entry of a key.
  private func entry(of key: String, in object: Int) -> Int? {
    let slot = object & (recent.count - 1)
    let count = read { $0.count(of: object) }
    guard count > 0 else { return nil }
    var key = key
    let found: Int? = key.withUTF8 { key in
      read { taped in
        let first = taped.firstItem(of: object)
        let end = taped.next(after: object)
        var entry = first
        if recent[slot].object == object {
          // The same once more, after a look whether it is there or `null`; else the next one.
          entry = recent[slot].key
          if taped.isKey(entry, key) { return entry }
          entry = taped.next(after: entry + 1)
          if entry == end { entry = first }
        }
        if taped.isKey(entry, key) { return entry }
        guard count <= Self.scanLimit else { return -1 }
        let start = entry
        repeat {
          entry = taped.next(after: entry + 1)
          if entry == end { entry = first }
          if taped.isKey(entry, key) { return entry }
        } while entry != start
        return nil
      }
    }
    guard let found else { return nil }
    guard let entry = found >= 0 ? found : index(of: object)[ScalarString(key)] else { return nil }
    recent[slot] = Recent(object: object, key: entry)
    return entry
  }

  private func index(of object: Int) -> [ScalarString: Int] {
    if let index = indices[object] { return index }
    let index = read { taped in
      Dictionary(uniqueKeysWithValues: taped.keys(of: object).map { (ScalarString(taped.string(at: $0)), $0) })
    }
    indices[object] = index
    return index
  }
}

extension TapedText {
  /// Whether this is what a key says, unescaped.
  @inline(__always)
  fileprivate func isKey(_ entry: Int, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
    let extent = extent(of: entry)
    if extent.isSpecial { return string(at: entry).utf8.elementsEqual(key) }
    return extent.length == key.count && content(of: entry).hasSameBytes(as: key)
  }
}

// MARK: - Paths

extension DecodingText {
  /// The keys that lead to a place. Nothing is kept for this: it is looked for from the root.
  func codingPath(to place: Int) -> [any CodingKey] {
    if place < 0 {
      let (object, key) = absent[-place - 1]
      return codingPath(to: object) + [key]
    }
    return read { taped in
      var path: [any CodingKey] = []
      var container = 0
      while container != place {
        let isObject = taped.kind(of: container) == .object
        var index = 0
        var item = taped.firstItem(of: container)
        while true {
          let value = isObject ? item + 1 : item
          let next = taped.next(after: value)
          if place < next {
            path.append(isObject ? AnyCodingKey(taped.string(at: item)) : AnyCodingKey(index))
            container = value
            break
          }
          item = next
          index += 1
        }
      }
      return path
    }
  }
}
