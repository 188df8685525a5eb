import Glibc
import StateJSON
import StoreCore
import Synchronization
import TestSupport
import TestThreads
import Testing

@testable import HotReload

private struct Item: Codable, Sendable, Equatable, Identifiable {
  var id: Int
  var title: String
}

private struct AppState: Codable, Sendable, Equatable {
  var n = 0
  var ratio = 0.5
  var items = [Item(id: 1, title: "one")]
}

private enum Action: Codable, Sendable {
  case add(Int)
  case rename(Int, String)
  case setRatio(Double)
}

private func reduce(_ state: inout AppState, _ action: Action) {
  switch action {
  case .add(let amount): state.n += amount
  case .rename(let id, let title):
    for index in state.items.indices where state.items[index].id == id { state.items[index].title = title }
  case .setRatio(let ratio): state.ratio = ratio
  }
}

/// The real file, the real watcher, real threads.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct HotReloadTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("state.json") }

  init() throws { folder = try TemporaryFolder() }

  private func makeStore(
    timeout: Duration = .seconds(10), recordsActions: Bool = false,
    migrate: (@Sendable (JSONValue) throws -> JSONValue)? = nil
  ) throws -> Store<AppState, Action> {
    let mirror = HotReload<AppState, Action>(
      file: path, timeout: timeout, recordsActions: recordsActions, migrate: migrate)
    return try Store(AppState(), reducer: reduce, middleware: [mirror])
  }

  /// Waits until the state is as it should be; the suite's time limit ends a wait in vain.
  private func wait(for store: Store<AppState, Action>, _ condition: (AppState) -> Bool) async {
    for await state in store.states where condition(state) { return }
  }

  @Test(arguments: [true, false])
  func `versions say the actions that made them where the program wants that`(recordsActions: Bool) async throws {
    let store = try makeStore(recordsActions: recordsActions)
    try await store.commit()
    store.dispatch(.add(2))
    store.dispatch(.rename(1, "uno"))
    try await store.commit()
    let log = VersionLog(of: try SharedFile(path: path, instance: "test").resolvedPath)
    let newest = try #require(try log.history()).newest
    let actions = try log.actions()[newest.hash]
    #expect(actions == (recordsActions ? [["add": ["_0": 2]], ["rename": ["_0": 1, "_1": "uno"]]] : nil))
    try await store.close()
  }

  @Test func `a missing file is seeded and nothing stays beside it`() async throws {
    let store = try makeStore()
    try await store.close()
    #expect(
      try folder.text(of: "state.json") == """
        {
          "n": 0,
          "ratio": 0.5,
          "items": [
            {
              "id": 1,
              "title": "one"
            }
          ]
        }

        """)
    #expect(try folder.names == ["state.json"])
  }

  @Test func `a problem that nobody listens to can't control a terminal`() async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let folder = try TemporaryFolder()
      try folder.write("no JSON", to: "\u{1b}[31m\nx")
      let store = try Store(
        AppState(), reducer: reduce,
        middleware: [HotReload(file: folder.path("\u{1b}[31m\nx"), timeout: .milliseconds(200))])
      store.dispatch(.add(1))
      await #expect(throws: (any Error).self) { try await store.commit() }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("\\u001B[31m\\u000Ax"))
    #expect(!text.unicodeScalars.contains("\u{1b}"))
  }

  @Test func `commit returns when every action is in the file`() async throws {
    let store = try makeStore()
    for _ in 0..<1000 { store.dispatch(.add(1)) }
    try await store.commit()
    #expect(try folder.text(of: "state.json").contains(#""n": 1000,"#))
    try await store.close()
  }

  @Test func `two instances mirror each other, and no addition of either is lost`() async throws {
    let (one, two) = (try makeStore(), try makeStore())
    await withTaskGroup { group in
      for store in [one, two] {
        group.addTask { for _ in 0..<500 { store.dispatch(.add(1)) } }
      }
    }
    try await one.commit()
    try await two.commit()
    await wait(for: one) { $0.n == 1000 }
    await wait(for: two) { $0.n == 1000 }
    try await one.close()
    try await two.close()
    #expect(try folder.names == ["state.json"])
  }

  @Test func `a save becomes the state, with its cause`() async throws {
    let store = try makeStore()
    let causes = AsyncStream<Cause>.makeStream()
    let subscription = store.subscribe(skipFirst: true) { _, cause in causes.continuation.yield(cause) }
    try folder.save(#"{"n":41,"ratio":1,"items":[],"theirs":{"deep":[1.0]}}"#, to: "state.json")
    await wait(for: store) { $0.n == 41 }
    var iterator = causes.stream.makeAsyncIterator()
    #expect(await iterator.next() == .edit)
    subscription.cancel()
    store.dispatch(.add(1))
    try await store.close()
    #expect(
      try folder.text(of: "state.json") == #"{"n":42,"ratio":1,"items":[],"theirs":{"deep":[1.0]}}"#)
  }

  @Test func `what was kept from a save is told to who listens, also if that is later`() async throws {
    let store = try makeStore()
    try await store.commit()
    // An editor loads it.
    #expect(try folder.text(of: "state.json").contains("\"n\": 0"))
    store.dispatch(.add(1))
    try await store.commit()
    var notices = store.notices.makeAsyncIterator()
    let stale = #"{"n":0,"ratio":2.5,"items":[{"id":1,"title":"one"}]}"#
    try folder.save(stale, to: "state.json")
    let notice = try #require(await notices.next())
    #expect(notice.code == .kept)
    #expect(notice.pointers == [JSONPointer(["n"])])
    let instance = try #require(store.middleware(ofType: HotReload<AppState, Action>.self).first).instance
    #expect(notice.authors == [instance])
    #expect(notice.version == String(ContentHash(Array(stale.utf8)).description.prefix(8)))
    #expect(notice.message.contains("to insist: replicate restore \(path) "))
    #expect(store.state == AppState(n: 1, ratio: 2.5))
    var later = store.notices.makeAsyncIterator()
    #expect(await later.next() == notice)
    try await store.close()
    #expect(await notices.next() == nil)
    #expect(await later.next() == nil)
  }

  @Test func `a notice that nobody listens to is written to standard error`() async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let folder = try TemporaryFolder()
      let store = try Store(
        AppState(), reducer: reduce, middleware: [HotReload(file: folder.path("state.json"))])
      try await store.commit()
      // An editor loads it.
      #expect(try folder.text(of: "state.json").contains("\"n\": 0"))
      store.dispatch(.add(1))
      try await store.commit()
      try folder.save(#"{"n":0,"ratio":2.5,"items":[{"id":1,"title":"one"}]}"#, to: "state.json")
      for await state in store.states where state == AppState(n: 1, ratio: 2.5) { break }
      try await store.close()
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.hasPrefix("replicate: '"))
    #expect(text.contains("was saved from an older version; kept '/n'"))
  }

  @Test func `an invalid save stays until it is mended, and work goes on`() async throws {
    let store = try makeStore()
    var problems = store.problems.makeAsyncIterator()
    try folder.save("{\n  \"n\": 1,,\n}", to: "state.json")
    guard case .occurred(let problem) = await problems.next() else {
      Issue.record("no problem occurred")
      return
    }
    #expect(problem.code == .invalidJSON)
    #expect((problem.line, problem.column) == (2, 10))
    store.dispatch(.add(5))
    let mirror = try #require(store.middleware(ofType: HotReload<AppState, Action>.self).first)
    await #expect(throws: Problem.self) { try await mirror.flush(within: .milliseconds(50)) }
    #expect(try folder.text(of: "state.json") == "{\n  \"n\": 1,,\n}")
    #expect(store.state.n == 5)
    try folder.save(#"{"n":1,"ratio":0,"items":[]}"#, to: "state.json")
    #expect(await problems.next() == .resolved(.invalidJSON))
    await wait(for: store) { $0.n == 6 }
    try await store.close()
    #expect(try folder.text(of: "state.json") == #"{"n":6,"ratio":0,"items":[]}"#)
  }

  @Test func `a state that does not decode names path, line and column`() async throws {
    try folder.write("{\"n\": 1, \"ratio\": 1,\n \"items\": [{\"id\": \"x\", \"title\": \"\"}]}", to: "state.json")
    let store = try makeStore(timeout: .milliseconds(100))
    guard case .occurred(let problem) = await store.problems.first(where: { _ in true }) else {
      Issue.record("no problem occurred")
      return
    }
    let message = "\(path):2:19: at /items/0/id: expected an integer of 64 bits, found the string \"x\""
    #expect("\(problem)" == message)
    store.dispatch(.add(1))
    await #expect { try await store.close() } throws: { error in
      "\(error)" == "1 action is not in '\(path)': \(message)"
    }
  }

  @Test func `NaN is a problem, not a trap, and the next good state is written`() async throws {
    let store = try makeStore()
    var problems = store.problems.makeAsyncIterator()
    store.dispatch(.setRatio(.nan))
    guard case .occurred(let problem) = await problems.next() else {
      Issue.record("no problem occurred")
      return
    }
    #expect(problem.code == .unencodable)
    store.dispatch(.setRatio(2))
    try await store.close()
    #expect(try folder.text(of: "state.json").contains(#""ratio": 2"#))
  }

  @Test func `a migration mends an older document without writing it`() async throws {
    let old = #"{"count":7,"ratio":1,"items":[],"foreign":null}"#
    try folder.write(old, to: "state.json")
    let store = try makeStore { value in
      guard case .object(var object) = value, let count = object["count"] else { return value }
      object["count"] = nil
      object["n"] = count
      return .object(object)
    }
    #expect(store.state.n == 7)
    try await store.commit()
    #expect(try folder.text(of: "state.json") == old)
    store.dispatch(.add(1))
    try await store.close()
    #expect(try folder.text(of: "state.json") == #"{"ratio":1,"items":[],"foreign":null,"n":8}"#)
  }

  @Test func `another name that keeps the old contents is a problem`() async throws {
    let text = #"{"n":1,"ratio":0,"items":[]}"#
    try folder.write(text, to: "state.json")
    #expect(link(path, folder.path("other.json")) == 0)
    let store = try makeStore()
    var problems = store.problems.makeAsyncIterator()
    store.dispatch(.add(1))
    guard case .occurred(let problem) = await problems.next() else {
      Issue.record("no problem occurred")
      return
    }
    #expect(problem.code == .degraded)
    #expect(problem.message == "'\(path)' had another name, a hard link, which keeps what it had before")
    try await store.close()
    #expect(try folder.text(of: "other.json") == text)
    #expect(try folder.text(of: "state.json") == #"{"n":2,"ratio":0,"items":[]}"#)
  }

  @Test func `a deleted file is made again by the next action`() async throws {
    let store = try makeStore()
    var problems = store.problems.makeAsyncIterator()
    try folder.remove("state.json")
    guard case .occurred(let problem) = await problems.next() else {
      Issue.record("no problem occurred")
      return
    }
    #expect(problem.code == .missing)
    store.dispatch(.add(3))
    try await store.close()
    #expect(try folder.text(of: "state.json").contains(#""n": 3"#))
  }

  @Test func `a store dropped without closing still commits`() async throws {
    do {
      let store = try makeStore()
      store.dispatch(.add(9))
    }
    #expect(try folder.text(of: "state.json").contains(#""n": 9"#))
    #expect(try folder.names == ["state.json"])
  }

  @Test func `a close that fails can be tried again, and then says the truth`() async throws {
    try folder.write("{", to: "state.json")
    let store = try makeStore(timeout: .milliseconds(100))
    store.dispatch(.add(1))
    await #expect(throws: Problem.self) { try await store.close() }
    try folder.save(#"{"n":1,"ratio":0,"items":[]}"#, to: "state.json")
    // Not by the store's sequence of states, which ends when it begins to close.
    while store.state.n != 2 { await Task.yield() }
    try await store.close()
    try await store.close()
    #expect(try folder.text(of: "state.json") == #"{"n":2,"ratio":0,"items":[]}"#)
  }

  @Test func `everybody who waits is answered when the mirror ends`() async throws {
    try folder.write("{", to: "state.json")
    let mirror = HotReload<AppState, Action>(file: path, timeout: .milliseconds(100))
    let store = try Store(AppState(), reducer: reduce, middleware: [mirror])
    store.dispatch(.add(1))
    await withTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          await #expect(throws: Problem.self) { try await mirror.flush(within: .seconds(30)) }
        }
      }
      mirror.abandon(state: AppState())
      await group.waitForAll()
    }
    await #expect(throws: Problem.self) { try await mirror.flush() }
  }

  /// Dispatches as soon as the file has been read.
  private final class Early: Middleware {
    private struct Reference { weak var store: Store<AppState, Action>? }
    private let reference = Mutex(Reference())

    func start(_ store: Store<AppState, Action>) { reference.withLock { $0.store = store } }

    func changed(_ change: Change<AppState, Action>, state: borrowing AppState) {
      if change.cause == .start { reference.withLock { $0.store }?.dispatch(.add(10)) }
    }
  }

  @Test func `what is dispatched while the file is being joined is committed`() async throws {
    try folder.write(#"{"n":100,"ratio":0,"items":[]}"#, to: "state.json")
    let store = try Store(AppState(), reducer: reduce, middleware: [Early(), HotReload(file: path)])
    try await store.commit()
    #expect(store.state.n == 110)
    #expect(try folder.text(of: "state.json") == #"{"n":110,"ratio":0,"items":[]}"#)
    try await store.close()
  }

  @Test func `a folder in place of the file is an error at once`() throws {
    try folder.makeFolder("state.json")
    #expect { try makeStore() } throws: { error in
      "\(error)" == "cannot open '\(path)': is a directory"
    }
  }
}

@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct PartialReplicationTests {
  private struct Pair: Codable, Sendable, Equatable {
    var a = "a"
    var b = "b"
  }

  @Test func `two files that mirror two parts leave each other alone`() async throws {
    let folder = try TemporaryFolder()
    let store = try Store<Pair, String>(
      Pair(), reducer: { pair, text in pair.a += text },
      middleware: [
        HotReload(file: folder.path("a.json"), replicating: \.a),
        HotReload(file: folder.path("b.json"), replicating: \.b),
      ])
    try folder.save(#""PRECIOUS""#, to: "a.json")
    for await pair in store.states where pair.a == "PRECIOUS" { break }
    try folder.save(#""other""#, to: "b.json")
    for await pair in store.states where pair.b == "other" { break }
    #expect(store.state.a == "PRECIOUS")
    store.dispatch("!")
    try await store.close()
    #expect(try folder.text(of: "a.json") == #""PRECIOUS!""#)
    #expect(try folder.text(of: "b.json") == #""other""#)
  }

  private struct Session: Codable, Sendable, Equatable {
    var shared = Shared()
    var draft = ""
    struct Shared: Codable, Sendable, Equatable { var notes: [String] = [] }
  }

  private enum Action: Sendable {
    case type(String)
    case submit
  }

  private static func reduce(_ session: inout Session, _ action: Action) {
    switch action {
    case .type(let text): session.draft = text
    case .submit:
      session.shared.notes.append(session.draft)
      session.draft = ""
    }
  }

  @Test func `only the part is mirrored, and replaying finds the local part as it was`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("notes.json")
    func open() throws -> Store<Session, Action> {
      try Store(
        Session(), reducer: Self.reduce, middleware: [HotReload(file: file, replicating: \.shared)])
    }
    let (one, two) = (try open(), try open())
    for (store, name) in [(one, "a"), (two, "b")] {
      for index in 0..<20 {
        store.dispatch(.type("\(name)\(index)"))
        store.dispatch(.submit)
      }
      store.dispatch(.type("\(name) draft"))
    }
    try await one.commit()
    try await two.commit()
    for await session in one.states where session.shared.notes.count == 40 { break }
    for await session in two.states where session.shared.notes.count == 40 { break }
    #expect(one.state.shared == two.state.shared)
    #expect(one.state.shared.notes.filter { $0.hasPrefix("a") } == (0..<20).map { "a\($0)" })
    #expect((one.state.draft, two.state.draft) == ("a draft", "b draft"))
    try await one.close()
    try await two.close()
  }
}
