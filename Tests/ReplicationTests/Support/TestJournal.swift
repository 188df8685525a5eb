import Replication
import StateJSON

/// A journal in the making.
struct TestJournal {
  let writer: Writer
  private(set) var lines: [JournalLine] = []

  /// A journal with its head.
  init(_ device: String, incarnation: String = "0") throws {
    guard let writer = Writer(device: device, incarnation: incarnation),
      let head = JournalHead(share: "test", writer: writer)
    else { throw NoName(text: device) }
    self.writer = writer
    try write(head.body)
  }

  /// Goes on after the last line of another one, as a copy of it does.
  init(after other: TestJournal) { self = other }

  @discardableResult
  mutating func write(_ body: JSONValue) throws -> JournalLine {
    let line = try JournalLine(body, after: lines.last?.id)
    lines.append(line)
    return line
  }

  /// A line that says only what was read.
  @discardableResult
  mutating func acknowledge(_ read: JournalLine?...) throws -> JournalLine {
    try write(["kind": "ack", "read": .array(read.compactMap { $0?.name })])
  }

  /// An entry; `members` are those beside its kind, time and what was read.
  @discardableResult
  mutating func entry(_ time: Int, _ members: String = "{}", read: JournalLine?...) throws -> JournalLine {
    var body = try JSONValue(parsing: members)
    body["kind"] = "entry"
    body["time"] = .number(JSONNumber(time))
    let names = read.compactMap { $0?.name }
    if !names.isEmpty { body["read"] = .array(names) }
    return try write(body)
  }

  @discardableResult
  mutating func settled(
    _ value: JSONValue, app: AppVersion = AppVersion(version: 0, name: "app"), read: JournalLine?...
  ) throws -> JournalLine {
    try write(["kind": "settled", "app": app.value, "value": value, "read": .array(read.compactMap { $0?.name })])
  }

  /// What somebody saved.
  @discardableResult
  mutating func save(
    _ hash: String, at time: Int, saved: Int? = 7, cost: Int, _ change: JSONValue, of base: JournalLine? = nil,
    read: JournalLine?...
  ) throws -> JournalLine {
    var body: JSONValue = [
      "kind": "save", "time": .number(JSONNumber(time)), "version": FileVersion(hash: hash, time: saved).value,
      "cost": .number(JSONNumber(cost)), "change": change, "read": .array(read.compactMap { $0?.name }),
    ]
    body[base == nil ? "on" : "of"] = base?.name ?? []
    return try write(body)
  }

  /// What an instance wrote.
  @discardableResult
  mutating func wrote(
    _ hash: String, written time: Int = 7, found: FileVersion..., read: JournalLine?...
  ) throws -> JournalLine {
    try write([
      "kind": "wrote", "versions": [FileVersion(hash: hash, time: time).value],
      "found": .array(found.map(\.value)), "read": .array(read.compactMap { $0?.name }),
    ])
  }

  /// The journal with more lines.
  func with<Result>(_ write: (inout TestJournal) throws -> Result) rethrows -> TestJournal {
    var journal = self
    _ = try write(&journal)
    return journal
  }

  /// The last line, which is not there any more.
  mutating func removeLast() -> JournalLine { lines.removeLast() }

  /// The bytes of the file.
  var file: [UInt8] {
    var file: [UInt8] = []
    for line in lines { line.write(to: &file) }
    return file
  }

  struct NoName: Error {
    let text: String
  }
}

extension JournalLine {
  /// The name as JSON.
  var name: JSONValue { .string("\(id)") }
}

extension JSONValue {
  subscript(key: String) -> JSONValue? {
    get { member(key) }
    set {
      guard case .object(var object) = self else { return }
      object[key] = newValue
      self = .object(object)
    }
  }
}

extension KnownLines {
  /// Has these lines.
  init(_ lines: some Sequence<JournalLine>) {
    self.init()
    for line in lines { add(line) }
  }
}
