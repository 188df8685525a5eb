import StateJSON

/// The contents of the first line of a journal: whose it is, and of which share.
package struct JournalHead: Sendable, Equatable {
  /// The format that is written here.
  package static let format = 1

  /// The share: the same for all devices that share one state.
  package let share: String
  /// The author of all lines after this one, down to where another journal parts from it.
  package let writer: Writer

  /// `nil` unless the share has a name as ``Writer/isName(_:)`` has it.
  package init?(share: String, writer: Writer) {
    guard Writer.isName(share) else { return nil }
    (self.share, self.writer) = (share, writer)
  }

  init(_ fields: LineFields) throws(JournalLineError) {
    share = try fields.name("share")
    let (device, incarnation) = (try fields.name("device"), try fields.name("incarnation"))
    guard let writer = Writer(device: device, incarnation: incarnation) else {
      throw LineFields.unexpected(fields.object["device"], "a name", at: ["device"])
    }
    self.writer = writer
    _ = try fields.integer("format")
    _ = try fields.integer("needs")
  }

  /// The body of the line.
  package var body: JSONValue {
    let number = JSONValue.number(JSONNumber(Self.format))
    return [
      "kind": "journal", "format": number, "needs": number, "share": .string(share), "device": .string(writer.device),
      "incarnation": .string(writer.incarnation),
    ]
  }
}
