import StateJSON

/// The contents of a line that contains another writer's, because somebody misses that.
///
/// Whose line it is follows from the lines before it, down to a journal's head, and from nothing that the carrier says.
package struct CarriedLine: Sendable {
  /// The name that the line has.
  package let id: LineID
  /// Its writer, for people who read the journal.
  package let writer: Writer
  /// The line before it; `nil` for the first one of a journal.
  package let previous: LineID?
  /// Its body, as it is written.
  package let body: [UInt8]

  init(_ fields: LineFields) throws(JournalLineError) {
    id = try fields.lineID("of")
    let writer = try fields.string("writer")
    guard let writer = Writer(writer) else {
      throw LineFields.unexpected(.string(writer), "a device and its incarnation", at: ["writer"])
    }
    self.writer = writer
    previous = try fields.previous("after")
    body = Array(try fields.string("line").utf8)
  }

  /// The body of a line that carries another one.
  package static func body(carrying line: JournalLine, of writer: Writer) -> JSONValue {
    [
      "kind": "carried", "of": line.id.value, "writer": .string(writer.text),
      "after": line.previous?.value ?? "",
      "line": .string(String(decoding: line.body, as: UTF8.self)),
    ]
  }
}
