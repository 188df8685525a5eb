import Replication
import StateJSON
import StoreCore
import TestSupport
import Testing

@testable import HotReload

/// A counter that goes no further than ten, and rows.
private struct Counter: Codable, Sendable, Equatable {
  var n = 0
  var rows = ["sample"]
}

private enum Action: Codable, Sendable {
  case add(Int)
  case append(String)
  case clear
}

/// The same, which can't be encoded.
private enum SecretAction: Sendable {
  case add(Int)
}

private func reduce(_ state: inout Counter, _ action: Action) {
  switch action {
  case .add(let amount): state.n = min(state.n + amount, 10)
  case .append(let row): state.rows.append(row)
  case .clear: state.rows = []
  }
}

/// Stores whose files are shared: each file is a device, whose folder the test brings into step with the others'.
@Suite(.timeLimit(.minutes(10)))
struct SharingTests {
  private let place: TemporaryFolder

  init() throws { place = try TemporaryFolder() }

  private func file(_ name: String) -> String { place.path("\(name)/f.json") }

  private func make(_ name: String) throws {
    try place.makeFolder(name)
    try place.makeFolder("\(name).sync")
  }

  private func sharing(_ name: String, version: Int = 1) -> Sharing {
    Sharing(through: place.path("\(name).sync"), as: name, app: "counter", version: version)
  }

  private func store(_ name: String) throws -> Store<Counter, Action> {
    try make(name)
    return try open(name)
  }

  private func open(_ name: String) throws -> Store<Counter, Action> {
    try Store(Counter(), reducer: reduce, middleware: [HotReload(file: file(name), sharing: sharing(name))])
  }

  /// A store whose actions can't be encoded, and add to a number that is named.
  private func secretStore(_ name: String, join: JoinPolicy = .adopt) throws -> Store<Counter, SecretAction> {
    let reduce: @Sendable (inout Counter, SecretAction) -> Void = { state, action in
      if case .add(let amount) = action { state.n += amount }
    }
    let sharing = Sharing(through: place.path("\(name).sync"), as: name, sums: [JSONPointer(["n"])])
    return try Store(
      Counter(), reducer: reduce, middleware: [HotReload(file: file(name), join: join, sharing: sharing)])
  }

  /// Brings what is in one folder into another: whole files, and only those that are longer.
  private func send(_ one: String, to other: String) throws {
    for name in try place.names(in: "\(one).sync") {
      let bytes = try place.bytes(of: "\(one).sync/\(name)")
      if let there = try? place.bytes(of: "\(other).sync/\(name)"), there.count >= bytes.count { continue }
      try place.write(bytes, to: "\(other).sync/.\(name).tmp")
      try place.rename("\(other).sync/.\(name).tmp", to: "\(other).sync/\(name)")
    }
  }

  private func meet(_ names: String...) throws {
    for one in names { for other in names where other != one { try send(one, to: other) } }
  }

  /// A look at a share by somebody who has only the command, and its device afterwards.
  @discardableResult
  private func visit(_ name: String, depth: Int = JSONLimits.default.depth) throws -> Device {
    let agreement = try ShareAgreement.made(for: file(name), folder: place.path("\(name).sync"), name: name)
    try agreement.save()
    var options = ReplicatorOptions(replica: ReplicaOptions(file: file(name), instance: "visitor"))
    options.replica.limits.depth = depth
    return try ShareSession(agreement, options: options) { _ in }.synchronise(within: .seconds(10))
  }

  @Test func `what two devices do at once comes to what the reducer makes of all, one after another`() async throws {
    let (a, b) = (try store("a"), try store("b"))
    for _ in 1...4 { a.dispatch(.add(2)) }
    for _ in 1...3 { b.dispatch(.add(2)) }
    a.dispatch(.append("a"))
    try await a.close()
    try await b.close()
    // Nobody is there any more; the next who looks brings it together, and says what its app makes of it.
    try meet("a", "b")
    let again = try open("a")
    for await state in again.states where state.n == 10 { break }
    #expect(again.state == Counter(n: 10, rows: ["sample", "a"]), "seven times two, but no more than ten")
    try await again.close()

    // Who can't reduce has it from what was said.
    try make("c")
    try meet("a", "b", "c")
    #expect(try Set(visit("c").standings.map(\.name)) == ["a", "b", "c"])
    #expect(try JSONValue(parsing: place.text(of: "c/f.json")) == ["n": 10, "rows": ["sample", "a"]])
    try meet("a", "b", "c")
    _ = try visit("b")
    #expect(try JSONValue(parsing: place.text(of: "b/f.json")) == ["n": 10, "rows": ["sample", "a"]])
  }

  @Test func `two that agree at once are one device`() throws {
    try make("a")
    let (file, folder) = (file("a"), place.path("a.sync"))
    let (one, two) = (
      try ShareAgreement.made(for: file, folder: folder, name: "one"),
      try ShareAgreement.made(for: file, folder: folder, name: "two")
    )
    #expect(one.device != two.device)
    #expect(try one.save(isFirst: true))
    #expect(try !two.save(isFirst: true))
    let agreed = try ShareAgreement.agree(for: file, folder: folder, name: "two")
    #expect((agreed.now.device, agreed.now.name) == (one.device, "two"))
    #expect(agreed.before == one)
  }

  @Test(arguments: [false, true])
  func `what was done before anything could be told is told as what was done`(hasContents: Bool) async throws {
    for (name, amount) in [("a", 1), ("b", 2)] {
      try make(name)
      if hasContents { try place.save(#"{"n": 0, "rows": ["sample"], "also": "\#(name)"}"#, to: "\(name)/f.json") }
      _ = try ShareAgreement.agree(for: file(name), folder: place.path("\(name).sync"), name: name)
      try place.rename("\(name).sync", to: "\(name).away")
      let store = try open(name)
      for _ in 1...2 {
        store.dispatch(.add(amount))
        try await store.commit()
      }
      try await store.close()
      try place.rename("\(name).away", to: "\(name).sync")
      _ = try visit(name)
    }
    try meet("a", "b")
    for name in ["a", "b"] {
      let store = try open(name)
      #expect(store.state.n == 6)
      try await store.close()
    }
    #expect(try place.text(of: "a/f.json").contains(#""also""#) == hasContents)
  }

  @Test(arguments: [JoinPolicy.adopt, .create])
  func `a file that is made by an action has its defaults, and the action`(join: JoinPolicy) async throws {
    for (name, amounts) in [("a", [5, 1]), ("b", [20, 3])] {
      try make(name)
      let store = try secretStore(name, join: join)
      for amount in amounts { store.dispatch(.add(amount)) }
      try await store.close()
    }
    try meet("a", "b")
    for name in ["a", "b"] {
      _ = try visit(name)
      #expect(try JSONValue(parsing: place.text(of: "\(name)/f.json")) == ["n": 29, "rows": ["sample"]])
    }
  }

  @Test func `an empty document is no default`() async throws {
    try make("a")
    let reduce: @Sendable (inout [String: Int], Action) -> Void = { state, _ in state["n", default: 0] += 1 }
    let mirror = HotReload<[String: Int], Action>(file: file("a"), join: .create, sharing: sharing("a"))
    let store = try Store([:], reducer: reduce, middleware: [mirror])
    store.dispatch(.clear)
    try await store.close()
    let journals = try place.names(in: "a.sync").map { try place.text(of: "a.sync/\($0)") }.joined()
    #expect(journals.contains(#""actions""#) && !journals.contains(#""seed""#))
  }

  @Test func `what arrives is the change of a device, by name`() async throws {
    let (a, b) = (try store("a"), try store("b"))
    try meet("a", "b")
    let causes = AsyncStream<Cause>.makeStream()
    let subscription = b.subscribe(skipFirst: true) { _, cause in causes.continuation.yield(cause) }
    defer { subscription.cancel() }
    a.dispatch(.add(3))
    try await a.close()
    try send("a", to: "b")
    var iterator = causes.stream.makeAsyncIterator()
    #expect(await iterator.next() == .device("a"))
    #expect(b.state.n == 3)
    try await b.close()
  }

  @Test func `the defaults of a new device never win`() async throws {
    let a = try store("a")
    a.dispatch(.clear)
    a.dispatch(.add(1))
    try await a.close()
    // It begins before anything has arrived, and so with its defaults.
    let b = try store("b")
    b.dispatch(.append("mine"))
    try await b.close()
    #expect(try JSONValue(parsing: place.text(of: "b/f.json")) == ["n": 0, "rows": ["sample", "mine"]])
    try meet("a", "b")
    for name in ["a", "b", "a"] {
      let again = try open(name)
      try await again.close()
      try meet("a", "b")
    }
    #expect(try JSONValue(parsing: place.text(of: "a/f.json")) == ["n": 1, "rows": ["mine"]])
    #expect(try place.bytes(of: "a/f.json") == place.bytes(of: "b/f.json"))
  }

  @Test func `the defaults of a device that has read what others did don't win either`() async throws {
    let a = try store("a")
    a.dispatch(.add(5))
    try await a.close()
    try make("b")
    try meet("a", "b")
    // It has read that, and can't bring it into the file.
    #expect(throws: Problem.self) { try visit("b", depth: 1) }
    try place.rename("b.sync", to: "b.away")
    let b = try open("b")
    b.dispatch(.add(2))
    try await b.close()
    try place.rename("b.away", to: "b.sync")
    try visit("b")
    let again = try open("b")
    try await again.close()
    #expect(try JSONValue(parsing: place.text(of: "b/f.json")) == ["n": 7, "rows": ["sample"]])
  }

  @Test func `actions that can't be encoded are told by what they changed`() async throws {
    try make("a")
    try make("b")
    let reduce: @Sendable (inout Counter, SecretAction) -> Void = { state, action in
      if case .add(let amount) = action { state.n += amount }
    }
    let a = try Store(Counter(), reducer: reduce, middleware: [HotReload(file: file("a"), sharing: sharing("a"))])
    a.dispatch(.add(5))
    try await a.close()
    try meet("a", "b")
    #expect(try visit("b").standings.count == 2)
    #expect(try JSONValue(parsing: place.text(of: "b/f.json")) == ["n": 5, "rows": ["sample"]])
    let journals = try place.names(in: "a.sync").map { try place.text(of: "a.sync/\($0)") }
    #expect(!journals.joined().contains("actions"))
  }

  @Test func `where actions can't be encoded, numbers add up at the places that are named`() async throws {
    for (name, amounts) in [("a", [5, 1]), ("b", [20, 3])] {
      try make(name)
      let store = try secretStore(name)
      for amount in amounts {
        store.dispatch(.add(amount))
        try await store.commit()
      }
      try await store.close()
    }
    try meet("a", "b")
    for name in ["a", "b"] {
      #expect(try visit(name).standings.count == 2)
      #expect(try JSONValue(parsing: place.text(of: "\(name)/f.json")) == ["n": 29, "rows": ["sample"]])
    }
    // What an editor says is what is there.
    try place.save(#"{"n": 100, "rows": ["sample"]}"#, to: "a/f.json")
    _ = try visit("a")
    try meet("a", "b")
    _ = try visit("b")
    #expect(try JSONValue(parsing: place.text(of: "b/f.json")) == ["n": 100, "rows": ["sample"]])
  }

  @Test func `what one device has asked for no other begins, also if it starts later`() async throws {
    for name in ["a", "b"] { try make(name) }
    func store(_ name: String, _ latch: Latch) throws -> Store<EffectWorld, EffectWorld.Action> {
      let mirror = HotReload<EffectWorld, EffectWorld.Action>(file: file(name), sharing: sharing(name))
      let store = try Store(EffectWorld(), reducer: EffectWorld.reduce, middleware: [mirror])
      store.effect(\.job, action: EffectWorld.Action.job, id: "job") { world, send in
        send(.note("\(name) \(world.job.current!)"))
        await latch.pass()
      }
      return store
    }
    let a = try store("a", Latch())
    a.dispatch(.job(.run))
    await a.until { $0.notes == ["a 1.1"] }
    try await a.close()
    try meet("a", "b")

    let latch = Latch()
    let b = try store("b", latch)
    #expect(b.state.job.isRunning)
    try await b.commit()
    #expect(try claimFiles(of: file("b")) == [])
    try await b.close()
    // Its own device does it again.
    let again = try store("a", latch)
    await again.until { $0.notes == ["a 1.1", "a 1.1"] }
    latch.open()
    await again.until { $0.job.status == .succeeded }
    try await again.close()
  }

  @Test func `a file that is deleted comes back as it was shared`() async throws {
    let a = try store("a")
    a.dispatch(.add(4))
    try await a.close()
    try place.remove("a/f.json")
    let again = try open("a")
    #expect(again.state == Counter(n: 4))
    try await again.close()
  }

  @Test func `a folder that can't be used is a problem, and the store goes on alone`() async throws {
    try place.makeFolder("a")
    let store = try Store(
      Counter(), reducer: reduce,
      middleware: [HotReload<Counter, Action>(file: file("a"), sharing: Sharing(through: place.path("none")))])
    var problems = store.problems.makeAsyncIterator()
    guard case .occurred(let problem)? = await problems.next() else { throw Absent() }
    #expect(problem.code == .cannotShare)
    #expect(
      problem.message
        == "cannot share '\(file("a"))': cannot open '\(place.path("none"))': no such file or directory")
    store.dispatch(.add(1))
    try await store.close()
    #expect(try JSONValue(parsing: place.text(of: "a/f.json")) == ["n": 1, "rows": ["sample"]])
  }

  @Test func `what kept a file from being shared keeps it from that no longer than it lasts`() async throws {
    try place.makeFolder("a")
    let store = try Store(Counter(), reducer: reduce, middleware: [HotReload(file: file("a"), sharing: sharing("a"))])
    var problems = store.problems.makeAsyncIterator()
    guard case .occurred(let problem)? = await problems.next() else { throw Absent() }
    #expect(problem.code == .cannotShare)
    try place.makeFolder("a.sync")
    guard case .resolved(.cannotShare)? = await problems.next() else { throw Absent() }
    store.dispatch(.add(3))
    try await store.close()
    let journals = try place.names(in: "a.sync").map { try place.text(of: "a.sync/\($0)") }
    #expect(journals.joined().contains(#"{"add":{"_0":3}}"#))
  }

  @Test func `what was agreed before counts, also where a store wants another folder`() async throws {
    try await store("a").close()
    try place.makeFolder("other")
    let other = Sharing(through: place.path("other"), as: "a", app: "counter")
    let store = try Store(Counter(), reducer: reduce, middleware: [HotReload(file: file("a"), sharing: other)])
    var problems = store.problems.makeAsyncIterator()
    guard case .occurred(let problem)? = await problems.next() else { throw Absent() }
    #expect(problem.code == .cannotShare)
    store.dispatch(Action.add(3))
    try await store.close()
    let journals = try place.names(in: "a.sync").map { try place.text(of: "a.sync/\($0)") }
    #expect(journals.joined().contains(#"{"add":{"_0":3}}"#))
  }

  @Test func `copies that an engine made of a device's journal, which it took away with that, are removed`()
    async throws
  {
    let a = try store("a")
    a.dispatch(.add(2))
    try await a.close()
    let journal = try #require(try place.names(in: "a.sync").first { $0.hasSuffix(".journal") })
    let lines = try place.bytes(of: "a.sync/\(journal)")
    let agreement = try ShareAgreement.made(for: file("a"), folder: place.path("a.sync"), name: "a")
    let options = ReplicatorOptions(replica: ReplicaOptions(file: file("a"), instance: "visitor"))
    let session = ShareSession(agreement, options: options) { _ in }
    try session.synchronise(within: .seconds(10))

    try place.rename("a.sync/\(journal)", to: "a.sync/\(journal)..path1")
    try place.write(lines, to: "a.sync/\(journal)..path2")
    try session.synchronise(within: .seconds(10))
    #expect(try place.names(in: "a.sync").filter { !$0.hasPrefix(".") } == [journal])
    #expect(try place.bytes(of: "a.sync/\(journal)").starts(with: lines))
  }

  private struct Absent: Error {}
}
