import StateJSON

/// A text that is looked for in keys and values. Where it has no capital letters, it stands for capital letters, too.
struct TreeSearch {
  private let needle: [UInt8]
  private let isCaseless: Bool

  init(_ text: String) {
    isCaseless = text == text.lowercased()
    needle = Array(text.utf8)
  }

  /// Whether a key or a scalar has it.
  private func matches(_ entry: Int, _ text: TreeText) -> Bool {
    if text.firstByte(of: entry) != UInt8(ascii: "\"") { return has(text.bytes(text.range(of: entry))) }
    guard text.isEscaped(entry) else { return has(text.content(of: entry)) }
    var string = text.string(at: entry)
    return string.withUTF8 { has($0) }
  }

  private func has(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = needle.first else { return true }
    guard bytes.count >= needle.count else { return false }
    // Beyond ASCII a letter may be longer than its other form.
    if isCaseless, needle.contains(where: { $0 >= 0x80 }) {
      return String(decoding: bytes, as: UTF8.self).lowercased().contains(String(decoding: needle, as: UTF8.self))
    }
    let isLetter = isCaseless && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
    for start in 0...(bytes.count - needle.count) {
      guard bytes[start] == first || isLetter && bytes[start] | 0x20 == first else { continue }
      if isHere(bytes, start) { return true }
    }
    return false
  }

  private func isHere(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
    for (offset, byte) in needle.enumerated() {
      let other = bytes[start + offset]
      if other == byte { continue }
      let isLetter = isCaseless && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      if !isLetter || other | 0x20 != byte { return false }
    }
    return true
  }

  /// The entries in a range that have the text: those of keys, and those of scalars, ascending; the first alone, where that is
  /// enough.
  func entries(in range: Range<Int>, _ text: TreeText, isEnough: Bool = false) -> [Int] {
    var found: [Int] = []
    var entry = range.lowerBound
    while entry < range.upperBound {
      if text.isContainer(entry) {
        entry += 2
        continue
      }
      if matches(entry, text) {
        found.append(entry)
        if isEnough { break }
      }
      entry += 1
    }
    return found
  }
}

extension TreeText {
  /// The path of the value at an entry, or of the one whose key that is.
  func path(toEntry entry: Int) -> TreePath {
    var path = TreePath.root
    while true {
      let node = node(at: path)
      if entry <= node || !isContainer(node) || path.levels.last?.item == entry { return path }
      guard let level = item(of: node, around: entry) else { return path }
      path = path.appending(level)
    }
  }
}
