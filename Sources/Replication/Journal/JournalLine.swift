import StateJSON

/// A line of a journal, as its writer wrote it, wherever it stands.
///
/// An object, so that all who know a line share it; it never changes.
package final class JournalLine: Sendable {
  /// The meaning of a line, as far as this version knows its kind.
  package enum Contents: Sendable {
    /// Whose journal this is.
    case head(JournalHead)
    /// A change of the document.
    case entry(JournalEntry)
    /// What somebody saved in a file that lies in the shared folder.
    case save(JournalSave)
    /// Versions of such a file that instances wrote.
    case wrote(JournalWrites)
    /// A value that an app makes of all that was read.
    case settled(SettledValue)
    /// Another writer's line, as it was written.
    case carried(CarriedLine)
    /// Lines that somebody misses.
    case wants([LineID])
    /// What the device is called, by people.
    case name(String)
    /// The device takes part no longer.
    case left
    /// Anything else: it stands in the chain, and says what was read.
    case other
  }

  /// The name.
  package let id: LineID
  /// The line before it; `nil` for the first of a journal.
  package let previous: LineID?
  /// The body, as it is written.
  package let body: [UInt8]
  /// The kind that the body says.
  package let kind: String
  /// Lines of others that the writer had read, but not yet when it wrote the line before.
  package let read: [LineID]
  /// Its meaning.
  package let contents: Contents

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - body: What it says.
  ///   - previous: The line before it; `nil` for the first of a journal.
  ///   - id: The name that it must have; `nil` to give it the one it has.
  /// - Throws: Why it doesn't count.
  package init(body: [UInt8], after previous: LineID?, id: LineID? = nil) throws(JournalLineError) {
    guard body.count + LineID.length < JournalLimits.lineLength else { throw .tooLong }
    let name = LineID(of: body, after: previous)
    guard id == nil || id == name else { throw .hash }
    let fields = try LineFields(of: body)
    let (kind, needs) = (try fields.label("kind"), try fields.optionalInteger("needs"))
    guard needs ?? JournalHead.format <= JournalHead.format else { throw .needs(needs ?? 0) }
    guard (previous == nil) == (kind == "journal") else { throw previous == nil ? .noHead : .secondHead }
    (read, contents) = (try fields.lineIDs("read"), try Self.contents(kind, fields))
    (self.id, self.previous, self.body, self.kind) = (name, previous, body, kind)
  }

  /// Makes a line that says something.
  ///
  /// - Throws: Why nobody would read it.
  package convenience init(_ body: JSONValue, after previous: LineID?) throws(JournalLineError) {
    try self.init(body: body.bytes(format: .compact), after: previous)
  }

  /// Whether it has a part in what the document becomes.
  package var isDoing: Bool {
    switch contents {
    case .entry, .save, .settled: true
    case .head, .wrote, .carried, .wants, .name, .left, .other: false
    }
  }

  /// The entry that it is, if it is one.
  package var entry: JournalEntry? { if case .entry(let entry) = contents { entry } else { nil } }

  /// What it does to the document at its place in the order: an entry, or a save if that counts. What is settled has no place there,
  /// but stands for all that its writer had read.
  package var doing: JournalEntry? {
    switch contents {
    case .entry(let entry): entry
    case .save(let save): save.entry
    default: nil
    }
  }

  /// The lines that a save was made from, which its writer need not have read; none for other lines.
  var base: [LineID] {
    guard case .save(let save) = contents else { return [] }
    return switch save.base {
    case .lines(let ids): ids
    case .save(let id): [id]
    }
  }

  /// Adds the line to a file's text, with its line feed.
  package func write(to file: inout [UInt8]) {
    id.write(to: &file)
    file.append(UInt8(ascii: " "))
    file += body
    file.append(UInt8(ascii: "\n"))
  }

  private static func contents(_ kind: String, _ fields: LineFields) throws(JournalLineError) -> Contents {
    switch kind {
    case "journal": .head(try JournalHead(fields))
    case "entry": .entry(try JournalEntry(fields))
    case "save": .save(try JournalSave(fields))
    case "wrote": .wrote(try JournalWrites(fields))
    case "settled": .settled(try SettledValue(fields))
    case "carried": .carried(try CarriedLine(fields))
    case "wants": .wants(try fields.lineIDs("lines"))
    case "name": .name(try fields.name("name"))
    case "left": .left
    default: .other
    }
  }
}
