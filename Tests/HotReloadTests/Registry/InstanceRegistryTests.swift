import Glibc
import StateJSON
import StoreCore
import Synchronization
import TestSupport
import TestThreads
import Testing

@testable import HotReload

@Suite(.ownThreads, .timeLimit(.minutes(10))) struct InstanceRegistryTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    // These tests open no file, which would do it. Tests beside them do, and would change the name of the machine midway.
    try Machine.identify()
    folder = try TemporaryFolder()
    file = folder.path("f")
  }

  private struct Session: Codable, Sendable, Equatable {
    var notes: [String] = []
    var draft = ""
  }

  private func open(timeout: Duration = .seconds(10)) throws -> Store<Session, String> {
    try Store(
      Session(), reducer: { session, note in session.notes.append(note) },
      middleware: [HotReload(file: file, replicating: \.notes, timeout: timeout)])
  }

  /// Asks until the answers are as they should be; the suite's time limit ends a wait in vain.
  private func answers(_ isDone: ([InstanceAnswer]) -> Bool) throws -> [InstanceAnswer] {
    var rollCall = try InstanceRollCall(of: file)
    while true {
      let answers = try rollCall.reports(until: MonotonicClock.now() + 100_000_000).compactMap(\.answer)
      if isDone(answers) { return answers }
    }
  }

  private func hash(_ text: String) throws -> String { "\(try JSONValue(parsing: text).canonicalHash)" }

  @Test func `an instance of a part has the hash of the whole document`() async throws {
    try folder.write(#"[ "one" ]"#, to: "f")
    let store = try open()
    #expect(try answers { !$0.isEmpty }.first?.hash == hash(#"["one"]"#))
    store.dispatch("two")
    try await store.commit()
    let answer = try #require(try answers { !$0.isEmpty }.first)
    #expect(answer == InstanceAnswer(hash: try hash(#"["one","two"]"#), uncommitted: 0, isCommitted: true))
    try await store.close()
    #expect(try answers { $0.isEmpty } == [])
  }

  @Test func `an instance that can't decode the file says so, and keeps the hash of what it could`() async throws {
    let good = #"["one"]"#
    try folder.write(good, to: "f")
    let store = try open(timeout: .milliseconds(10))
    try folder.save("{}", to: "f")
    let answer = try #require(try answers { $0.first?.problem != nil }.first)
    #expect(answer.hash == (try hash(good)))
    #expect(answer.problem?.hasPrefix("\(file):1:1: ") == true)
    store.dispatch("two")
    #expect(try answers { $0.first?.isCommitted == false }.first?.uncommitted == 1)
    try folder.save(good, to: "f")
    _ = try answers { $0.first?.isCommitted == true }
    try await store.close()
  }

  @Test func `a path that comes to mean another file is another file's instance`() async throws {
    try folder.write("[]", to: "one")
    try folder.write("[]", to: "two")
    try folder.link("f", to: "one")
    let store = try open()
    #expect(try InstanceRegistry().instances(of: folder.path("one")).count == 1)
    try folder.link("g", to: "two")
    try folder.rename("g", to: "f")
    while try InstanceRegistry().instances(of: folder.path("two")).isEmpty { await Task.yield() }
    #expect(try InstanceRegistry().instances(of: folder.path("one")) == [])
    try await store.close()
  }

  @Test(arguments: [ExternalEditPolicy.merge, .replace])
  func `an instance tells what a save means to it`(policy: ExternalEditPolicy) throws {
    try folder.write("{}", to: "f")
    let replicator = try Replicator(
      view: Onlooker(), model: SumModel(), initial: [:],
      options: ReplicatorOptions(
        replica: ReplicaOptions(file: file, instance: "me", externalEdits: policy), stateFolder: folder.path("state")))
    let entry = InstanceEntry(instance: "me", of: file, externalEdits: policy)
    #expect(try InstanceRegistry(stateFolder: folder.path("state")).instances(of: file) == [entry])
    #expect(InstanceEntry(stem: entry.stem, contents: entry.contents) == entry)
    replicator.closeAndWait(within: .seconds(5))
  }

  @Test(arguments: [
    "", "{", "7", #"{"process":7,"program":"old"}"#, #"{"externalEdits":"both"}"#, #"{"externalEdits":1}"#,
  ])
  func `who doesn't tell what a save means to it merges`(contents: String) {
    let entry = InstanceEntry(stem: "path-machine-me", contents: Array(contents.utf8))
    #expect(entry.externalEdits == .merge)
    #expect(entry.instance == "me")
    #expect(entry.process == (contents.contains("old") ? 7 : 0))
  }

  @Test func `what is unlocked was left by a killed instance`() throws {
    let registry = try InstanceRegistry(stateFolder: folder.path("state"))
    let dead = InstanceEntry(instance: "dead", of: file)
    let living = InstanceEntry(instance: "living", of: file)
    do { try registry.enter(dead).unlock() }
    let lock = try registry.enter(living)
    #expect(try registry.instances(of: file) == [living])
    #expect(try folder.namesOfState == [living.lockName])
    lock.unlock()
    #expect(try registry.instances(of: file) == [])
    #expect(try folder.namesOfState == [])
  }

  /// A busy machine may stop a process that tidies up while it holds a lock.
  @Test func `an instance waits for a lock that another process holds for a twentieth of a second`() throws {
    let registry = try InstanceRegistry(stateFolder: folder.path("state"))
    let entry = InstanceEntry(instance: "me", of: file)
    let former = try registry.enter(entry)
    let opened = MonotonicClock.now()
    let other = try DriverThread(name: "other") {
      while MonotonicClock.now() < opened + 50_000_000 { sched_yield() }
      former.unlock()
    }
    let lock = try registry.enter(entry)
    other.join()
    #expect(try registry.instances(of: file) == [entry])
    _ = consume lock
  }

  @Test func `what instances on other machines left, or have, is not touched`() throws {
    let registry = try InstanceRegistry(stateFolder: folder.path("state"))
    let here = InstanceEntry(instance: "here", of: file)
    var elsewhere = InstanceEntry(instance: "elsewhere", of: file)
    elsewhere.stem = elsewhere.stem.replacing(Machine.identifier, with: "00000000")
    do { _ = try registry.enter(elsewhere) }
    let lock = try registry.enter(here)
    #expect(try registry.instances(of: file) == [here])
    #expect(try folder.namesOfState.sorted() == [here.lockName, elsewhere.lockName].sorted())
    _ = consume lock
  }

  @Test func `who leaves while it is asked is on the list no more`() throws {
    let registry = try InstanceRegistry(stateFolder: folder.path("state"))
    let entry = InstanceEntry(instance: "me", of: file)
    let lock = try registry.enter(entry)
    let socket = try registry.listen(as: entry)
    let instance = try DriverThread(name: "instance") {
      while true {
        guard let question = socket.accept() else {
          sched_yield()
          continue
        }
        registry.remove(entry.stem)
        return withExtendedLifetime(question) {}
      }
    }
    var rollCall = try InstanceRollCall(of: file, stateFolder: folder.path("state"))
    #expect(try rollCall.reports(until: TestPatience.deadline).map(\.entry) == [])
    instance.join()
    _ = consume lock
  }

  @Test func `who can't listen isn't on the list`() throws {
    let registry = try InstanceRegistry(stateFolder: folder.path("state"))
    // Too long for an address, not for a name.
    let name = String(repeating: "x", count: 100)
    let error = #expect(throws: SystemError.self) { try InstanceRegistration(instance: name, of: file, in: registry) }
    #expect(error?.errno == ENAMETOOLONG)
    #expect(try folder.namesOfState == [])
  }

  /// A lock file is made before it is locked, and may be taken for a leftover in between.
  @Test func `who has entered is on the list, whoever tidies up meanwhile`() throws {
    let registry = try InstanceRegistry(stateFolder: folder.path("state"))
    let isOver = Atomic(false)
    let file = file
    let others = try (0..<2).map { _ in
      try DriverThread(name: "other") {
        while !isOver.load(ordering: .acquiring) {
          do { _ = try registry.instances(of: file) } catch { Issue.record(error) }
        }
      }
    }
    let entry = InstanceEntry(instance: "me", of: file)
    var entered = 0
    for _ in 0..<2000 {
      // Each time it finds what was left the last time. That others look into it too often is no failure of this kind.
      guard let lock = try? registry.enter(entry) else { continue }
      entered += 1
      for _ in 0..<3 { #expect(try registry.instances(of: file) == [entry]) }
      _ = consume lock
    }
    isOver.store(true, ordering: .releasing)
    others.forEach { $0.join() }
    #expect(entered > 0)
  }

  @Test(arguments: [
    InstanceAnswer(hash: nil, uncommitted: 0, isCommitted: false),
    InstanceAnswer(hash: "00ff", uncommitted: 7, isCommitted: true, problem: "f:1:2: expected \"x\"\n"),
  ])
  func `an answer arrives as it was sent`(answer: InstanceAnswer) {
    #expect(InstanceAnswer(message: answer.message) == answer)
  }

  @Test(arguments: ["", "{", "7", #"{"uncommitted": "x"}"#])
  func `what is no answer is none`(text: String) {
    #expect(InstanceAnswer(message: Array(text.utf8)) == nil)
  }

  @Test func `a problem of any length fits into an answer`() {
    let answer = InstanceAnswer(
      hash: nil, uncommitted: 0, isCommitted: true, problem: String(repeating: "\u{1}", count: 1 << 20))
    #expect(answer.message.count <= LocalSocket.messageLimit)
  }

  @Test func `who can't be registered says so, and works`() async throws {
    try folder.write("{}", to: "f")
    try folder.makeFolder("state")
    try folder.makeFolder("state/\(InstanceEntry(instance: "me", of: file).lockName)")
    let view = Onlooker()
    let replicator = try Replicator(
      view: view, model: SumModel(), initial: [:],
      options: ReplicatorOptions(
        replica: ReplicaOptions(file: file, instance: "me"), stateFolder: folder.path("state")))
    #expect(view.problems.contains(.unregistered))
    replicator.closeAndWait(within: .seconds(5))
  }
}

extension TemporaryFolder {
  fileprivate var namesOfState: [String] {
    get throws { try Folder(path: path("state")).names(startingWith: "").filter { !$0.hasPrefix(".") } }
  }
}
