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

  /// A scanner at any value; its line begins there unless it is told where before.
  init(_ text: UnsafeBufferPointer<UInt8>, from position: Int, lineStart: Int? = nil) {
    self.text = text
    self.position = position
    self.lineStart = lineStart ?? position
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
}
