// Journals of other devices.

import Replication
import StateJSON

/// Up to three journals of bodies, without their names. A byte that is in no text, followed by a digit, stands for the name of
/// the line of that number.
func fuzzJournal(_ input: [UInt8]) {
  var ids: [LineID] = []
  var files: [[UInt8]] = []
  for (device, part) in input.split(separator: 0xFE, maxSplits: 2, omittingEmptySubsequences: false).enumerated() {
    var last: LineID?
    var file: [UInt8] = []
    let head = Array(
      #"{"kind":"journal","format":1,"needs":1,"share":"s","device":"d\#(device)","incarnation":"0"}"#.utf8)
    for body in [head] + part.split(separator: UInt8(ascii: "\n")).map({ named($0, ids) }) {
      let id = LineID(of: body, after: last)
      id.write(to: &file)
      file += [UInt8(ascii: " ")] + body + [UInt8(ascii: "\n")]
      ids.append(id)
      last = id
    }
    files.append(file)
  }

  let journals = files.map { Journal($0, name: "f") }
  for (journal, file) in zip(journals, files) {
    var written: [UInt8] = []
    for line in journal.lines { line.write(to: &written) }
    require(written == Array(file[..<journal.end.offset]), "what counts is written as it was read")
    require((journal.damage == nil) == (journal.end.offset == file.count), "what doesn't count is damage")
    for damage in [journal.damage].compactMap({ $0 }) + journal.carriedDamage {
      require(damage.description.utf8.count < 2_000, "a message is short")
    }
    require(Journal(Array(file[..<journal.end.offset]), name: "f").damage == nil, "the end is an end")
  }

  let lines = journals.flatMap { $0.lines + $0.carried }
  var (fold, other) = (Fold(), Fold())
  for line in lines { fold.add(line) }
  for line in lines.reversed() {
    other.add(line)
    _ = other.document()
  }
  require(Set(fold.lines.counted) == Set(other.lines.counted), "what counts depends on the lines alone")
  require(fold.order == other.order, "their order depends on the lines alone")
  let document = fold.document()
  require(document == other.document(), "what they come to depends on the lines alone")
  guard let document else { return }
  let limits = JSONLimits(depth: JSONLimits.maximumDepth, size: .max)
  require((try? JSONValue(parsing: document.bytes(), limits: limits)) == document, "a document can be written")
}

private func named(_ body: ArraySlice<UInt8>, _ ids: [LineID]) -> [UInt8] {
  var text: [UInt8] = []
  var rest = body
  while let byte = rest.popFirst() {
    if byte == 0xFF, let digit = rest.first, ids.indices.contains(Int(digit) - 0x30) {
      rest.removeFirst()
      ids[Int(digit) - 0x30].write(to: &text)
    } else {
      text.append(byte)
    }
  }
  return text
}
