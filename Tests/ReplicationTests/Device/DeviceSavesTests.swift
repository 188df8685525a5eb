import Replication
import StateJSON
import Testing

/// Devices whose file lies in the folder itself, and what they say of what they find there.
@Suite struct DeviceSavesTests {
  private var a: Device
  private var b: Device
  private static let start: JSONValue = ["n": 1, "list": []]

  init() throws {
    (a, b) = (try Self.device("a"), try Self.device("b"))
    _ = try a.export([LocalCommit(label: "1", time: 10, before: nil, after: Self.start, seed: .defaults)])
    _ = try a.declare([Self.version(Self.start, 10)])
    b.take(a.journal)
    try Self.respond(&b)
    _ = try b.export([LocalCommit(label: "1", time: 10, before: Self.start, after: Self.start)])
  }

  private static func device(_ name: String) throws -> Device {
    Device(share: "test", writer: try #require(Writer(device: name, incarnation: "0")))
  }

  private static func version(_ value: JSONValue, _ time: Int) -> FileVersion {
    FileVersion(hash: "\(ContentHash(value.bytes()))", time: time)
  }

  private static func respond(
    _ device: inout Device, nearest: Device.OwnSearch = { _, _, _ in nil }
  ) throws {
    _ = try device.respond(app: nil, at: 0, nearest: nearest) { _ in true }
  }

  private static func found(
    _ value: JSONValue, _ time: Int, moment: Int = 0, isRepeated: Bool = false
  ) -> FoundSave {
    FoundSave(
      version(value, time), modified: time * 1_000_000 + moment, contents: value, isRepeatedOnPurpose: isRepeated)
  }

  /// A commit by actions, of which the file held what came.
  private static func commit(
    _ device: inout Device, _ label: String, at time: Int, from before: JSONValue, to after: JSONValue,
    _ action: JSONValue
  ) throws {
    _ = try device.export([LocalCommit(label: label, time: time, before: before, after: after, actions: [action])])
    _ = try device.declare([version(after, time)])
  }

  /// Both take what the other has said, until nothing is said any more.
  private mutating func meet() throws {
    for _ in 0..<4 {
      a.take(b.journal)
      b.take(a.journal)
      try Self.respond(&a)
      try Self.respond(&b)
    }
    #expect(a.document == b.document)
  }

  @Test mutating func `what was written before others were heard of was not because of them`() throws {
    let saved: JSONValue = ["n": 1, "list": [], "e": 1]
    _ = try a.tell(Self.found(saved, 20), upto: "2", at: 20)
    b.take(a.journal)
    try Self.respond(&b)
    try Self.commit(
      &b, "2", at: 30, from: saved, to: ["n": 2, "list": [], "e": 1], ["increment", "/n", 1])
    // It has written the same bytes again, which come to the other one before they are named.
    _ = try b.tell(Self.found(saved, 40, isRepeated: true), upto: "3", at: 40)
    #expect(b.document == saved)
    _ = try a.declareReading()
    a.take(b.journal)
    _ = try a.declare([Self.version(saved, 40)])
    try meet()
    #expect(a.document == ["n": 2, "list": [], "e": 1])
  }

  @Test mutating func `of saves within a moment the former was not made from the latter`() throws {
    let former: JSONValue = ["n": 1, "list": [], "e": 1, "f": 1, "g": 1, "h": 1]
    let latter: JSONValue = ["n": 1, "list": [], "e": 1, "f": 1, "g": 1, "h": 1, "i": 1]
    // A has met them the wrong way round: of the first one the engine had made a copy. To take one away is less than to bring four.
    _ = try a.tell(Self.found(latter, 20, moment: 200_000), upto: "2", at: 20)
    _ = try a.tell(Self.found(former, 20), upto: nil, at: 20)
    _ = try b.tell(Self.found(former, 20), upto: "2", at: 20)
    try meet()
    #expect(a.document == latter)
  }

  @Test mutating func `of saves within a moment the latter was made from the former`() throws {
    _ = try a.tell(Self.found(["n": 3, "list": []], 20, moment: 200_000), upto: "2", at: 20)
    _ = try b.tell(Self.found(["n": 2, "list": []], 20), upto: "2", at: 21)
    try meet()
    #expect(a.document == ["n": 3, "list": []])
  }

  @Test(arguments: [20, 3_000])
  mutating func `what was taken away again later is gone`(time: Int) throws {
    let whole: JSONValue = ["n": 1, "list": [], "e": 1, "f": 1, "g": 1]
    _ = try a.tell(Self.found(whole, 20), upto: "2", at: 20)
    try meet()
    // To bring one to what there was at first is less than to take two away.
    let rest: JSONValue = ["n": 1, "list": [], "e": 1]
    let save = FoundSave(
      Self.version(rest, time), modified: time * 1_000_000 + 900_000, contents: rest,
      nearest: Device.OwnVersion(value: whole, labels: ["2"]))
    _ = try a.tell(save, upto: "3", at: time)
    try meet()
    #expect(a.document == rest)
  }

  @Test mutating func `a clock that is far behind takes nothing away, nor brings it twice`() throws {
    _ = try a.tell(Self.found(["n": 5, "list": []], 3_000), upto: "2", at: 3_000)
    b.take(a.journal)
    try Self.respond(&b)
    _ = try b.tell(Self.found(["n": 6, "list": [], "e": 1], 20), upto: "2", at: 20)
    try meet()
    #expect(a.document == ["n": 6, "list": [], "e": 1])
  }

  @Test mutating func `a file of a time that can't be reckoned with is a save without one`() throws {
    let saved: JSONValue = ["n": 1, "list": [], "e": 1]
    _ = try a.tell(Self.found(["n": 2, "list": []], 20), upto: "2", at: 20)
    _ = try a.tell(
      FoundSave(Self.version(saved, 21), modified: .max, contents: saved), upto: "3", at: 21)
    #expect(saves(of: a).map(\.modified) == [20_000_000, nil])
  }

  private func saves(of device: Device) -> [JournalSave] {
    device.journal.compactMap { if case .save(let save) = $0.contents { save } else { nil } }
  }

  @Test mutating func `what somebody saved is a change of the version that it was made from`() throws {
    try Self.commit(&a, "2", at: 20, from: Self.start, to: ["n": 2, "list": []], ["increment", "/n", 1])
    // On b the file held what a had written first.
    _ = try b.tell(Self.found(["n": 1, "list": [], "e": 1], 30), upto: "2", at: 30)
    #expect(saves(of: b).map(\.cost) == [2])
    #expect(b.exported == "2")
    try meet()
    #expect(a.document == ["n": 2, "list": [], "e": 1])
  }

  @Test mutating func `the same bytes are repeated where they were saved later, not where they come late`() throws {
    _ = try b.tell(Self.found(["n": 1, "list": [], "e": 1], 30), upto: "2", at: 30)
    let bytes: JSONValue = ["n": 1, "list": [], "e": 1]
    #expect(b.meaning(of: Self.version(bytes, 30)) == .known)
    #expect(b.meaning(of: Self.version(bytes, 40)) == .repeated)
    #expect(b.meaning(of: Self.version(bytes, 20)) == .unknown)
  }

  @Test mutating func `what an instance wrote says nothing, also if that is known later`() throws {
    let echo: JSONValue = ["n": 2, "list": []]
    try Self.commit(&a, "2", at: 20, from: Self.start, to: echo, ["increment", "/n", 1])
    // The file came before the journal.
    _ = try b.tell(Self.found(echo, 20), upto: "2", at: 30)
    #expect(b.document == echo)
    try meet()
    #expect(a.document == echo)
    // It is known by now.
    #expect(try b.tell(Self.found(echo, 20), upto: "3", at: 40).isEmpty)
    #expect(b.meaning(of: Self.version(echo, 24)) == .known)
    #expect(b.meaning(of: Self.version(echo, 25)) == .repeated)
    #expect(b.meaning(of: FileVersion(hash: Self.version(echo, 31).hash, time: nil)) == .known)
    #expect(b.meaning(of: Self.version(["n": 3], 21)) == .unknown)
  }

  @Test mutating func `what somebody has brought back takes the place of what there is`() throws {
    try Self.commit(&a, "2", at: 20, from: Self.start, to: ["n": 2, "list": []], ["increment", "/n", 1])
    try meet()
    _ = try b.tell(Self.found(Self.start, 40, isRepeated: true), upto: "2", at: 40)
    try meet()
    #expect(a.document == Self.start)
  }

  @Test mutating func `who knows a version that is nearer says so, and it counts in the save's place`() throws {
    let written: JSONValue = ["n": 2, "list": [], "title": "a"]
    try Self.commit(&a, "2", at: 20, from: Self.start, to: written, ["set", "/title", "a"])
    // B has met with none of a's lines since, and takes all of it for what was saved.
    let save: JSONValue = ["n": 2, "list": [], "title": "a", "e": 1]
    _ = try b.tell(Self.found(save, 30), upto: "2", at: 30)
    // What was done after that is after it, whenever it is explained.
    _ = try b.export([
      LocalCommit(
        label: "3", time: 31, before: save, after: ["n": 2, "list": [], "title": "b", "e": 1],
        actions: [["set", "/title", "b"]])
    ])
    #expect(saves(of: b).map(\.cost) == [12])
    a.take(b.journal)
    try Self.respond(&a) { _, _, _ in Device.OwnVersion(value: written, labels: ["2"]) }
    #expect(saves(of: a).map(\.cost) == [2])
    try meet()
    #expect(a.document?[JSONPointer(["title"])] == "b")
    #expect(a.document?[JSONPointer(["e"])] == 1)
  }

  @Test mutating func `a version that has the save in it is none that it was made from`() throws {
    let save: JSONValue = ["n": 1, "list": [], "e": 1, "f": 1, "g": 1]
    _ = try b.tell(Self.found(save, 30), upto: "2", at: 30)
    // A finds what b made of it, and writes that again: of both, nobody can have made the save.
    _ = try a.tell(Self.found(save, 31), upto: "2", at: 31)
    _ = try a.declare([Self.version(save, 32)])
    try meet()
    #expect(a.document == save)
  }

  @Test mutating func `what was made from a save is no base of it, also where it had seemed to be a save`() throws {
    let saved: JSONValue = ["n": 1, "list": [], "p": 1, "q": 1, "r": 1, "s": 1]
    let later: JSONValue = ["n": 1, "list": [], "p": 1, "q": 1, "r": 1, "s": 1, "t": 1]
    _ = try a.tell(FoundSave(Self.version(saved, 20), contents: saved), upto: nil, at: 20)
    try Self.commit(&a, "2", at: 40, from: saved, to: later, ["set", "/t", 1])
    // B finds both before A's journal, the latter first: so the former seems to be what t was taken away from.
    _ = try b.tell(FoundSave(Self.version(later, 40), contents: later), upto: nil, at: 50)
    _ = try b.tell(FoundSave(Self.version(saved, 20), contents: saved), upto: nil, at: 60)
    #expect(b.document == saved)
    try meet()
    #expect(a.document == later)
  }

  @Test mutating func `who wrote what had been found has it, also where nobody has told yet what that was`() throws {
    let saved: JSONValue = ["n": 1, "list": [], "p": 1, "q": 1, "r": 1, "s": 1]
    let own: JSONValue = ["n": 1, "list": [], "k": 1]
    let written: JSONValue = ["n": 1, "list": [], "k": 1, "p": 1, "q": 1, "r": 1, "s": 1]
    _ = try a.export([LocalCommit(label: "2", time: 30, before: Self.start, after: own, actions: [["set", "/k", 1]])])
    let find = FoundSave(Self.version(saved, 20), contents: saved, nearest: .init(value: Self.start, labels: ["1"]))
    _ = try a.declare([Self.version(written, 30)], holding: written, finds: [find.version])
    // B finds it as well. To take k away from what A wrote would be less than to bring four.
    b.take(a.journal)
    try Self.respond(&b)
    _ = try b.tell(FoundSave(Self.version(saved, 20), contents: saved), upto: nil, at: 40)
    _ = try a.tell(find, upto: "3", at: 40)
    try meet()
    #expect(a.document == written)
  }

  @Test mutating func `of what was saved later is tried what that was made from`() throws {
    let base: JSONValue = ["n": 1, "list": [], "p": 1, "q": 1, "r": 1, "s": 1]
    let later: JSONValue = ["n": 1, "list": [], "p": 1, "q": 1, "r": 1, "s": 1, "f": 1]
    let former: JSONValue = ["n": 1, "list": [], "p": 1, "q": 1, "r": 1, "s": 1, "e": 1]
    // Nobody has named what stood there between.
    _ = try a.export([LocalCommit(label: "2", time: 15, before: Self.start, after: base)])
    let save = FoundSave(
      Self.version(later, 20), modified: 20_200_000, contents: later, nearest: .init(value: base, labels: ["2"]))
    _ = try a.tell(save, upto: "3", at: 20)
    b.take(a.journal)
    try Self.respond(&b)
    _ = try b.tell(Self.found(former, 20), upto: nil, at: 30)
    try meet()
    #expect(a.document == ["n": 1, "list": [], "p": 1, "q": 1, "r": 1, "s": 1, "f": 1, "e": 1])
  }

  @Test mutating func `what was saved much later was made from this one, if it is less of a change from it`() throws {
    let former: JSONValue = ["n": 1, "list": [], "e": 1, "f": 1, "g": 1, "h": 1]
    let latter: JSONValue = ["n": 1, "list": [], "e": 1, "f": 1, "g": 1, "h": 1, "i": 1]
    _ = try a.tell(Self.found(latter, 2_000), upto: "2", at: 2_000)
    b.take(a.journal)
    try Self.respond(&b)
    // The engine brings it long after.
    _ = try b.tell(Self.found(former, 20), upto: nil, at: 3_000)
    try meet()
    #expect(a.document == latter)
  }

  @Test mutating func `what an instance wrote between a find and the next look is known as it was`() throws {
    // B has found an increment by a, and has written that together with its own title.
    _ = try b.tell(Self.found(["n": 2, "list": []], 20), upto: "2", at: 20)
    let written: JSONValue = ["n": 1, "list": [], "title": "b"]
    _ = try b.declare([Self.version(written, 21)], holding: written)
    // What somebody made of that on a, where nobody else knows what it was.
    a.take(b.journal)
    _ = try a.tell(Self.found(["n": 1, "list": [], "title": "b", "e": 1], 30), upto: "2", at: 30)
    #expect(saves(of: a).map(\.cost) == [2])
    try meet()
    #expect(a.document == ["n": 2, "list": [], "e": 1])
  }

  @Test mutating func `a save that is there already by what is about to be none is told`() throws {
    // B has found a save, and written it together with an increment, of which it has said nothing yet.
    let (save, written): (JSONValue, JSONValue) = (["n": 1, "list": [], "e": 1], ["n": 2, "list": [], "e": 1])
    _ = try a.tell(Self.found(written, 21), upto: "2", at: 21)
    _ = try a.export([
      LocalCommit(label: "3", time: 22, before: written, after: save, actions: [["increment", "/n", -1]])
    ])
    b.take(a.journal)
    try Self.respond(&b)
    #expect(b.document == save)
    let found = FoundSave(Self.version(save, 20), contents: save, written: [Self.version(written, 21)])
    _ = try b.tell(found, upto: "2", at: 20)
    #expect(saves(of: b).last?.version == Self.version(save, 20))
  }

  @Test mutating func `of two who have seen something brought back the one counts who knew more`() throws {
    try Self.commit(&a, "2", at: 20, from: Self.start, to: ["n": 2, "list": []], ["increment", "/n", 1])
    try Self.commit(&a, "3", at: 21, from: ["n": 2, "list": []], to: ["n": 3, "list": []], ["increment", "/n", 1])
    _ = try a.tell(Self.found(Self.start, 40, isRepeated: true), upto: "4", at: 40)
    // B knows of no increment, and its clock is behind.
    try Self.commit(&b, "2", at: 4, from: Self.start, to: ["n": 1, "list": [], "e": 1], ["set", "/e", 1])
    _ = try b.tell(Self.found(Self.start, 40, isRepeated: true), upto: "3", at: 5)
    try meet()
    // What was done at the same time isn't brought back, but nothing that it took the place of is there.
    #expect(a.document?[JSONPointer(["n"])] == 1)
  }
}
