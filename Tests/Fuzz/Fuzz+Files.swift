// What stands in files and in their names beside the shared one.

import StateJSON

@testable import HotReload

/// A version log: lines without their checks, which are put before them; and after a byte that is in no text, a save.
func fuzzHistory(_ input: [UInt8]) {
  let parts = input.parts(3)
  var text: [UInt8] = []
  for line in parts[0].split(separator: UInt8(ascii: "\n")) {
    let hash = "\(ContentHash(Array(line)))".prefix(16)
    text += Array("\(hash) ".utf8) + line + [UInt8(ascii: "\n")]
  }
  // Torn, or not: without a check.
  let records = LogRecords(text + parts[1])
  require(records.end <= text.count + parts[1].count, "the end is in the text")
  require(LogRecords(Array(records.text[..<records.end])).heads.count == records.heads.count, "the end is an end")
  let tail = LogTail(text + parts[1])
  // Of a record that is whole, and that no release of now could have written, only the other one finds out.
  require(tail.end >= records.end, "whoever only looks for the end finds it")
  for start in stride(from: 0, to: tail.end, by: 13) {
    let end = Array(records.text[start...])
    // From within the last whole line nothing is known of what comes before the damage.
    guard let last = LogTail(endOf: end), start + end.firstIndex(of: UInt8(ascii: "\n"))! < tail.end else {
      continue
    }
    require(start + last.end == tail.end, "the last lines end where all do")
    require(last.mark.map { start + $0 } == tail.mark, "they have the same mark")
    require(last.version(after: nil) == tail.version(after: nil), "they end with the same version")
  }
  if tail.end == records.end {
    let last = records.heads.last { !$0.kind.isRemark }
    require(tail.version(after: nil) == (last?.kind == .aborted ? nil : last?.version), "it is the same version")
    let version = records.heads.last { !$0.kind.isRemark && $0.kind != .lost }
    require(tail.mark == (version?.kind == .aborted ? nil : version?.mark), "it is the same mark")
  }
  guard let history = records.history else { return }
  for index in history.entries.indices { _ = history.value(at: index).bytes() }
  if let lines = LogThinning.lines(of: records, now: 1_700_000_000_000, limit: 500) {
    let thinned = LogRecords(lines)
    require(thinned.end == lines.count, "a thinned log is whole")
    require(thinned.history?.value == history.value, "a thinned log ends with the same value")
  }
  guard let save = try? JSONValue(parsing: parts[2]) else { return }
  let merge = SaveMerge(save, onto: history)
  require((try? JSONValue(parsing: merge.value.bytes())) == merge.value, "what a save comes to can be written")
}

/// A name beside the shared file, a stamp, and a file that was being written in place.
func fuzzNames(_ input: [UInt8]) {
  let parts = input.parts(3)
  let prefix = ".f.replicate-00000000-"
  let name = String(decoding: parts[0], as: UTF8.self)
  if let label = SharedFileName(prefix + name, prefix: prefix) {
    require(SharedFileName(label.text(prefix), prefix: prefix) == label, "a name is read as it was written")
  }
  require(SharedFileName.family(of: name).utf8.count <= 170, "a family leaves room in a name")
  if let stamp = Stamp(encoded: parts[1]) {
    require(Stamp(encoded: stamp.encoded) == stamp, "a stamp is read as it was written")
    let version = Version(hash: stamp.content, time: 1, cause: .action, instance: stamp.instance)
    let line = LogRecord(kind: .whole, version: version, before: nil, body: .null).line
    let records = LogRecords(line)
    require(records.end == line.count && records.heads.count == 1, "whatever a stamp says, a record is a line")
    require(records.heads[0].version == version, "whatever a stamp says, a record is read as it was written")
  }
  let stamp = Stamp(content: ContentHash(parts[1]), predecessor: nil, instance: "i")
  let record = RedoRecord(base: parts[0], new: parts[1], stamp: stamp)
  _ = record.progress(of: parts[2])
  for count in 0...min(record.padded.count, 40) {
    let torn = Array(record.padded.prefix(count)) + parts[0].dropFirst(count)
    require(record.progress(of: torn) != .overtaken, "a torn write is known again")
  }
}
