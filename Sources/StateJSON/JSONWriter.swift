/// Writes values as UTF-8 into one growing array.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private let format: JSONValue.Format
  /// A line break and the indentation of the line being written; empty for inline text.
  private var lineBreak: [UInt8]

  /// A writer whose lines after the first are indented by `indentation`.
  init(format: JSONValue.Format, indentation: some Sequence<UInt8> = []) {
    self.format = format
    lineBreak = format.newline + (format.newline.isEmpty ? [] : Array(indentation))
  }

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let number): bytes.append(contentsOf: number.literal.utf8)
    case .string(let string): write(string)
    case .array(let elements):
      write("[", elements, "]") { writer, element in writer.write(element) }
    case .object(let object):
      write("{", object.members, "}") { writer, member in
        writer.write(member.key)
        writer.bytes.append(contentsOf: writer.format.colon)
        writer.write(member.value)
      }
    }
  }

  private mutating func write<Item>(
    _ open: Unicode.Scalar, _ items: [Item], _ close: Unicode.Scalar, item: (inout JSONWriter, Item) -> Void
  ) {
    bytes.append(UInt8(ascii: open))
    if !items.isEmpty {
      if !format.newline.isEmpty { lineBreak.append(contentsOf: format.indentation) }
      for index in items.indices {
        if index > 0 { bytes.append(contentsOf: format.comma) }
        bytes.append(contentsOf: lineBreak)
        item(&self, items[index])
      }
      if !format.newline.isEmpty { lineBreak.removeLast(format.indentation.count) }
      bytes.append(contentsOf: lineBreak)
    }
    bytes.append(UInt8(ascii: close))
  }

  /// Writes a string with the least escaping: `"`, `\` and control characters.
  mutating func write(_ string: String) {
    bytes.append(UInt8(ascii: "\""))
    var string = string
    string.withUTF8 { text in
      var start = 0
      var position = 0
      while true {
        position = text.endOfPlainText(from: position)
        if position < text.count, text[position] >= 0x80 {
          position += 1
          continue
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<position]))
        guard position < text.count else { break }
        bytes.append(contentsOf: JSONEscape.escape(of: text[position]).utf8)
        position += 1
        start = position
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
