import Replication
import StateJSON
import Testing

@Suite struct JournalTests {
  /// What the model in Tests/SharedFolderModel writes.
  private static let file = #"""
    bwTpnjOnAJRs0yfMji-NNA {"device":"a","format":1,"incarnation":"0","kind":"journal","needs":1,"share":"model"}
    MiLKZJ6niOxYcIVC6CmPQA {"change":{"is":{"m":0,"n":0,"rows":[],"tags":[],"title":"","tokens":{}}},"kind":"entry","seed":"defaults","time":1}
    DEdKACJDhfKK-bWBapKErQ {"actions":[["set","/tokens/a2",1]],"change":{"in":{"tokens":{"in":{"a2":{"is":1}}}}},"kind":"entry","time":105013,"upto":"1"}

    """#

  @Test func `what another program has written is read, and written again to the byte`() throws {
    let journal = Journal(Array(Self.file.utf8), name: "a.0")
    #expect(journal.damage == nil)
    #expect(journal.head?.share == "model")
    #expect(journal.head?.writer.text == "a.0")
    #expect(journal.lines.map(\.kind) == ["journal", "entry", "entry"])
    #expect(journal.lines.last?.entry?.time == 105_013)
    #expect(journal.lines.last?.entry?.upto == "1")
    #expect(journal.lines.last?.entry?.documentActions?.map(\.value) == [["set", "/tokens/a2", 1]])
    #expect(journal.lines[1].entry?.seed == .defaults)
    var file: [UInt8] = []
    for line in journal.lines { line.write(to: &file) }
    #expect(String(decoding: file, as: UTF8.self) == Self.file)
    #expect(journal.end.offset == file.count)
  }

  @Test func `a journal is read on from where it ended`() throws {
    let file = Array(Self.file.utf8)
    let whole = Journal(file, name: "a.0")
    for end in file.indices {
      let start = Journal(Array(file[..<end]), name: "a.0")
      let rest = Journal(Array(file[start.end.offset...]), from: start.end, name: "a.0")
      #expect((start.lines + rest.lines).map(\.id) == whole.lines.map(\.id))
      #expect((rest.end.offset, rest.end.lineCount, rest.last) == (file.count, 3, whole.last))
      #expect(start.lines.isEmpty || rest.head?.writer == whole.head?.writer)
    }
    let other = Journal(file, from: whole.end, name: "a.0")
    #expect(other.damage?.line == 4, "what does not go on from there is damage")
    #expect(other.lines.isEmpty)
  }

  @Test func `a line of each kind is read as it was written`() throws {
    var (a, b) = (try TestJournal("a"), try TestJournal("b"))
    let entry = try a.entry(7, #"{"upto":"3","app":[2,"notes"],"actions":[{"add":1}],"change":{"in":{"n":{"add":1}}}}"#)
    try b.acknowledge(entry)
    let settled = try b.settled(["n": 1], app: AppVersion(version: 2, name: "notes"))
    let wants = try b.write(["kind": "wants", "lines": [entry.name]])
    let carried = try b.write(CarriedLine.body(carrying: entry, of: a.writer))
    try b.write(["kind": "tomorrow", "x": [1]])

    let journal = Journal(b.file, name: "b.0")
    #expect(journal.damage == nil)
    #expect(journal.lines.map(\.id) == b.lines.map(\.id))
    #expect(journal.lines.map(\.kind) == ["journal", "ack", "settled", "wants", "carried", "tomorrow"])
    #expect(journal.lines[1].read == [entry.id])
    guard case .settled(let value) = settled.contents, case .wants(let ids) = wants.contents,
      case .carried(let text) = carried.contents
    else { throw TestJournal.NoName(text: "kind") }
    #expect((value.app, value.value) == (AppVersion(version: 2, name: "notes"), ["n": 1]))
    #expect(ids == [entry.id])
    #expect((text.id, text.writer, text.previous) == (entry.id, a.writer, a.lines[0].id))
    #expect(journal.carried.map(\.id) == [entry.id])
    #expect(journal.carried[0].entry?.app == AppVersion(version: 2, name: "notes"))
    #expect(journal.carried[0].entry?.actions == [["add": 1]])
    #expect(journal.carried[0].entry?.documentActions == nil)
  }

  @Test func `what stands before the place where a file ends counts, up to the last whole line`() throws {
    var journal = try TestJournal("a")
    try journal.entry(1)
    try journal.entry(2)
    let file = journal.file
    for end in file.indices {
      let read = Journal(Array(file[..<end]), name: "a.0")
      #expect(read.damage == nil)
      #expect(read.lines.count == file[..<end].count { $0 == UInt8(ascii: "\n") })
      #expect(read.end.offset == (file[..<end].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1)
    }
  }

  @Test(arguments: [
    ("a.0", true), ("Laptop-2_x.f00", true), ("a", false), ("a.b.c", false), (".0", false), ("a.", false), ("", false),
    ("a/b.0", false), ("ä.0", false), ("a\u{1b}.0", false), ("a b.0", false), ("a.\u{301}0", false),
    (String(repeating: "a", count: 64) + ".0", true), (String(repeating: "a", count: 65) + ".0", false),
  ])
  func `a writer has names that can stand in a file's name`(text: String, isWriter: Bool) {
    #expect(Writer(text)?.text == (isWriter ? text : nil))
  }

  @Test func `writers are in the order of their texts`() {
    let texts = ["a-b.0", "a.0", "a.1", "a.10", "a.2", "aa.0", "b.0"]
    #expect(texts.shuffled().compactMap { Writer($0) }.sorted().map(\.text) == texts)
  }

  @Test func `lines are in the order of their names' texts`() throws {
    let texts = ["-", "0", "9", "A", "Z", "_", "a", "z"].map { $0 + String(repeating: "A", count: 21) }
    #expect(texts.shuffled().compactMap { LineID($0) }.sorted().map { "\($0)" } == texts)
  }

  @Test(arguments: [
    "", "bwTpnjOnAJRs0yfMji-NN", "bwTpnjOnAJRs0yfMji-NNAA", "bwTpnjOnAJRs0yfMji+NNA", "bwTpnjOnAJRs0yfMji-NNB",
  ])
  func `a name has one text`(text: String) {
    #expect(LineID(text) == nil)
  }
}
