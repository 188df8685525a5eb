/// The habits of a text, as its first examples show them, for what has no example of its own close by.
struct JSONStyle {
  /// A line feed, with a carriage return before it where the text has it so.
  private(set) var newline: [UInt8] = [UInt8(ascii: "\n")]
  /// What one level of nesting adds to the indentation.
  private(set) var indentation: [UInt8] = Array("  ".utf8)
  /// What stands between two items on one line.
  private(set) var comma: [UInt8]
  /// What stands between a key and its value.
  private(set) var colon: [UInt8]

  /// - Complexity: O(*n*) at most; stops as soon as all is known.
  init(of text: UnsafeBufferPointer<UInt8>) {
    var observed = Observations()
    observed.read(text)
    if let newline = observed.newline { self.newline = newline }
    if let indentation = observed.indentation { self.indentation = indentation }
    let isTight = observed.colon.map { $0 == ":" } ?? observed.comma.map { $0 == "," } ?? false
    colon = Array((observed.colon ?? (isTight ? ":" : ": ")).utf8)
    comma = Array((observed.comma ?? (isTight ? "," : ", ")).utf8)
  }

  /// A format for values on one line.
  var inline: JSONValue.Format {
    JSONValue.Format(newline: [], indentation: [], comma: comma, colon: colon)
  }

  /// A format for values of a line for each item.
  var block: JSONValue.Format {
    JSONValue.Format(newline: newline, indentation: indentation, comma: [UInt8(ascii: ",")], colon: colon)
  }
}

extension JSONStyle {
  private struct Observations {
    var newline: [UInt8]?
    var indentation: [UInt8]?
    var comma: String?
    var colon: String?

    private var isComplete: Bool { newline != nil && indentation != nil && comma != nil && colon != nil }

    mutating func read(_ text: UnsafeBufferPointer<UInt8>) {
      var scanner = JSONScanner(text)
      while scanner.position < text.count, !isComplete {
        let (start, openingLine, byte) = (scanner.position, scanner.lineStart, scanner.byte)
        if byte == UInt8(ascii: "\"") { scanner.skipString() } else { scanner.skipByte() }
        scanner.skipSpace()

        let breaksLine = scanner.lineStart > start
        if breaksLine, newline == nil { newline = text.lineEnding(before: scanner.lineStart) }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          guard breaksLine, indentation == nil, !"]}".utf8.contains(scanner.byte) else { continue }
          let outer = text.indentation(ofLineAt: openingLine)
          let inner = text.indentation(ofLineAt: scanner.lineStart)
          if inner.count > outer.count, inner.starts(with: outer) { indentation = Array(inner.dropFirst(outer.count)) }
        case UInt8(ascii: ",") where !breaksLine && comma == nil:
          comma = String(decoding: text[start..<scanner.position], as: UTF8.self)
        case UInt8(ascii: ":") where !breaksLine && colon == nil:
          colon = String(decoding: text[start..<scanner.position], as: UTF8.self)
        default: continue
        }
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The spaces and tabs at the start of a line.
  func indentation(ofLineAt start: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
    self[start...].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  /// The line feed before a line, with the carriage return before that, if there is one.
  func lineEnding(before lineStart: Int) -> [UInt8] {
    lineStart >= 2 && self[lineStart - 2] == UInt8(ascii: "\r") ? Array("\r\n".utf8) : Array("\n".utf8)
  }
}
