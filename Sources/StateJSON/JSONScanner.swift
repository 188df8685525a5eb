/// Walks over the values of a text that is known to be valid, without building them.
struct JSONScanner {
  let text: UnsafeBufferPointer<UInt8>
  private(set) var position: Int
  /// Where the line of ``position`` begins.
  private(set) var lineStart: Int

  /// A scanner at the root value.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    self.init(text, from: text.byteOrderMarkLength)
    skipSpace()
  }

  /// A scanner at any value.
  init(_ text: UnsafeBufferPointer<UInt8>, from position: Int) {
    self.text = text
    self.position = position
    lineStart = position
  }

  var byte: UInt8 { text[position] }

  /// Moves over one byte, which is no line feed.
  mutating func skipByte() { position += 1 }

  mutating func skipSpace() {
    while position < text.count, text[position].isJSONSpace {
      position += 1
      if text[position - 1] == UInt8(ascii: "\n") { lineStart = position }
    }
  }

  /// Moves over the string that begins here.
  mutating func skipString() {
    position += 1
    while byte != UInt8(ascii: "\"") { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
    position += 1
  }

  /// Moves over the value that begins here; takes no stack.
  mutating func skipValue() {
    var depth = 0
    repeat {
      switch byte {
      case UInt8(ascii: "\""):
        skipString()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
      case UInt8(ascii: "\n"):
        lineStart = position + 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: ","), UInt8(ascii: ":"):
        break
      default:
        skipWord()
        continue
      }
      position += 1
    } while depth > 0
  }

  /// Moves over a number, `true`, `false` or `null`.
  private mutating func skipWord() {
    while position < text.count {
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): return
      case let byte where byte.isJSONSpace: return
      default: position += 1
      }
    }
  }

  /// Moves from a container to the item at an index: an element, or the key of a member.
  mutating func enter(item index: Int) {
    skipByte()
    skipSpace()
    for _ in 0..<index {
      // For a member this goes over the key, the colon and the value; for an element only over that.
      skipItem()
      skipSpace()
      skipByte()
      skipSpace()
    }
  }

  /// Moves over an element or a member.
  private mutating func skipItem() {
    let start = byte
    skipValue()
    if start == UInt8(ascii: "\"") { skipMemberValue() }
  }

  /// After a string: if it was a key, moves over the colon and the value.
  private mutating func skipMemberValue() {
    var ahead = self
    ahead.skipSpace()
    guard ahead.position < text.count, ahead.byte == UInt8(ascii: ":") else { return }
    ahead.skipByte()
    ahead.skipSpace()
    ahead.skipValue()
    self = ahead
  }

  /// Moves from a key to its value.
  mutating func skipKey() {
    skipString()
    skipSpace()
    skipByte()
    skipSpace()
  }
}
