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
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .number(let number): append(number.literal)
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

  @inline(__always)
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

  // MARK: - Scalars

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
        append(JSONEscape.escape(of: text[position]))
        position += 1
        start = position
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes an integer of any size.
  mutating func write<T: FixedWidthInteger>(_ integer: T) {
    guard let small = Int64(exactly: integer) else {
      append("\(integer)")
      return
    }
    var magnitude = small.magnitude
    if small < 0 { append(UInt8(ascii: "-")) }
    if magnitude < 10 {
      append(UInt8(truncatingIfNeeded: magnitude) + UInt8(ascii: "0"))
      return
    }
    // 2^63 has 19 digits.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var first = digits.count
      while magnitude > 0 {
        first -= 1
        digits[first] = UInt8(truncatingIfNeeded: magnitude % 10) + UInt8(ascii: "0")
        magnitude /= 10
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(digits)[first...]))
    }
  }

  /// Writes what Swift calls a finite floating-point number: whole ones without a fraction.
  mutating func write(number description: String) {
    append(description)
    if bytes.count > 2, bytes.last == UInt8(ascii: "0"), bytes[bytes.count - 2] == UInt8(ascii: ".") {
      bytes.removeLast(2)
    }
  }

  // MARK: - Bytes

  /// How many bytes have been written.
  @inline(__always) var count: Int { bytes.count }

  @inline(__always) mutating func append(_ byte: UInt8) { bytes.append(byte) }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Takes back what has been written from a position on, and writes something else.
  mutating func replace(from start: Int, with text: [UInt8]) {
    bytes.replaceSubrange(start..., with: text)
  }
}
