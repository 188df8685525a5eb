import Replication
import StateJSON
import Testing

@Suite struct FoldTests {
  /// An app whose one action doubles `n`, from its second version on triples it, and which knows no other.
  struct Doubler: ActionReducer {
    var version = AppVersion(version: 1, name: "app")

    func reducing(_ document: JSONValue?, by actions: [JSONValue]) throws -> JSONValue? {
      try actions.reduce(document) { document, action in
        guard action == "more", case .number(let number)? = document?["n"] else {
          throw TestJournal.NoName(text: "more")
        }
        let times = version.version > 1 ? 3 : 2
        return ["n": .number(JSONNumber((number.exactly(Int.self) ?? 0) * times))]
      }
    }
  }

  /// Entries of one device, one after another, and what they come to.
  struct Example: CustomTestStringConvertible, Sendable {
    let rule: String
    let entries: [String]
    let document: String?
    /// The same where nothing is said.
    var reduced: String?
    var testDescription: String { rule }
  }

  static let examples = [
    Example(rule: "without entries there is nothing", entries: [], document: nil),
    Example(rule: "an entry that says nothing does nothing", entries: ["{}"], document: nil),
    Example(
      rule: "changes are done", entries: [#"{"change":{"is":{"a":1}}}"#, #"{"change":{"in":{"b":{"is":2}}}}"#],
      document: #"{"a":1,"b":2}"#),
    Example(
      rule: "defaults count where there is nothing", entries: [#"{"seed":"defaults","change":{"is":{"a":1}}}"#],
      document: #"{"a":1}"#),
    Example(
      rule: "defaults don't count where there is something",
      entries: [#"{"change":{"is":null}}"#, #"{"seed":"defaults","change":{"is":{"a":1}}}"#], document: "null"),
    Example(
      rule: "contents are added to what is there, which counts",
      entries: [#"{"change":{"is":{"a":1}}}"#, #"{"seed":"contents","change":{"is":{"a":2,"b":3}}}"#],
      document: #"{"a":1,"b":3}"#),
    Example(
      rule: "contents are the first that there is", entries: [#"{"seed":"contents","change":{"is":{"a":2}}}"#],
      document: #"{"a":2}"#),
    Example(
      rule: "verbs count as actions",
      entries: [
        #"{"change":{"is":{"n":5}}}"#,
        #"{"actions":[["increment","/n",1],["increment","/n",1]],"change":{"in":{"n":{"was":1,"is":3}}}}"#,
      ], document: #"{"n":7}"#),
    Example(
      rule: "where one verb is not known, what they changed counts",
      entries: [
        #"{"change":{"is":{"n":5}}}"#,
        #"{"actions":[["increment","/n",1],["double","/n",1]],"change":{"in":{"n":{"was":1,"is":4}}}}"#,
      ], document: #"{"n":4}"#),
    Example(
      rule: "what an app's actions changed counts without the app",
      entries: [
        #"{"change":{"is":{"n":5}}}"#,
        #"{"app":[1,"app"],"actions":["more"],"change":{"in":{"n":{"was":1,"is":2}}}}"#,
      ], document: #"{"n":2}"#, reduced: #"{"n":10}"#),
    Example(
      rule: "an app reduces what an earlier one said",
      entries: [
        #"{"change":{"is":{"n":5}}}"#,
        #"{"app":[0,"app"],"actions":["more","more"],"change":{"in":{"n":{"was":1,"is":4}}}}"#,
      ], document: #"{"n":4}"#, reduced: #"{"n":20}"#),
    Example(
      rule: "an app leaves what a later one said to it",
      entries: [
        #"{"change":{"is":{"n":5}}}"#,
        #"{"app":[1,"apq"],"actions":["more"],"change":{"in":{"n":{"was":1,"is":4}}}}"#,
      ], document: #"{"n":4}"#),
    Example(
      rule: "of actions that an app doesn't know, what they changed counts",
      entries: [
        #"{"change":{"is":{"n":5}}}"#,
        #"{"app":[0,"app"],"actions":["more","less"],"change":{"in":{"n":{"was":1,"is":4}}}}"#,
      ], document: #"{"n":4}"#),
    Example(
      rule: "what was removed is known when somebody edits it",
      entries: [
        #"{"change":{"is":{"a":{"x":1,"y":2}}}}"#, #"{"change":{"in":{"a":{"was":{"x":1,"y":2}}}}}"#,
        #"{"change":{"in":{"a":{"in":{"x":{"was":1,"is":5}}}}}}"#,
      ], document: #"{"a":{"x":5,"y":2}}"#),
    Example(
      rule: "what verbs removed is known as well",
      entries: [
        #"{"change":{"is":{"a":{"x":1,"y":2}}}}"#,
        #"{"actions":[["set","/a",0]],"change":{"in":{"a":{"was":{"x":1,"y":2},"is":0}}}}"#,
        #"{"change":{"in":{"a":{"in":{"x":{"was":1,"is":5}}}}}}"#,
      ], document: #"{"a":{"x":5,"y":2}}"#),
  ]

  @Test(arguments: examples)
  func `entries come to something, one after another`(_ example: Example) throws {
    var journal = try TestJournal("a")
    for (time, members) in example.entries.enumerated() { try journal.entry(time, members) }
    var fold = Fold(journal.lines)
    #expect(fold.document()?.description == example.document)
    #expect(fold.reduced(by: Doubler())?.description == example.reduced ?? example.document)
  }

  @Test func `another version of an app is asked anew`() throws {
    var journal = try TestJournal("a")
    try journal.entry(1, #"{"change":{"is":{"n":1}}}"#)
    try journal.entry(2, #"{"app":[1,"app"],"actions":["more"]}"#)
    var fold = Fold(journal.lines)
    #expect(fold.reduced(by: Doubler()) == ["n": 2])
    #expect(fold.reduced(by: Doubler(version: AppVersion(version: 2, name: "app"))) == ["n": 3])
    #expect(fold.reduced(by: Doubler()) == ["n": 2])
  }

  // MARK: Settled values

  @Test func `the document begins with a settled value, and does what its writer had not read`() throws {
    var (a, b) = (try TestJournal("a"), try TestJournal("b"))
    let first = try a.entry(1, #"{"change":{"is":{"n":1,"m":1}}}"#)
    let second = try a.entry(2, #"{"change":{"in":{"n":{"was":1,"is":2}}}}"#)
    try b.settled(["n": 7, "m": 1], read: first)
    var fold = Fold(a.lines + b.lines)
    #expect(fold.document() == ["n": 2, "m": 1])
    let both = try b.settled(["n": 8, "m": 8], read: second)
    fold.add(both)
    #expect(fold.bestSettled == both.id)
    #expect(fold.document() == ["n": 8, "m": 8])
    #expect(fold.reduced(by: Doubler()) == ["n": 2, "m": 1])
  }

  @Test func `the best value is that of most entries, then of the newest app, then the one with the last name`() throws
  {
    var a = try TestJournal("a")
    let entries = try (1...3).map { try a.entry($0, #"{"change":{"is":0}}"#) }
    let ranks: [(read: Int, app: AppVersion)] = [
      (1, AppVersion(version: 9, name: "z")), (2, AppVersion(version: 1, name: "a")),
      (2, AppVersion(version: 1, name: "b")), (2, AppVersion(version: 10, name: "a")),
      (2, AppVersion(version: 10, name: "a")),
    ]
    let journals = try ranks.enumerated().map { place, rank in
      var journal = try TestJournal("s\(place)")
      try journal.settled(.number(JSONNumber(place)), app: rank.app, read: entries[rank.read - 1])
      return journal
    }
    let lines = journals.map { $0.lines[1] }
    let expected = [lines[0], lines[1], lines[2], lines[3], lines[3].id < lines[4].id ? lines[4] : lines[3]]
    for count in 1...ranks.count {
      for settled in [Array(journals.prefix(count)), journals.prefix(count).reversed()] {
        #expect(Fold(a.lines + settled.flatMap(\.lines)).bestSettled == expected[count - 1].id)
      }
    }
  }

  @Test func `what was removed before a settled value is known after it`() throws {
    var (a, b) = (try TestJournal("a"), try TestJournal("b"))
    let first = try a.entry(1, #"{"change":{"is":{"a":{"x":1,"y":2}}}}"#)
    let removal = try a.entry(2, #"{"change":{"in":{"a":{"was":{"x":1,"y":2}}}}}"#)
    try b.entry(3, #"{"change":{"in":{"a":{"in":{"x":{"was":1,"is":5}}}}}}"#, read: first)
    var c = try TestJournal("c")
    try c.settled(["z": 0], read: removal)
    var fold = Fold(a.lines + c.lines + b.lines)
    #expect(fold.document() == ["z": 0, "a": ["x": 5, "y": 2]])
  }

  @Test func `another settled value begins with what its own writer knew to be removed`() throws {
    var a = try TestJournal("a")
    let first = try a.entry(1, #"{"change":{"is":{"a":{"x":1,"y":2}}}}"#)
    let b = try TestJournal("b").with { journal in
      try journal.entry(10, #"{"change":{"in":{"a":{"was":{"x":1,"y":2}}}}}"#, read: first)
    }
    let c = try TestJournal("c").with { try $0.settled([:], read: b.lines.last) }
    var fold = Fold(a.lines + b.lines + c.lines)
    #expect(fold.document() == [:])

    let d = try TestJournal("d").with { journal in
      try journal.entry(5, #"{"change":{"in":{"n":{"is":1}}}}"#, read: first)
      try journal.entry(6, #"{"change":{"in":{"n":{"was":1,"is":2}}}}"#)
      try journal.settled(["n": 2])
    }
    let e = try TestJournal("e").with { journal in
      try journal.entry(2, #"{"change":{"in":{"l":{"is":1}}}}"#, read: first)
      try journal.entry(3, #"{"change":{"in":{"m":{"is":1}}}}"#)
      try journal.entry(7, #"{"change":{"in":{"a":{"in":{"x":{"was":1,"is":5}}}}}}"#)
    }
    for line in e.lines + d.lines { fold.add(line) }
    // What the first one knew to be removed is not yet when somebody edits it, and so can't come back.
    #expect(fold.document() == ["n": 2, "l": 1, "m": 1])
  }

  @Test func `kinds that are not known are passed over, and what they had read is not`() throws {
    var (a, b) = (try TestJournal("a"), try TestJournal("b"))
    let first = try a.entry(9, #"{"change":{"is":1}}"#)
    try b.write(["kind": "checkpoint", "read": [first.name], "value": 5])
    try b.entry(1, #"{"change":{"was":1,"is":2}}"#)
    var fold = Fold(b.lines)
    #expect(fold.document() == nil)
    a.lines.forEach { fold.add($0) }
    #expect(fold.document() == 2)
  }
}

extension Fold {
  /// Has these lines.
  init(_ lines: some Sequence<JournalLine>) {
    self.init()
    for line in lines { add(line) }
  }
}
