/// A key, as far as the app tells them apart.
enum Key: Sendable, Equatable {
  case character(Character)
  case enter, escape, backspace, up, down, left, right
}

/// Makes keys of what a terminal sends for them.
struct KeyParser {
  /// The beginning of a character, whose end isn't there yet.
  private var rest: [UInt8] = []

  /// The keys in the next bytes. What it doesn't know it leaves out.
  mutating func keys(in bytes: [UInt8]) -> [Key] {
    var bytes = (rest + bytes)[...]
    rest = []
    var keys: [Key] = []
    while let first = bytes.first {
      if first == 0x1b {
        if let key = Self.escape(&bytes) { keys.append(key) }
        continue
      }
      guard let scalar = Self.scalar(&bytes) else {
        rest = Array(bytes)
        break
      }
      if let key = Self.key(scalar) { keys.append(key) }
    }
    return keys
  }

  /// A terminal sends the whole sequence of a key at once, so an escape that nothing follows is the key of that name.
  private static func escape(_ bytes: inout ArraySlice<UInt8>) -> Key? {
    bytes = bytes.dropFirst()
    guard let introducer = bytes.first, [UInt8(ascii: "["), UInt8(ascii: "O")].contains(introducer) else {
      return .escape
    }
    bytes = bytes.dropFirst()
    // Parameters, and then the letter that says which key it is.
    guard let end = bytes.firstIndex(where: { $0 >= 0x40 }) else {
      bytes = []
      return nil
    }
    let isPlain = end == bytes.startIndex
    defer { bytes = bytes[(end + 1)...] }
    switch bytes[end] {
    case UInt8(ascii: "A") where isPlain: return .up
    case UInt8(ascii: "B") where isPlain: return .down
    case UInt8(ascii: "C") where isPlain: return .right
    case UInt8(ascii: "D") where isPlain: return .left
    default: return nil
    }
  }

  /// The first scalar, or nil if its end is missing. What isn't UTF-8 is read as U+FFFD.
  private static func scalar(_ bytes: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
    let length = bytes.first.map { $0 < 0x80 ? 1 : $0 < 0xe0 ? 2 : $0 < 0xf0 ? 3 : 4 } ?? 0
    if bytes.count < length { return nil }
    let text = String(decoding: bytes.prefix(length), as: UTF8.self)
    bytes = bytes.dropFirst(length)
    return text.unicodeScalars.first
  }

  private static func key(_ scalar: Unicode.Scalar) -> Key? {
    switch scalar.value {
    case 0x0d, 0x0a: .enter
    case 0x7f, 0x08: .backspace
    case 0xfffd, ..<0x20, 0x80..<0xa0: nil
    default: .character(Character(scalar))
    }
  }
}
