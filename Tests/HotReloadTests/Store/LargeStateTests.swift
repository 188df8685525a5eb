import StateJSON
import StoreCore
import Synchronization
import TestSupport
import TestThreads
import Testing

@testable import HotReload
// The library has a view of a store, too.
@testable import class HotReload.StoreReplicaView

private struct Archive: Codable, Sendable, Equatable {
  var count = 0
  var rows = (0..<100).map { "row \($0)" }
}

private struct Library: Sendable, Equatable {
  var archive = Archive()
  /// Not mirrored.
  var step = 1
}

private enum Action: Sendable {
  case count
  case rename(Int)
}

private func reduce(_ library: inout Library, _ action: Action) {
  switch action {
  case .count: library.archive.count += library.step
  case .rename(let row): library.archive.rows[row] = "renamed"
  }
}

/// The driver reduces on a state of its own.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct `A large state` {
  private let folder: TemporaryFolder
  private var path: String { folder.path("archive.json") }

  init() throws { folder = try TemporaryFolder() }

  private func makeStore() throws -> Store<Library, Action> {
    // Small, and yet too large to be shared: the tests run in a moment, and more often.
    let submissions = SubmissionQueue<Library, Action>()
    let mirror = HotReload<Library, Action>(
      file: path, replicating: \.archive, join: .adopt, durability: .process, externalEdits: .merge,
      timeout: .seconds(60), migrate: nil, submissions: submissions, record: { submissions.submit($0) },
      access: StoreAccess(), sharedSize: 1)
    return try Store(Library(), reducer: reduce, middleware: [mirror])
  }

  private func archive() throws -> Archive {
    try JSONValueDecoder().decode(Archive.self, from: JSONValue(parsing: folder.bytes(of: "archive.json")))
  }

  /// Saves as an editor does.
  private func save(_ archive: Archive) throws {
    let document = JSONDocument(formatting: try JSONValueEncoder().encode(archive))
    try folder.save(String(decoding: document.bytes, as: UTF8.self), to: "archive.json")
  }

  private func wait(for store: Store<Library, Action>, _ condition: (Library) -> Bool) async {
    for await state in store.states where condition(state) { return }
  }

  private func place(_ store: Store<Library, Action>) -> UnsafeRawPointer? {
    store.withState { state, _ in state.archive.rows.withUnsafeBytes { $0.baseAddress } }
  }

  @Test func `is changed where it is, however often it is written`() async throws {
    let store = try makeStore()
    store.dispatch(.rename(0))
    try await store.commit()
    store.dispatch(.rename(1))
    let first = place(store)
    for row in 2..<6 {
      try await store.commit()
      store.dispatch(.rename(row))
      #expect(place(store) == first)
    }
    try await store.close()
    #expect(try archive() == store.state.archive)
    #expect(store.state.archive.rows[..<6].allSatisfy { $0 == "renamed" })
  }

  /// Whose memory it is in is told by its place, which stays where nobody has to copy it.
  private func expectStays(
    _ store: Store<Library, Action>, _ row: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let before = place(store)
    store.dispatch(.rename(row))
    #expect(place(store) == before, sourceLocation: sourceLocation)
  }

  @Test(arguments: [true, false]) func `is the store's alone from the start`(isFileThere: Bool) async throws {
    if isFileThere { try save(Archive()) }
    let store = try makeStore()
    expectStays(store, 0)
    try await store.commit()
    expectStays(store, 1)
    try await store.close()
    #expect(try archive() == store.state.archive)
  }

  /// Of what nobody has changed, everything that remembers it has the same memory.
  @Test(arguments: [true, false])
  func `that somebody has edited elsewhere is its program's alone in a moment`(isCommitted: Bool) throws {
    try save(Archive())
    let (store, driver, submissions) = try makeDriver(sharedSize: 1)
    if isCommitted {
      store.dispatch(.rename(1))
      submissions.submit(.rename(1))
      driver.perform(driver.replica.handle(.submitted))
    }
    for count in 7...9 {
      var edited = try archive()
      edited.count = count
      try save(edited)
      #expect(
        eventually {
          driver.wait(until: 0)
          return store.state.archive.count == count
        })
      driver.deadlines[.separation] = 0
      driver.fireTimers()
      expectStays(store, count)
      submissions.submit(.rename(count))
      driver.perform(driver.replica.handle(.submitted))
    }
    #expect(try archive() == store.state.archive)
    driver.leave()
  }

  /// A store and what mirrors it, on this thread.
  private func makeDriver(
    sharedSize: Int
  ) throws -> (Store<Library, Action>, Driver, SubmissionQueue<Library, Action>) {
    let store = Store<Library, Action>(Library(), reducer: reduce)
    let submissions = SubmissionQueue<Library, Action>()
    let model = TypedModel<Library, Action>(file: path, part: \.archive, migrate: nil, reducer: reduce)
    let view = StoreReplicaView(
      store: store, model: model, submissions: submissions, problems: ProblemBoard { _ in },
      notices: NoticeBoard { _ in },
      claims: ClaimBoard(),
      sharedSize: sharedSize, access: StoreAccess())
    submissions.open()
    var options = ReplicatorOptions(replica: ReplicaOptions(file: path, instance: "large"))
    options.sharedSize = sharedSize
    let driver = try Driver(view: view, model: model, initial: Library(), options: options, waker: try Waker())
    try driver.start()
    return (store, driver, submissions)
  }

  /// What is published is the driver's as well, and soon it isn't any more.
  @Test(arguments: [1, 1 << 20])
  func `that somebody has edited is its program's alone in a moment`(sharedSize: Int) throws {
    let (store, driver, submissions) = try makeDriver(sharedSize: sharedSize)
    #expect(driver.deadlines[.separation] == nil)
    var edited = try archive()
    edited.rows[9] = "edited"
    try save(edited)
    #expect(
      eventually {
        driver.wait(until: 0)
        return store.state.archive.rows[9] == "edited"
      })
    let isLarge = sharedSize == 1
    #expect((driver.deadlines[.separation] != nil) == isLarge)
    // A commit that is under way may take its place, and must not be in vain; what is small isn't asked again.
    let phase = driver.replica.phase
    driver.replica.phase = .locking
    driver.deadlines[.separation] = 0
    driver.fireTimers()
    #expect((driver.deadlines[.separation] != nil) == isLarge)
    driver.replica.phase = phase
    driver.deadlines[.separation] = isLarge ? 0 : nil
    driver.fireTimers()
    #expect(driver.deadlines[.separation] == nil)
    let before = place(store)
    store.dispatch(.rename(2))
    #expect((place(store) == before) == isLarge)
    // The store hands its own over.
    submissions.requireState()
    submissions.submit(.rename(2))
    driver.perform(driver.replica.handle(.submitted))
    #expect((driver.deadlines[.separation] != nil) == isLarge)
    #expect(try archive() == store.state.archive)
    driver.leave()
  }

  @Test func `is in the file as the store has it, also after what no action did`() async throws {
    let store = try makeStore()
    store.dispatch(.count)
    try await store.commit()
    // Nothing that is mirrored, but the next action goes by it.
    store.rebase(cause: .edit) { library, _ in library.step = 10 }
    store.dispatch(.count)
    try await store.commit()
    #expect(try archive().count == 11)
    store.rebase(cause: .restore) { library, _ in library.archive.count = 1 }
    store.dispatch(.count)
    try await store.close()
    #expect(try archive().count == 11)
    #expect(try archive() == store.state.archive)
  }

  /// Counts how often it was called, which no reducer may.
  @Test(arguments: [false, true])
  func `that a reducer made which isn't pure comes to be in the file`(isClosing: Bool) async throws {
    let calls = Mutex(0)
    let submissions = SubmissionQueue<Library, Action>()
    let reducer: Store<Library, Action>.Reducer = { library, _ in
      library.archive.count = calls.withLock { calls in
        calls += 1
        return calls
      }
    }
    let store = Store(Library(), reducer: reducer)
    let model = TypedModel<Library, Action>(file: path, part: \.archive, migrate: nil, reducer: reducer)
    let view = StoreReplicaView(
      store: store, model: model, submissions: submissions, problems: ProblemBoard { _ in },
      notices: NoticeBoard { _ in },
      claims: ClaimBoard(),
      sharedSize: 1, access: StoreAccess())
    submissions.open()
    let options = ReplicatorOptions(replica: ReplicaOptions(file: path, instance: "impure"))
    let driver = try Driver(
      view: view, model: model, initial: store.state, options: options, waker: try Waker())
    try driver.start()
    for _ in 0..<3 {
      store.dispatch(.count)
      submissions.submit(.count)
      driver.perform(driver.replica.handle(.submitted))
    }
    // Reduced once in the store and once in the driver.
    #expect(try (store.state.archive.count, archive().count) == (5, 6))
    if isClosing {
      driver.compare()
    } else {
      driver.deadlines[.tick] = 0
      driver.fireTimers()
      #expect(try archive().count == 6)
      driver.pulse.ticks += type(of: driver).ticksBeforeComparison
      driver.deadlines[.tick] = 0
      driver.fireTimers()
    }
    #expect(try (store.state.archive.count, archive().count) == (5, 5))
    driver.leave()
  }

  @Test func `is the same for several who change it at once, and for an editor`() async throws {
    let stores = try (0..<3).map { _ in try makeStore() }
    await withTaskGroup { group in
      for (index, store) in stores.enumerated() {
        group.addTask {
          for number in 0..<300 {
            store.dispatch(.count)
            store.dispatch(.rename(index * 30 + number % 30))
          }
        }
      }
    }
    for store in stores { try await store.commit() }
    for store in stores { await wait(for: store) { $0.archive.count == 900 } }
    var edited = try archive()
    edited.rows[99] = "edited"
    try save(edited)
    for store in stores { await wait(for: store) { $0.archive.rows[99] == "edited" } }
    stores[0].dispatch(.count)
    for store in stores { await wait(for: store) { $0.archive.count == 901 } }
    for store in stores { try await store.close() }
    for store in stores { #expect(try archive() == store.state.archive) }
    #expect(try archive().rows.filter { $0 == "renamed" }.count == 90)
  }
}
