import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import replicate

/// What a save from outside comes to, and who is told: with real processes, whoever runs while it is made.
@Suite(.ownThreads) struct SaveVerdictTests {
  /// Who has the file in sight when somebody saves.
  enum Company: CaseIterable {
    case nobody, watch, get
  }

  /// A file, what is done to it by the command before it is saved, and what it holds when something else has been set.
  struct Scenario: CustomTestStringConvertible {
    let testDescription: String
    let before: [String]
    let verbs: [[String]]
    let save: String
    let after: String
    /// The places that were kept from the save, if any.
    var kept: [String] = []
    /// Whether what was saved is an older version.
    var isRestore = false
  }

  static let scenarios = [
    // `git checkout` and `cp backup` of what no instance has ever seen can't be told from an old buffer.
    Scenario(
      testDescription: "a checkout of a version never seen",
      before: [
        #"{"search":{"query":""},"plays":0,"theme":"light","size":12}"#,
        #"{"search":{"query":""},"plays":0,"theme":"dark","size":12}"#,
      ],
      verbs: [["set", "f", "/search/query", #""snow""#], ["increment", "f", "/plays"]],
      save: #"{"search":{"query":""},"plays":0,"theme":"light","size":12}"#,
      after: #"{"search":{"query":"snow"},"plays":1,"theme":"light","size":12,"x":1}"#,
      kept: ["/plays", "/search/query"]),
    Scenario(
      testDescription: "an empty document", before: [#"{"n":0}"#],
      verbs: [["set", "f", "/big", #"{"a":1,"b":[1,2,3]}"#], ["increment", "f", "/n"]], save: "{}", after: #"{"x":1}"#),
    Scenario(
      testDescription: "an older version, its members in another order", before: [#"{"title":"Sheep","count":0}"#],
      verbs: [["increment", "f", "/count"], ["increment", "f", "/count"], ["increment", "f", "/count"]],
      save: #"{"count":0,"title":"Sheep"}"#, after: #"{"count":0,"title":"Sheep","x":1}"#, isRestore: true),
    Scenario(
      testDescription: "another document", before: [#"{"a":1,"b":"two","c":[3],"d":{"e":4}}"#],
      verbs: [["set", "f", "/a", "5"], ["set", "f", "/g", "6"]], save: #"{"name":"other","list":["p","q"]}"#,
      after: #"{"name":"other","list":["p","q"],"x":1}"#),
    Scenario(
      testDescription: "an old buffer", before: [#"{"n":0,"t":"a","u":1,"v":2}"#],
      verbs: [["increment", "f", "/n"], ["set", "f", "/u", "7"]], save: #"{"n":0,"t":"b","u":1,"v":2}"#,
      after: #"{"n":1,"t":"b","u":7,"v":2,"x":1}"#, kept: ["/n", "/u"]),
    Scenario(
      testDescription: "a fresh buffer", before: [#"{"n":0,"t":"a","u":1,"v":2}"#], verbs: [["increment", "f", "/n"]],
      save: #"{"n":1,"t":"b","u":1,"v":2}"#, after: #"{"n":1,"t":"b","u":1,"v":2,"x":1}"#),
  ]

  @Test(arguments: scenarios, Company.allCases)
  func `a save comes to the same whoever runs, and what is kept is said`(scenario: Scenario, company: Company) throws {
    let place = try Workplace("f", scenario.before[0])
    let environment = ["XDG_STATE_HOME": place.path("state")]
    if scenario.before.count > 1 { try place.save(scenario.before[1], to: "f") }
    for words in scenario.verbs { _ = try place.run(words, environment: environment) }
    let before = try place.text(of: "f")

    var messages: String
    switch company {
    case .nobody:
      try place.save(scenario.save, to: "f")
      messages = try place.run("set", "f", "/x", "1", environment: environment).messages
    case .get:
      try place.save(scenario.save, to: "f")
      // It judges nothing.
      #expect(try place.run("get", "-c", "f", environment: environment) == .printed(scenario.save + "\n"))
      messages = try place.run("set", "f", "/x", "1", environment: environment).messages
    case .watch:
      let watch = try place.start(["watch", "f"], environment: environment)
      #expect(try JSONValue(parsing: try watch.line()) == (try JSONValue(parsing: before)))
      try place.save(scenario.save, to: "f")
      // What it means to those who watch is known before anything else is set.
      _ = try watch.line()
      messages = try place.run("set", "f", "/x", "1", environment: environment).messages
      watch.signal(Signals.terminate)
      messages += String(decoding: try watch.end().messages, as: UTF8.self)
    }
    #expect(try JSONValue(parsing: place.text(of: "f")) == (try JSONValue(parsing: scenario.after)))

    let told = messages.split(separator: "\n")
    #expect(told.count == (scenario.kept.isEmpty && !scenario.isRestore ? 0 : 1), "\(messages)")
    for place in scenario.kept { #expect(told.first?.contains("'\(place)'") == true) }
    guard let told = told.first else { return }
    // What it says to do makes the file what was saved, or takes back what was brought back.
    let words = told.split(separator: " ").suffix(4).map(String.init)
    #expect(words.dropLast() == ["replicate", "restore", "f"])
    #expect(try place.run("restore", "f", words[3], environment: environment) == .silent)
    let wanted = scenario.isRestore ? before : scenario.save
    #expect(try JSONValue(parsing: place.text(of: "f")) == (try JSONValue(parsing: wanted)))
  }

  @Test func `quiet verbs say nothing of what they kept`() throws {
    let (place, environment) = try stale()
    #expect(try place.run("set", "-q", "f", "/x", "1", environment: environment) == .silent)
    #expect(try place.text(of: "f") == #"{"n":1,"t":"b","x":1}"#)
  }

  /// A file that was saved from an old buffer, and nobody has met with that.
  private func stale() throws -> (Workplace, [String: String]) {
    let place = try Workplace("f", #"{"n":0,"t":"a"}"#)
    let environment = ["XDG_STATE_HOME": place.path("state")]
    _ = try place.run("increment", "f", "/n", environment: environment)
    try place.save(#"{"n":0,"t":"b"}"#, to: "f")
    return (place, environment)
  }

  @Test(arguments: [
    ["watch", "-n1", "f"], ["wait", "f", "/t"], ["exec", "f", "--", "true"], ["record", "f", "out"],
  ])
  func `a verb that only looks, and so merges a save, says that too`(words: [String]) throws {
    let (place, environment) = try stale()
    let command = try place.start(words, environment: environment)
    #expect(
      try command.message().hasPrefix(
        "replicate: 'f' was saved from an older version; kept '/n', changed since then by instance "))
    #expect(try place.text(of: "f") == #"{"n":1,"t":"b"}"#)
    command.signal(Signals.terminate)
    #expect(try command.end().messages == [])
  }

  @Test func `attach tells who asks, also of what came before, and says it on standard error to who doesn't`() throws {
    let (place, environment) = try stale()
    func run(_ input: String) throws -> Binary.Run {
      try place.run("attach", "f", input: input, environment: environment)
    }
    let asking = try run(#"{"jsonrpc":"2.0","id":1,"method":"flush"}"# + "\n")
    #expect(asking.messages.hasPrefix("replicate: 'f' was saved from an older version; kept '/n'"))
    #expect(!asking.output.contains("notice"))

    let client = try place.start(["attach", "f"], keepsInputOpen: true, environment: environment)
    client.send(#"{"jsonrpc":"2.0","id":1,"method":"notices"}"# + "\n")
    #expect(try client.line() == #"{"jsonrpc":"2.0","result":{},"id":1}"#)
    try place.save(#"{"n":0,"t":"c"}"#, to: "f")
    let notice = try JSONValue(parsing: try client.line())
    #expect(notice[JSONPointer(["method"])] == "notice")
    #expect(notice[JSONPointer(["params", "code"])] == "kept")
    #expect(notice[JSONPointer(["params", "paths"])] == ["/n"])
    client.signal(Signals.terminate)
    #expect(try client.end().messages == [])
  }
}
