import StateJSON

/// The name of a line: the first 128 bits of the SHA-256 hash of the name of the line before it and of what it says.
///
/// So it names all that its writer had said before, too: two lines of one name are one line, and no line can name itself, or
/// one that names it. Written in Base 64 with the alphabet for URLs, without padding.
package struct LineID: Sendable, Hashable {
  /// How many bytes its text has.
  package static let length = 22

  private let bits: ContentHash

  /// The name of the line that has this body after another line, or first in its journal.
  package init(of body: some Collection<UInt8>, after previous: LineID?) {
    var message: [UInt8] = []
    message.reserveCapacity(Self.length + body.count)
    previous?.write(to: &message)
    message.append(contentsOf: body)
    let digest = SHA256Digest(hashing: message).bytes
    let words = (0..<2).map { half in digest[half * 8..<half * 8 + 8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) } }
    bits = ContentHash(high: words[0], low: words[1])
  }

  /// Reads a name; `nil` unless the text is one as it is written.
  package init?(_ text: ArraySlice<UInt8>) {
    guard let bits = ContentHash(base64: text) else { return nil }
    self.bits = bits
  }

  /// Reads a name; `nil` unless the text is one as it is written.
  package init?(_ text: String) {
    // Nothing is copied that is too long to be one.
    guard text.utf8.count == Self.length else { return nil }
    self.init(Array(text.utf8)[...])
  }

  /// Adds its text to others.
  package func write(to text: inout [UInt8]) { bits.writeBase64(to: &text) }

  private var text: [UInt8] {
    var text: [UInt8] = []
    write(to: &text)
    return text
  }
}

extension LineID: Comparable {
  /// The order of the texts, byte by byte.
  package static func < (left: Self, right: Self) -> Bool { left.text.lexicographicallyPrecedes(right.text) }
}

extension LineID: CustomStringConvertible {
  /// The text.
  package var description: String { String(decoding: text, as: UTF8.self) }
  /// The JSON form.
  var value: JSONValue { .string(description) }
}
