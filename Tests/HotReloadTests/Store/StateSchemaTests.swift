import HotReload
import StateJSON
import StoreCore
import TestSupport
import Testing

private struct App: Codable, Sendable, Equatable {
  var schema = 2
  var title = ""
}

/// As a program does that called the title a name at first.
private let schema = StateSchema(2) { state, version in
  guard version < 2, case .object(var app) = state else { return state }
  app["title"] = app["name"]
  app["name"] = nil
  return .object(app)
}

@Suite(.timeLimit(.minutes(10)))
struct `A schema` {
  @Test(arguments: [
    (#"{"name":"a"}"#, #"{"title":"a","schema":2}"#),
    (#"{"schema":1,"name":"a"}"#, #"{"schema":2,"title":"a"}"#),
    (#"{"schema":2,"title":"a"}"#, #"{"schema":2,"title":"a"}"#),
  ])
  func `brings what is older up to date`(old: String, new: String) throws {
    #expect(try schema.migration(versionAt: ["schema"])(JSONValue(parsing: old)) == JSONValue(parsing: new))
  }

  @Test(arguments: [
    (#"{"schema":3}"#, "it has version 3 of the state, and this program knows up to 2; update the program"),
    (#"{"schema":"x"}"#, "expected a whole number, the version of the state, at '/schema'"),
    (#"{"schema":1.5}"#, "expected a whole number, the version of the state, at '/schema'"),
    (#"{"schema":-1}"#, "expected a whole number, the version of the state, at '/schema'"),
    (#"{"schema":1e99}"#, "expected a whole number, the version of the state, at '/schema'"),
  ])
  func `refuses what it doesn't know`(text: String, message: String) throws {
    let error = #expect(throws: (any Error).self) {
      try schema.migration(versionAt: ["schema"])(JSONValue(parsing: text))
    }
    #expect("\(try #require(error))" == message)
  }

  @Test func `leaves the file of a newer program alone, and the store goes on in memory`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"schema":3,"title":{"new":true}}"#, to: "app.json")
    let path = folder.path("app.json")
    let reduce: Store<App, String>.Reducer = { $0.title = $1 }
    let mirror = HotReload<App, String>(
      file: path, timeout: .milliseconds(100), migrate: schema.migration(versionAt: ["schema"]))
    let store = try Store(App(), reducer: reduce, middleware: [mirror])
    var problems = store.problems.makeAsyncIterator()
    guard case .occurred(let problem) = await problems.next() else {
      Issue.record("no problem occurred")
      return
    }
    #expect(
      problem.message == """
        '\(path)' cannot be migrated: it has version 3 of the state, and this program knows up to 2; update the program
        """)
    store.dispatch("mine")
    await #expect(throws: Problem.self) { try await store.close() }
    #expect(store.state.title == "mine")
    #expect(try folder.text(of: "app.json") == #"{"schema":3,"title":{"new":true}}"#)
  }
}
