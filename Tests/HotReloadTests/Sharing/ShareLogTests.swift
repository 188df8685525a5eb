import Replication
import StateJSON
import TestSupport
import Testing

@testable import HotReload

/// What a log of versions has to say to other devices.
@Suite struct ShareLogTests {
  private let place: TemporaryFolder
  private let log: VersionLog
  private static let increment: JSONValue = ["increment", "/n", 1]

  init() throws {
    place = try TemporaryFolder()
    log = VersionLog(of: "/f", in: place.path("state"))
    try add(["n": 0], .edit)
  }

  /// The version that was added last.
  private final class Newest {
    var version: (hash: ContentHash, content: JSONDocument)?
  }

  private let newest = Newest()

  private func hash(_ value: JSONValue) -> ContentHash { ContentHash(value.bytes()) }

  @discardableResult
  private func add(
    _ value: JSONValue, _ cause: Version.Cause = .action, by instance: String = "me", did actions: [JSONValue]? = nil,
    of app: AppVersion? = nil, on ground: JSONValue? = nil, kept: KeptChanges? = nil, stands: Bool = true,
    to log: VersionLog? = nil
  ) throws -> Version {
    var recorded = actions.map { RecordedActions(app: app, actions: $0) }
    recorded?.ground = ground
    let version = Version(hash: hash(value), time: 7, cause: cause, instance: instance)
    let content = JSONDocument(compact: value)
    try (log ?? self.log).append([
      VersionLog.Addition(
        version: version, content: content, predecessor: newest.version.map { ($0.hash, .text($0.content)) }, lost: [],
        kept: kept, actions: recorded,
        stands: stands)
    ])
    newest.version = (version.hash, content)
    return version
  }

  /// What is told, one line for each commit.
  private func told(of path: String = "/f", since label: String? = nil) throws -> [String] {
    var reader = ShareLog(of: path, stateFolder: place.path("state"))
    let news = try reader.news(since: label)
    #expect(news.isWhole)
    return news.commits.map(Self.line)
  }

  private static func line(_ commit: LocalCommit) -> String {
    let before = commit.before.map { "\($0)" } ?? "none"
    return "\(before) -> \(commit.after.map { "\($0)" } ?? "none")" + (commit.actions.map { " by \($0.count)" } ?? "")
      + (commit.seed.map { " as \($0)" } ?? "")
  }

  @Test func `what follows each other is one commit, actions apart from the rest`() throws {
    try add(["n": 1], did: [Self.increment])
    try add(["n": 2], did: [Self.increment])
    try add(["n": 2, "e": 1], .edit)
    try add(["n": 3, "e": 1], did: [Self.increment])
    #expect(
      try told() == [
        #"none -> {"n":0} as contents"#, #"{"n":0} -> {"n":2} by 2"#, #"{"n":2} -> {"n":2,"e":1}"#,
        #"{"n":2,"e":1} -> {"n":3,"e":1} by 1"#,
      ])
  }

  @Test func `a file that is made together with what was done to it held its defaults before`() throws {
    let log = VersionLog(of: "/g", in: place.path("state"))
    newest.version = nil
    try add(["n": 2], did: [Self.increment, Self.increment], on: ["n": 0], to: log)
    try add(["n": 3], did: [Self.increment], to: log)
    #expect(try told(of: "/g") == [#"none -> {"n":0} as defaults"#, #"{"n":0} -> {"n":3} by 3"#])
    // And one that is made of them alone holds them.
    let bare = VersionLog(of: "/b", in: place.path("state"))
    newest.version = nil
    try add(["n": 0], did: [], to: bare)
    try add(["n": 1], did: [Self.increment], to: bare)
    #expect(try told(of: "/b") == [#"none -> {"n":0} as defaults"#, #"{"n":0} -> {"n":1} by 1"#])
    // A log that was lost begins with whatever stood there.
    let lost = VersionLog(of: "/l", in: place.path("state"))
    newest.version = nil
    try add(["n": 9], to: lost)
    #expect(try told(of: "/l") == [#"none -> {"n":9} as contents"#])
    // What a thinned log begins with had something else before it.
    let thinned = VersionLog(of: "/h", in: place.path("state"))
    newest.version = nil
    let version = try add(["n": 5], to: thinned)
    var recorded = RecordedActions(actions: [Self.increment])
    recorded.ground = ["n": 4]
    let name = Self.logName(of: "/h")
    try place.write(place.bytes(of: name) + recorded.line(of: version, before: hash(["n": 3])), to: name)
    #expect(try told(of: "/h") == [#"none -> {"n":4} as contents"#, #"{"n":4} -> {"n":5} by 1"#])
    // So has what one begins with that was begun anew.
    let anew = VersionLog(of: "/a", in: place.path("state"))
    newest.version = (hash(["n": 4]), JSONDocument(compact: ["n": 4]))
    try add(["n": 5], did: [Self.increment], to: anew)
    #expect(try told(of: "/a") == [#"none -> {"n":5} as contents"#])
  }

  @Test func `who goes on reading is told the same as who begins`() throws {
    var reader = ShareLog(of: "/f", stateFolder: place.path("state"))
    var label = try reader.news(since: nil).label
    for number in 1...20 {
      // The same two versions again and again, in one millisecond.
      try add(["n": .number(JSONNumber(number % 2))], did: [["set", "/n", .number(JSONNumber(number % 2))]])
      let news = try reader.news(since: label)
      #expect(news.commits.map(Self.line) == (try told(since: label)))
      #expect(news.commits.count == 1 && news.isWhole)
      label = news.commits.last?.label
    }
  }

  @Test func `a log that was emptied, and is as long again, is read from its beginning`() throws {
    var reader = ShareLog(of: "/f", stateFolder: place.path("state"))
    let label = try reader.news(since: nil).label
    _ = try reader.news(since: label)
    try Folder(path: place.path("state")).open("\(ContentHash(Array("/f".utf8))).versions", System.O_WRONLY).truncate(
      to: 0)
    // One by somebody else, who knows nothing of the one before.
    let log = VersionLog(of: "/f", in: place.path("state"))
    for number in 1...3 { try add(["n": .number(JSONNumber(number))], did: [Self.increment], to: log) }
    #expect(try reader.news(since: label).value == ["n": 3])
  }

  @Test func `a log that does not go back that far is not whole`() throws {
    var reader = ShareLog(of: "/f", stateFolder: place.path("state"))
    let news = try reader.news(since: "another")
    #expect((news.isWhole, news.value) == (false, ["n": 0]))
  }

  @Test func `what other devices did is not told`() throws {
    try add(["n": 1], did: [Self.increment])
    try add(["n": 9], by: "device.desk")
    try add(["n": 10], did: [Self.increment])
    #expect(
      try told().dropFirst() == [#"{"n":0} -> {"n":1} by 1"#, #"{"n":9} -> {"n":10} by 1"#])
  }

  @Test func `what is about to stand is told once it does`() throws {
    var reader = ShareLog(of: "/f", stateFolder: place.path("state"))
    let label = try reader.news(since: nil).label
    try add(["n": 1], did: [Self.increment], stands: false)
    #expect(try reader.news(since: label).commits.isEmpty)
    try add(["n": 2], did: [Self.increment])
    #expect(try reader.news(since: label).commits.map(Self.line) == [#"{"n":0} -> {"n":2} by 2"#])
  }

  @Test func `actions that went over what was taken back are told as actions`() throws {
    let version = try add(["n": 6], did: [["increment", "/n", 5]], stands: false)
    try log.abort([version])
    newest.version = nil
    try add(["n": 1], did: [Self.increment])
    #expect(try told().dropFirst() == [#"{"n":0} -> {"n":1} by 1"#])
  }

  @Test func `a save that displaced actions is told as an edit, and these once`() throws {
    let label = try label()
    try add(["n": 1], did: [Self.increment])
    try add(["n": 0, "e": 1], .merged)
    try add(["n": 1, "e": 1])
    #expect(try told(since: label) == [#"{"n":0} -> {"n":1} by 1"#, #"{"n":1} -> {"n":1,"e":1}"#])
  }

  @Test func `what was done besides is told as actions`() throws {
    let label = try label()
    try add(["n": 1], did: [Self.increment])
    try add(["n": 0, "e": 1], .merged)
    try add(["n": 3, "e": 1], did: [Self.increment, Self.increment], on: ["n": 1, "e": 1])
    #expect(
      try told(since: label) == [
        #"{"n":0} -> {"n":1} by 1"#, #"{"n":1} -> {"n":1,"e":1}"#, #"{"n":1,"e":1} -> {"n":3,"e":1} by 2"#,
      ])
  }

  @Test func `a save that displaced what others did is told`() throws {
    let label = try label()
    try add(["n": 9], by: "device.desk")
    try add(["n": 0, "e": 1], .merged)
    try add(["n": 9, "e": 1], by: "device.desk")
    #expect(try told(since: label) == [#"{"n":9} -> {"n":9,"e":1}"#])
  }

  @Test func `a late save that what others did went over is told, and that is not`() throws {
    let label = try label()
    try add(["n": 1], did: [Self.increment])
    try add(["n": 0, "e": 1], .merged)
    try add(["n": 700, "e": 1], .merge, did: [], on: ["n": 1, "e": 1])
    try add(["n": 701, "e": 1], did: [Self.increment])
    #expect(
      try told(since: label) == [
        #"{"n":0} -> {"n":1} by 1"#, #"{"n":1} -> {"n":1,"e":1}"#, #"{"n":700,"e":1} -> {"n":701,"e":1} by 1"#,
      ])
  }

  @Test func `a late save and the actions that were written with it are told apart`() throws {
    let label = try label()
    try add(["n": 1], did: [Self.increment])
    try add(["n": 0, "e": 1], .merged)
    let kept = KeptChanges(pointers: [JSONPointer(["n"])], authors: ["me"])
    try add(["n": 3, "e": 1], .merge, did: [Self.increment, Self.increment], on: ["n": 1, "e": 1], kept: kept)
    #expect(
      try told(since: label) == [
        #"{"n":0} -> {"n":1} by 1"#, #"{"n":1} -> {"n":1,"e":1}"#, #"{"n":1,"e":1} -> {"n":3,"e":1} by 2"#,
      ])
  }

  @Test func `a second save that displaces what a merge was written with is told as an edit`() throws {
    let label = try label()
    try add(["n": 0, "e": 1], .merged)
    try add(["n": 1, "e": 1], .merge, did: [Self.increment], on: ["n": 0, "e": 1])
    try add(["n": 0, "e": 1, "f": 2], .merged)
    try add(["n": 1, "e": 1, "f": 2], .merge)
    #expect(
      try told(since: label) == [
        #"{"n":0} -> {"n":0,"e":1}"#, #"{"n":0,"e":1} -> {"n":1,"e":1} by 1"#,
        #"{"n":1,"e":1} -> {"n":1,"e":1,"f":2}"#,
      ])
  }

  // MARK: Many versions of an app

  private static let app = AppVersion(version: 3, name: "player")

  /// All that is told of a commit.
  private static func whole(_ commit: LocalCommit) -> String {
    let actions = commit.actions.map { "\($0)" } ?? "values"
    return "\(commit.label) \(commit.app.map { "\($0)" } ?? "") \(line(commit)) \(actions) \(commit.size)"
  }

  /// Whoever reads one version after the other makes out what each comes to.
  @Test(arguments: 1...40) func `what is read at once is what is read one by one`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var value: JSONValue = ["n": 0]
    let label = try label()
    var reader = ShareLog(of: "/f", stateFolder: place.path("state"))
    _ = try reader.news(since: label)
    var (oneByOne, last): ([LocalCommit], String?) = ([], label)
    for number in 1...30 {
      let former = value
      value = ["n": .number(JSONNumber(number)), "e": .number(JSONNumber(random.below(3)))]
      let app = random.oneIn(4) ? nil : random.oneIn(6) ? AppVersion(version: 4, name: "player") : Self.app
      let actions = (0..<1 + random.below(3)).map { JSONValue.array(["add", .number(JSONNumber($0))]) }
      switch random.below(16) {
      case 0: try add(value, .edit)
      case 1: try add(value, by: "device.desk")
      case 2: try add(value, did: actions, of: app, on: former)
      case 3: try add(value, .merge, did: actions, of: app, on: former)
      default: try add(value, did: actions, of: app)
      }
      let news = try reader.news(since: last)
      #expect(news.value == value)
      oneByOne += news.commits
      last = news.commits.last?.label ?? last
    }
    let found = newest.version.map { FoundDocument(hash: $0.hash, size: 1, content: $0.content) }
    for found in [nil, found, FoundDocument(hash: hash(["n": 7]), size: 1, content: JSONDocument(compact: ["n": 7]))] {
      var reader = ShareLog(of: "/f", stateFolder: place.path("state"))
      let news = try reader.news(since: label, until: found)
      #expect(news.value == value)
      #expect(Self.joined(news.commits).map(Self.whole) == Self.joined(oneByOne).map(Self.whole))
    }
  }

  /// Those that go on from each other as one.
  private static func joined(_ commits: [LocalCommit]) -> [LocalCommit] {
    commits.reduce(into: []) { joined, commit in
      if let last = joined.indices.last, joined[last].after == commit.before, joined[last].hasRoom(for: commit) {
        joined[last].append(commit)
      } else {
        joined.append(commit)
      }
    }
  }

  @Test func `actions of an app that say something else besides are told by what they changed`() throws {
    let label = try label()
    try add(["n": 1], did: [["add", 1]], of: Self.app)
    let former = newest.version?.hash
    let version = try add(["n": 3])
    let body = #"{"actions":[["add",2]],"more":[true],"app":[3,"player"]}"#
    let record = LogRecord(kind: .read, version: version, before: former, body: Array(body.utf8))
    try place.write(place.bytes(of: Self.logName) + record.line(ofKind: "actions"), to: Self.logName)
    try add(["n": 4], did: [["add", 1]], of: Self.app)
    #expect(
      try told(since: label) == [#"{"n":0} -> {"n":1} by 1"#, #"{"n":1} -> {"n":4}"#])
  }

  @Test func `who goes on with a thinned log is told the same`() throws {
    let log = VersionLog(of: "/f", in: place.path("state"), sizeLimit: 4_000)
    var reader = ShareLog(of: "/f", stateFolder: place.path("state"))
    var label = try reader.news(since: nil).label
    var (told, sizes): (Int, [Int]) = (0, [])
    for number in 1...200 {
      let value: JSONValue = ["n": .number(JSONNumber(number)), "text": "not that short"]
      try add(value, did: [["add", 1]], of: Self.app, to: log)
      if number % 3 != 0 { continue }
      let news = try reader.news(since: label)
      let commit = try #require(news.commits.first)
      #expect((news.isWhole, news.commits.count, news.value) == (true, 1, value))
      #expect(commit.before?[JSONPointer(["n"])] == .number(JSONNumber(number - 3)))
      told += commit.actions?.count ?? 0
      label = commit.label
      sizes.append(try place.bytes(of: Self.logName).count)
    }
    #expect(told == 198)
    #expect(zip(sizes, sizes.dropFirst()).count { $1 < $0 } > 5)
  }

  private static let logName = logName(of: "/f")

  private static func logName(of path: String) -> String { "state/\(ContentHash(Array(path.utf8))).versions" }

  private func label() throws -> String? {
    var reader = ShareLog(of: "/f", stateFolder: place.path("state"))
    return try reader.news(since: nil).label
  }
}
