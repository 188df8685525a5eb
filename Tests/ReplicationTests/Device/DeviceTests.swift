import Replication
import ShareSimulation
import StateJSON
import Testing

@Suite struct DeviceTests {
  private static func device(_ name: String) throws -> Device {
    Device(share: "test", writer: try #require(Writer(device: name, incarnation: "0")))
  }

  private static func commit(
    _ label: Int, _ before: JSONValue?, _ after: JSONValue?, _ action: JSONValue? = nil, app: AppVersion? = nil
  ) -> LocalCommit {
    LocalCommit(
      label: "\(label)", time: 1_000 + label, before: before, after: after, actions: action.map { [$0] }, app: app)
  }

  private static let increment: JSONValue = ["increment", "/n", 1]

  /// What it says to what it has taken; whatever is asked for stands nowhere.
  private static func respond(
    _ device: inout Device, app: (any ActionReducer)? = nil, at now: Int = 0
  ) throws -> [JournalLine] {
    try device.respond(app: app, at: now) { _ in false }
  }

  @Test func `a burst of actions is one entry, and what an editor saved another one`() throws {
    var device = try Self.device("a")
    let lines = try device.export([
      Self.commit(1, nil, ["n": 1], Self.increment), Self.commit(2, ["n": 1], ["n": 2], Self.increment),
      Self.commit(3, ["n": 2], ["n": 2, "x": 1]), Self.commit(4, ["n": 2, "x": 1], ["n": 3, "x": 1], Self.increment),
    ])
    #expect(lines.map(\.kind) == ["journal", "entry", "entry", "entry"])
    #expect(lines.dropFirst().map { $0.entry?.upto } == ["2", "3", "4"])
    #expect(lines.dropFirst().map { $0.entry?.actions } == [[["increment", "/n", 2]], nil, [Self.increment]])
    #expect(device.exported == "4")
    #expect(device.document == ["n": 3, "x": 1])
  }

  @Test func `what is too long for one entry is several, each with its actions`() throws {
    var device = try Self.device("a")
    // Two of them fit into a line by what they are said to have, and more don't.
    let commits = (0..<5).map { number in
      LocalCommit(
        label: "\(number)", time: number, before: ["n": JSONValue(integerLiteral: number)],
        after: ["n": JSONValue(integerLiteral: number + 1)],
        actions: [Self.increment], size: 1 << 19)
    }
    let lines = try device.export(commits)
    #expect(
      lines.dropFirst().map { $0.entry?.actions } == [
        [["increment", "/n", 2]], [["increment", "/n", 2]], [Self.increment],
      ])
    #expect(device.exported == "4")
  }

  @Test func `two machines with one log write the same lines`() throws {
    var (one, other) = (try Self.device("a"), try Self.device("a"))
    let commits = [Self.commit(1, nil, ["n": 1], Self.increment)]
    #expect(try one.export(commits).map(\.id) == other.export(commits).map(\.id))
  }

  @Test func `an instance that begins again goes on where its journal ends`() throws {
    var device = try Self.device("a")
    _ = try device.export([Self.commit(1, nil, ["n": 1], Self.increment)])
    var next = try Self.device("a")
    for line in device.journal { next.restore(line) }
    #expect(next.exported == "1")
    #expect(next.document == ["n": 1])
    let lines = try next.export([Self.commit(2, ["n": 1], ["n": 2], Self.increment)])
    #expect(lines.map(\.kind) == ["entry"])
    #expect(lines.first?.previous == device.journal.last?.id)
  }

  @Test func `what others did is read, done, and acknowledged once`() throws {
    var (a, b) = (try Self.device("a"), try Self.device("b"))
    a.take(try b.export([Self.commit(1, nil, ["n": 1], Self.increment)]))
    _ = try a.introduce(as: "laptop")
    a.take(try b.export([Self.commit(2, ["n": 1], ["n": 1, "x": 1])]))
    let entry = try a.export([Self.commit(1, nil, ["n": 1], Self.increment)])
    #expect(entry.allSatisfy { $0.read.isEmpty }, "who did that had not seen it")
    #expect(try Self.respond(&a).map(\.kind) == ["ack"])
    #expect(try Self.respond(&a).isEmpty)
    #expect(a.document == ["n": 2, "x": 1])

    b.take(a.journal)
    #expect(try Self.respond(&b).map(\.kind) == ["ack"])
    #expect(b.document == ["n": 2, "x": 1])
    a.take(b.journal)
    #expect(try Self.respond(&a).isEmpty, "that something was read is no news")
  }

  @Test func `a burst of increments is one action`() throws {
    var a = try Self.device("a")
    let commits = (1...100).map {
      Self.commit(
        $0, $0 == 1 ? nil : ["n": .number(JSONNumber($0 - 1))], ["n": .number(JSONNumber($0))], Self.increment)
    }
    let lines = try a.export(commits)
    #expect(lines.count == 2, "a head and an entry")
    #expect(lines.last?.entry?.actions == [["increment", "/n", 100]])
    #expect(a.document == ["n": 100])
  }

  @Test func `a device that has said nothing does not begin to because others did`() throws {
    var (a, b) = (try Self.device("a"), try Self.device("b"))
    b.take(try a.export([Self.commit(1, nil, ["n": 1], Self.increment)]))
    #expect(try Self.respond(&b).isEmpty)
    #expect(b.document == ["n": 1])
  }

  @Test func `what actions come to is said once, and a device without the app has it`() throws {
    let app = SampleApp(0)
    var devices = try ["a", "b"].map { try Self.device($0) }
    _ = try devices[0].seed(SampleApp.initial, .defaults)
    devices[1].take(devices[0].journal)
    for turn in 1...3 {
      for index in 0...1 {
        let before = devices[index].document
        let action: JSONValue = ["cap", 100]
        let after = try app.reducing(before, by: [action])
        _ = try devices[index].export([Self.commit(turn, before, after, action, app: app.version)])
      }
    }
    devices[0].take(devices[1].journal)
    devices[1].take(devices[0].journal)
    #expect(devices[0].document?[member: "m"] == 3, "who can't reduce them merges them")

    #expect(try Self.respond(&devices[0], app: app).map(\.kind) == ["settled"])
    devices[1].take(devices[0].journal)
    #expect(try Self.respond(&devices[1], app: app).map(\.kind) == ["ack"])
    #expect(devices[1].document?[member: "m"] == 6)
    var plain = try Self.device("c")
    for device in devices { plain.take(device.journal) }
    #expect(plain.document?[member: "m"] == 6)
  }

  @Test func `a newer version of the app has the last word`() throws {
    let (older, newer) = (SampleApp(0), SampleApp(1))
    var (a, b) = (try Self.device("a"), try Self.device("b"))
    _ = try a.seed(SampleApp.initial, .defaults)
    for turn in 1...6 {
      let before = a.document
      let after = try older.reducing(before, by: [["cap", 9]])
      _ = try a.export([Self.commit(turn, before, after, ["cap", 9], app: older.version)])
    }
    b.take(a.journal)
    #expect(try Self.respond(&b, app: newer).map(\.kind) == ["journal", "settled"])
    #expect(b.document?[member: "m"] == 4)
    a.take(b.journal)
    #expect(try Self.respond(&a, app: older).map(\.kind) == ["ack"])
    #expect(a.document?[member: "m"] == 4)
  }

  @Test func `a reducer that is not pure falls quiet, and is named`() throws {
    var (a, b) = (try Self.device("a"), try Self.device("b"))
    let (first, second) = (ImpureApp(says: "here"), ImpureApp(says: "there"))
    _ = try a.export([Self.commit(1, nil, ["title": "once"], "roll", app: first.version)])
    b.take(a.journal)
    _ = try Self.respond(&a, app: first)
    _ = try Self.respond(&b, app: second)
    for _ in 0..<3 {
      a.take(b.journal)
      b.take(a.journal)
      _ = try (Self.respond(&a, app: first), Self.respond(&b, app: second))
    }
    let count = (a.journal.count, b.journal.count)
    a.take(b.journal)
    b.take(a.journal)
    #expect(try Self.respond(&a, app: first).isEmpty && Self.respond(&b, app: second).isEmpty)
    #expect((a.journal.count, b.journal.count) == count)
    #expect(a.document == b.document)
    #expect(
      (a.problems.map(\.description) + b.problems.map(\.description)).allSatisfy {
        $0.hasPrefix("the reducer of dice 3 is not pure: here and on ")
      })
    #expect(a.problems.count + b.problems.count == 1, "the one whose value does not count says so")
  }

  @Test func `a line that is missed for long is asked for, and carried with what its writer had read`() throws {
    var (a, b, c) = (try Self.device("a"), try Self.device("b"), try Self.device("c"))
    b.take(try a.export([Self.commit(1, nil, ["n": 1], Self.increment)]))
    let lines = try b.export([Self.commit(1, ["n": 1], ["n": 2], Self.increment)], isReading: true)
    c.take(lines)
    #expect(try Self.respond(&c, at: 5).isEmpty)
    #expect(try Self.respond(&c, at: 60_004).isEmpty)
    let wants = try Self.respond(&c, at: 60_005)
    #expect(wants.map(\.kind) == ["journal", "wants"])
    #expect(try Self.respond(&c, at: 999_999).isEmpty, "once is enough")
    #expect(c.document == nil)

    b.take(wants)
    #expect(try b.respond(app: nil, at: 0) { _ in true }.isEmpty, "what stands in a journal comes by itself")
    let carried = try Self.respond(&b)
    #expect(carried.map(\.kind) == ["carried", "carried"])
    var file: [UInt8] = []
    for line in b.journal { line.write(to: &file) }
    let journal = Journal(file, name: "b.0")
    #expect(journal.carried.map(\.id) == a.journal.map(\.id))
    c.take(journal.carried)
    #expect(c.document == ["n": 2])
  }

  /// A device that has asked for what another one had read, which a third one knows; in the order c, a, b.
  private static func asking() throws -> (Device, Device, Device) {
    var (a, b, c) = (try device("a"), try device("b"), try device("c"))
    b.take(try a.export([commit(1, nil, ["n": 1], increment)]))
    c.take(try b.export([commit(1, ["n": 1], ["n": 2], increment)], isReading: true))
    _ = try respond(&c)
    b.take(try respond(&c, at: 60_000))
    return (c, a, b)
  }

  @Test func `what is asked for is carried once, also while nobody can read that`() throws {
    let (c, a, asked) = try Self.asking()
    var b = asked
    #expect(try Self.respond(&b).map(\.kind) == ["carried", "carried"])
    #expect(try Self.respond(&b).isEmpty)
    var next = try Self.device("b")
    for line in b.journal { next.restore(line) }
    next.take(a.journal + c.journal)
    #expect(try Self.respond(&next).isEmpty)
    _ = try next.beginAgain(as: #require(Writer(device: "b", incarnation: "1")))
    #expect(try Self.respond(&next).map(\.kind) == ["carried", "carried"], "the old journal may be somebody else's")
  }

  @Test func `a request is forgotten once the one who asks has said that it has read the lines`() throws {
    var (c, a, b) = try Self.asking()
    let asked = c
    #expect(b.requests.count == 1)
    _ = try Self.respond(&b)
    #expect(b.requests.count == 1)
    c.take(a.journal)
    _ = try Self.respond(&c)
    b.take(c.journal)
    _ = try Self.respond(&b)
    #expect(b.requests.isEmpty)

    // A copy of it, which goes on from where it had asked.
    var (copy, other) = (asked, try Self.device("d"))
    other.take(a.journal + b.journal + c.journal)
    other.take(try copy.introduce(as: "copy"))
    _ = try Self.respond(&other)
    #expect(other.requests.count == 1, "who goes on from there misses them")
    copy.take(a.journal)
    other.take(try Self.respond(&copy))
    _ = try Self.respond(&other)
    #expect(other.requests.isEmpty)

    // Under another name it has asked for nothing yet.
    copy = asked
    _ = try copy.beginAgain(as: #require(Writer(device: "c", incarnation: "1")))
    #expect(try Self.respond(&copy, at: 200_000).map(\.kind) == ["wants"])
  }

  @Test func `actions that do not make one document of the other are told by what they changed`() throws {
    var device = try Self.device("a")
    let lines = try device.export([Self.commit(1, ["n": 1], ["n": 1, "x": 2], Self.increment)])
    #expect(lines.last?.entry?.actions == nil)
    #expect(lines.last?.entry?.change?.value == ["in": ["x": ["is": 2]]])
  }

  @Test func `devices are told apart by name, and by how far they have read`() throws {
    var (a, b) = (try Self.device("a"), try Self.device("b"))
    _ = try a.introduce(as: "laptop")
    #expect(try a.introduce(as: "laptop").isEmpty)
    _ = try b.introduce(as: "desk")
    _ = try a.export([Self.commit(1, nil, ["n": 1], Self.increment)])
    b.take(a.journal)
    _ = try Self.respond(&b)
    _ = try a.export([Self.commit(2, ["n": 1], ["n": 2], Self.increment)])
    a.take(b.journal)
    var other = try #require(a.standings.last)
    #expect(a.standings.map(\.device) == ["a", "b"])
    #expect(a.standings.map(\.name) == ["laptop", "desk"])
    #expect((other.unreadCount, other.lastTime, other.hasLeft) == (1, nil, false))
    #expect(b.unreadAuthors == [])

    b.take(a.journal)
    #expect(b.unreadAuthors == ["a"])
    _ = try Self.respond(&b)
    var c = try Self.device("c")
    let missed = try c.export([Self.commit(1, nil, ["n": 1], Self.increment)])
    b.take(missed)
    _ = try Self.respond(&b)
    _ = try b.leave()
    a.take(b.journal)
    other = try #require(a.standings.last)
    #expect((other.unreadCount, other.waitingCount, other.hasLeft) == (0, 2, false))
    a.take(missed)
    other = try #require(a.standings.dropFirst().first)
    #expect((other.unreadCount, other.waitingCount, other.hasLeft) == (0, 0, true))
  }

  @Test func `what made a document where none was is a seed`() throws {
    var device = try Self.device("a")
    let commit = LocalCommit(label: "1", time: 9, before: nil, after: ["n": 1], seed: .defaults)
    let lines = try device.export([commit, Self.commit(2, ["n": 1], ["n": 2])])
    #expect(lines.dropFirst().map { $0.entry?.seed } == [.defaults, nil])
    #expect(lines.dropFirst().map { $0.entry?.time } == [1, 1_002])
    #expect(device.exported == "2")
  }

  @Test func `a device that finds another's lines in its journal goes on under another name`() throws {
    var (one, other) = (try Self.device("a"), try Self.device("a"))
    _ = try one.export([Self.commit(1, nil, ["n": 1], Self.increment)])
    for line in one.journal { other.restore(line) }
    #expect(!other.isForeign(one.journal))
    #expect(!other.isForeign(Array(one.journal.dropLast())), "less than it has written is only less")
    _ = try one.export([Self.commit(2, ["n": 1], ["n": 2], Self.increment)])
    _ = try other.export([Self.commit(2, ["n": 1], ["n": 11], ["increment", "/n", 10])])
    #expect(other.isForeign(one.journal))

    let old = other.journal
    let lines = try other.beginAgain(as: #require(Writer(device: "a", incarnation: "1")))
    #expect(lines.map(\.kind) == ["journal", "ack"])
    #expect(lines.last?.read == old.suffix(1).map(\.id))
    one.take(old + lines)
    #expect(one.document == ["n": 12])
  }

  @Test func `what is said after a new beginning rests on the old one, also where only its head was kept`() throws {
    var device = try Self.device("a")
    _ = try device.export([Self.commit(1, nil, ["n": 1], Self.increment)])
    let old = device.journal
    let head = try device.beginAgain(as: #require(Writer(device: "a", incarnation: "1"))).prefix(1)
    var next = try Self.device("a")
    for line in old + head { next.restore(line) }
    let entry = try next.export([Self.commit(2, ["n": 1], ["n": 2], Self.increment)])
    #expect(entry.first?.read == old.suffix(1).map(\.id))
    var other = try Self.device("b")
    other.take(head + entry)
    #expect(other.document == nil)
  }

  @Test func `what a new device begins with never wins`() throws {
    var (a, b) = (try Self.device("a"), try Self.device("b"))
    _ = try a.seed(["title": "Untitled"], .defaults)
    _ = try a.export([Self.commit(1, ["title": "Untitled"], ["title": "Mine"])])
    _ = try b.seed(["title": "New", "volume": 5], .defaults)
    a.take(b.journal)
    #expect(a.document == ["title": "Mine"])
    var c = try Self.device("c")
    _ = try c.seed(["title": "Old", "notes": [1]], .contents)
    a.take(c.journal)
    #expect(a.document == ["title": "Mine", "notes": [1]])
  }
}

/// An app that makes of its actions whatever it likes.
private struct ImpureApp: ActionReducer {
  let version = AppVersion(version: 3, name: "dice")
  let says: String

  func reducing(_ document: JSONValue?, by actions: [JSONValue]) throws -> JSONValue? { ["title": .string(says)] }
}
