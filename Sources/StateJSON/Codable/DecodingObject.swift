/// An object whose members are read, with what was asked for last: the next question is about the member after it as a
/// rule.
final class DecodingObject {
  let text: DecodingText
  // Nothing else is accessed while one of them is, which needn't be checked at each of a million keys.
  @exclusivity(unchecked) private(set) var place: Int
  /// The entry of the key that was asked for last, and of the one after it.
  @exclusivity(unchecked) private var last: Int
  @exclusivity(unchecked) private var next: Int

  /// An object of more members gets an index once it is asked out of order.
  private static let scanLimit = 16

  init(text: DecodingText, place: Int) {
    self.text = text
    self.place = place
    (last, next) = (place + 2, place + 2)
  }

  /// Becomes another object of the text.
  @inline(__always)
  func become(_ place: Int) {
    self.place = place
    (last, next) = (place + 2, place + 2)
  }

  /// A member's value, or `nil` if there is no such member.
  @inline(__always)
  func member(_ key: some CodingKey) -> Int? { entry(of: key.stringValue).map { $0 + 1 } }

  /// The entry of a key.
  private func entry(of key: String) -> Int? {
    var name = key
    let found: Int? = name.withUTF8 { name in
      text.read { taped in
        let end = taped.next(after: place)
        var entry = next
        if entry >= end || !taped.isKey(entry, name) {
          // The same once more, after a look whether it is there.
          if last < end, taped.isKey(last, name) { return last }
          guard taped.count(of: place) <= Self.scanLimit else { return -1 }
          guard let other = taped.keys(of: place).first(where: { taped.isKey($0, name) }) else { return nil }
          entry = other
        }
        last = entry
        next = taped.next(after: entry + 1)
        return entry
      }
    }
    guard let found else { return nil }
    if found >= 0 { return found }
    guard let entry = text.index(of: place)[ScalarString(key)] else { return nil }
    (last, next) = (entry, text.read { $0.next(after: entry + 1) })
    return entry
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
