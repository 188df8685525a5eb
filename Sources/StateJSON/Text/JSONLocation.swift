/// A place in a text, as an editor shows it.
public struct JSONLocation: Sendable, Hashable {
  /// Bytes before the place, from 0.
  public let offset: Int
  /// From 1; a line ends at a line feed.
  public let line: Int
  /// From 1, counted in Unicode scalars; a byte-order mark doesn't count.
  public let column: Int

  /// Makes a location of its parts.
  public init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// The place of the byte at `offset` of a text that is valid UTF-8 up to there.
  ///
  /// - Complexity: O(`offset`); only failures and look-ups ask for it, so that parsing needn't count lines.
  init(offset: Int, in text: UnsafeBufferPointer<UInt8>) {
    let line = 1 + text[..<offset].count { $0 == UInt8(ascii: "\n") }
    // Every scalar has exactly one byte that is no continuation byte (0b10xx_xxxx).
    let column = 1 + text[text.lineStart(of: offset)..<offset].count { $0 & 0xC0 != 0x80 }
    self.init(offset: offset, line: line, column: column)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// 3 where the text begins with the UTF-8 byte-order mark, otherwise 0.
  var byteOrderMarkLength: Int {
    count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF ? 3 : 0
  }
}
