/// Writes values as UTF-8 into one growing buffer.
struct JSONWriter: ~Copyable {
  private var buffer: GrowingBuffer<UInt8>
  private let format: JSONValue.Format
  /// A line break and the indentation of the line being written; empty for inline text.
  private var lineBreak: [UInt8]

  /// A writer whose lines after the first are indented by `indentation`, with room for so many bytes.
  init(format: JSONValue.Format, indentation: some Sequence<UInt8> = [], minimumCapacity: Int = 256) {
    buffer = GrowingBuffer(minimumCapacity: minimumCapacity)
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
      write("[", elements.count, "]") { writer, index in writer.write(elements[index]) }
    case .object(let object):
      let (keys, values) = (object.keys, object.values)
      write("{", values.count, "}") { writer, index in
        writer.write(keys[index])
        writer.append(writer.format.colon)
        writer.write(values[index])
      }
    }
  }

  @inline(__always)
  private mutating func write(
    _ open: Unicode.Scalar, _ count: Int, _ close: Unicode.Scalar, item: (inout JSONWriter, Int) -> Void
  ) {
    append(UInt8(ascii: open))
    if count > 0 {
      if !format.newline.isEmpty { lineBreak.append(contentsOf: format.indentation) }
      for index in 0..<count {
        if index > 0 { append(format.comma) }
        append(lineBreak)
        item(&self, index)
      }
      if !format.newline.isEmpty { lineBreak.removeLast(format.indentation.count) }
      append(lineBreak)
    }
    append(UInt8(ascii: close))
  }

  // MARK: - Scalars

  /// Writes a string with the least escaping: `"`, `\` and control characters.
  mutating func write(_ string: String) {
    string.withContiguousUTF8 { if !buffer.append(quoted: $0) { write(escaping: $0) } }
  }

  /// Writes the key of a member, and what stands around it; returns where the key begins.
  @inline(__always)
  mutating func write(key: UnsafeBufferPointer<UInt8>, isFirst: Bool) -> Int {
    let start = isFirst ? count : count + 1
    if buffer.append(quoted: key, afterComma: !isFirst, beforeColon: true) { return start }
    if !isFirst { append(UInt8(ascii: ",")) }
    write(escaping: key)
    append(UInt8(ascii: ":"))
    return start
  }

  private mutating func write(escaping text: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    var position = 0
    while true {
      position += buffer.append(plainTextOf: text, from: position)
      guard position < text.count else { break }
      append(JSONEscape.escape(of: text[position]))
      position += 1
    }
    append(UInt8(ascii: "\""))
  }

  /// Writes an integer of any size.
  mutating func write<T: FixedWidthInteger>(_ integer: T) {
    guard let small = Int64(exactly: integer) else {
      append("\(integer)")
      return
    }
    if small < 0 { append(UInt8(ascii: "-")) }
    buffer.append(digitsOf: small.magnitude)
  }

  /// Writes a finite number with as few digits as it takes to read it again.
  mutating func write(_ number: Double) {
    guard let short = ShortNumber(number) else { return write(number: number.description) }
    if short.isNegative { append(UInt8(ascii: "-")) }
    buffer.append(digitsOf: short.digits, decimals: short.decimals)
  }

  /// Writes what Swift calls a finite floating-point number: whole ones without a fraction.
  mutating func write(number description: String) {
    append(description)
    if buffer.count > 2, buffer[buffer.count - 1] == UInt8(ascii: "0"), buffer[buffer.count - 2] == UInt8(ascii: ".") {
      buffer.removeAll(from: buffer.count - 2)
    }
  }

  // MARK: - Bytes

  /// What has been written from a position on.
  func bytes(from position: Int = 0) -> [UInt8] { buffer.array(from: position) }

  /// How many bytes have been written.
  @inline(__always) var count: Int { buffer.count }

  @inline(__always) mutating func append(_ byte: UInt8) { buffer.append(byte) }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    buffer.append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  private mutating func append(_ text: String) { text.withContiguousUTF8 { buffer.append($0) } }

  @inline(__always)
  mutating func append(_ text: ArraySlice<UInt8>) {
    text.withUnsafeBufferPointer { buffer.append($0) }
  }

  @inline(__always)
  private mutating func append(_ text: [UInt8]) {
    text.withUnsafeBufferPointer { buffer.append($0) }
  }

  /// Takes back what has been written from a position on, and writes something else.
  mutating func replace(from start: Int, with text: [UInt8]) {
    buffer.removeAll(from: start)
    append(text)
  }
}
