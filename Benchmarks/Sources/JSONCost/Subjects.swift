import Documents
import Foundation
import Measuring
import StateJSON

/// What is done to one document, each with what does the same.
///
/// All of it is of one thread, so the time of the processor is the time that it takes.
struct Subjects {
  struct Pair {
    let name: String
    let subject: Subject
    let baseline: Subject

    init(
      _ name: String, _ work: @escaping () throws -> Any, against other: String, _ baseline: @escaping () throws -> Any
    ) {
      self.name = name
      subject = Subject(name) { Self.run(work) }
      self.baseline = Subject(other) { Self.run(baseline) }
    }

    /// Keeps the optimiser from leaving out what nobody looks at; and what is made is freed within the measured time.
    private static func run(_ work: () throws -> Any) {
      do { withExtendedLifetime(try work()) {} } catch { fatalError("\(error)") }
    }
  }

  let text: [UInt8]
  let comparisons: [Pair]

  init(_ path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let text = Array(data)
    self.text = text
    let value = try JSONValue(parsing: text)
    let decoder = JSONValueDecoder()
    let typed = try decoder.decode(Catalogue.self, from: value)
    let object = try JSONSerialization.jsonObject(with: data)
    let changed = try Self.changed(value)
    let (theirs, patch) = (try Self.changed(value, from: 7, by: 13), JSONPatch(from: value, to: changed))
    let documents = (try JSONDocument(parsing: text), try JSONDocument(parsing: changed.bytes()))
    let sorted = JSONEncoder()
    sorted.outputFormatting = [.sortedKeys]

    // What stands in a benchmark and does nothing is soon broken without being noticed.
    let (decoded, patched) = (try JSONDecoder().decode(Catalogue.self, from: data), try value.applying(patch))
    precondition(decoded == typed, "the decoders disagree")
    precondition(patched == changed && patch.operations.count == Self.changes, "the patch is not what was changed")

    let parse = { try JSONValue(parsing: text) }
    comparisons = [
      Pair("parse", parse, against: "JSONSerialization") { try JSONSerialization.jsonObject(with: data) },
      Pair("write", { value.bytes() }, against: "JSONSerialization") {
        try JSONSerialization.data(withJSONObject: object)
      },
      Pair("document", { try JSONDocument(parsing: text) }, against: "JSONSerialization") {
        try JSONSerialization.jsonObject(with: data)
      },
      Pair(
        "decode", { try decoder.decode(Catalogue.self, from: JSONDocument(parsing: text)) }, against: "JSONDecoder"
      ) {
        try JSONDecoder().decode(Catalogue.self, from: data)
      },
      Pair("encode", { try JSONValueEncoder().dump(typed).document.bytes }, against: "JSONEncoder, sorted") {
        try sorted.encode(typed)
      },
      Pair("diff", { JSONPatch(from: value, to: changed) }, against: "parse", parse),
      Pair("diff of documents", { JSONPatch(from: documents.0, to: documents.1) }, against: "parse", parse),
      Pair("patch", { try value.applying(patch) }, against: "parse", parse),
      Pair("merge", { JSONMerge(base: value, left: changed, right: theirs, newer: .left) }, against: "parse", parse),
    ]
  }

  /// How many places of the document are changed.
  private static let changes = 6

  /// The same document, parsed anew so that nothing of it is shared, with a handful of changes.
  private static func changed(_ value: JSONValue, from first: Int = 0, by step: Int = 11) throws -> JSONValue {
    var changed = try JSONValue(parsing: value.bytes())
    guard case .array(let items)? = changed[JSONPointer(["items"])] else { fatalError("no items") }
    try changed.replace(at: JSONPointer(parsing: "/count"), with: 5)
    for change in 1..<changes {
      let row = (first + items.count / changes * change + step) % items.count
      let width = JSONPointer(["items", "\(row)", "size", "width"])
      try changed.replace(at: width, with: .number(JSONNumber(1_000 + first)))
    }
    return changed
  }
}
