import Glibc
import StoreCore
import Synchronization
import TestSupport
import TestThreads
import Testing

@testable import HotReload

@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct EffectOwnershipTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("state.json") }

  init() throws { folder = try TemporaryFolder() }

  @Test func `an effect is performed where it was started, and claimed before anybody can see it`() async throws {
    let one = try EffectWorld.open("one", path)
    let two = try EffectWorld.open("two", path)
    for round in 1...50 {
      let (starter, other) = round % 2 == 0 ? (one, two) : (two, one)
      starter.dispatch(.job(.run))
      await other.until { $0.job.runs == round && $0.job.status == .succeeded }
    }
    let notes = (1...50).map { "\($0 % 2 == 0 ? "one" : "two") \($0).1" }
    #expect(one.state.notes == notes)
    try await one.close()
    try await two.close()
    #expect(try folder.names == ["state.json"])
  }

  @Test func `claims leave nothing behind`() async throws {
    let latch = Latch()
    let one = try EffectWorld.open("one", path) { await latch.pass() }
    let two = try EffectWorld.open("two", path)
    one.dispatch(.job(.run))
    await two.until { $0.notes == ["one 1.1"] }
    #expect(try claimFiles(of: path).count == 1)
    latch.open()
    await two.until { $0.job.status == .succeeded }
    try await one.commit()
    while try !claimFiles(of: path).isEmpty { await Task.yield() }
    try await two.close()
    try await one.close()
  }

  @Test func `an effect that two start at once is performed by one`() async throws {
    let one = try EffectWorld.open("one", path)
    let two = try EffectWorld.open("two", path)
    for round in 1...50 {
      await withTaskGroup { group in
        for store in [one, two] { group.addTask { store.dispatch(.job(.run)) } }
      }
      try await one.commit()
      try await two.commit()
      for store in [one, two] { await store.until { $0.job.runs >= round && $0.job.status == .succeeded } }
    }
    try await one.close()
    try await two.close()
    // Where the one had ended before the other was reduced, there are two runs: each was performed once.
    let attempts = two.state.notes.map { $0.split(separator: " ")[1] }
    #expect(attempts.sorted() == (1...two.state.job.runs).map { "\($0).1" }.sorted())
  }

  @Test(arguments: [EffectOwner.origin, .elected])
  func `when the owner closes, the next in line takes over`(owner: EffectOwner) async throws {
    let (latch, late) = (Latch(), Latch())
    let one = try EffectWorld.open("one", path, owner: owner) { await latch.pass() }
    // Elected is who comes first.
    while owner == .elected, try claimFiles(of: path).isEmpty { await Task.yield() }
    let two = try EffectWorld.open("two", path, owner: owner) { await late.pass() }
    one.dispatch(.job(.run))
    await two.until { $0.notes == ["one 1.1"] }
    try await one.close()
    await two.until { $0.notes == ["one 1.1", "two 1.1"] }
    late.open()
    await two.until { $0.job.status == .succeeded }
    try await two.close()
    #expect(try claimFiles(of: path) == [])
  }

  @Test func `an elected instance performs what another starts`() async throws {
    let one = try EffectWorld.open("one", path, owner: .elected)
    while try claimFiles(of: path).isEmpty { await Task.yield() }
    let two = try EffectWorld.open("two", path, owner: .elected)
    for round in 1...5 {
      two.dispatch(.job(.run))
      await two.until { $0.job.runs == round && $0.job.status == .succeeded }
    }
    #expect(two.state.notes == (1...5).map { "one \($0).1" })
    try await two.close()
    try await one.close()
  }

  @Test func `who joins takes up what nobody is at`() async throws {
    try folder.write(#"{"job": {"status": "running", "runs": 3}, "notes": []}"#, to: "state.json")
    let one = try EffectWorld.open("one", path)
    await one.until { $0.job.status == .succeeded }
    #expect(one.state.notes == ["one 3.1"])
    try await one.close()
  }

  @Test func `an effect of everyone is performed in each, and the first outcome is that of all`() async throws {
    let (first, second) = (Latch(), Latch())
    let one = try EffectWorld.open("one", path, owner: .everyone) { await first.pass() }
    let two = try EffectWorld.open("two", path, owner: .everyone) { await second.pass() }
    one.dispatch(.job(.run))
    for store in [one, two] { await store.until { Set($0.notes) == ["one 1.1", "two 1.1"] } }
    #expect(try claimFiles(of: path) == [])
    second.open()
    for store in [one, two] { await store.until { $0.job.status == .succeeded } }
    while !one.runningEffects.isEmpty { await Task.yield() }
    try await one.close()
    try await two.close()
  }

  @Test func `a return to an earlier state starts none`() async throws {
    let one = try EffectWorld.open("one", path)
    one.dispatch(.note("x"))
    try await one.commit()
    // As `replicate restore` writes it.
    let file = try SharedFile(path: path, instance: "command", stateFolder: StateFolder.path)
    let text = #"{"job": {"status": "running", "runs": 3, "attempt": 1}, "notes": []}"#
    while try !file.tryLock() { await Task.yield() }
    let base = try file.contentsNow()
    var stamp = file.stamp(text, over: base)
    stamp.isRestore = true
    _ = try file.replace(with: Array(text.utf8), expecting: base, stamp: stamp)
    try file.closeQuietly()
    file.unlock()
    await one.until { $0.job.runs == 3 }
    one.dispatch(.note("y"))
    try await one.commit()
    #expect(one.state.notes == ["y"])
    #expect(one.runningEffects == [])
    #expect(try claimFiles(of: path) == [])
    try await one.close()
  }

  @Test func `an editor's save starts none`() async throws {
    let one = try EffectWorld.open("one", path)
    try folder.save(#"{"job": {"status": "running", "runs": 3, "attempt": 1}, "notes": []}"#, to: "state.json")
    await one.until { $0.job.runs == 3 }
    one.dispatch(.note("x"))
    try await one.commit()
    #expect(try claimFiles(of: path) == [])
    one.dispatch(.job(.restart))
    await one.until { $0.job.status == .succeeded }
    #expect(one.state.notes == ["x", "one 4.1"])
    try await one.close()
  }

  @Test func `a save that takes a run back cancels it`() async throws {
    let ended = Latch()
    let one = try EffectWorld.open("one", path) {
      await Latch().pass()
      ended.open()
    }
    one.dispatch(.job(.run))
    await one.until { $0.notes == ["one 1.1"] }
    try await one.commit()
    try folder.save(
      try folder.text(of: "state.json").replacing(#""running""#, with: #""cancelled""#), to: "state.json")
    await ended.pass()
    await one.until { $0.job.status == .cancelled }
    try await one.close()
  }

  @Test func `while the file is held, effects go on in memory`() async throws {
    let one = try EffectWorld.open("one", path)
    var problems = one.problems.makeAsyncIterator()
    let text = try folder.text(of: "state.json")
    try folder.save("{", to: "state.json")
    _ = await problems.next()
    one.dispatch(.job(.run))
    await one.until { $0.job.status == .succeeded }
    #expect(try claimFiles(of: path).count == 1)
    try folder.save(text, to: "state.json")
    try await one.close()
    #expect(try claimFiles(of: path) == [])
    #expect(try folder.text(of: "state.json").contains("succeeded"))
  }

  @Test func `while the file is held, an effect of the same name goes on in memory, too`() async throws {
    let one = try EffectWorld.open("one", path)
    var problems = one.problems.makeAsyncIterator()
    let text = try folder.text(of: "state.json")
    try folder.save("{", to: "state.json")
    _ = await problems.next()
    one.effect(toggle: { $0.notes.last == "on" }, id: "toggle") { _, send in send(.note("off")) }
    for round in 1...3 {
      one.dispatch(.note("on"))
      await one.until { $0.notes.count == 2 * round }
    }
    #expect(one.state.notes == ["on", "off", "on", "off", "on", "off"])
    try folder.save(text, to: "state.json")
    try await one.close()
    #expect(try claimFiles(of: path) == [])
  }

  @Test func `what a killed process had claimed is removed`() throws {
    let folder = try StateFolder.open(self.folder.path("state"))
    let (dead, living) = (ClaimLock.name("dead", of: path), ClaimLock.name("living", of: path))
    do { _ = try ClaimLock.take(dead, in: folder, waits: false) }
    let lock = try #require(try ClaimLock.take(living, in: folder, waits: false))
    #expect(try ClaimLock.take(living, in: folder, waits: false) == nil)
    let elsewhere = dead.replacing(Machine.identifier, with: "00000000")
    do { _ = try ClaimLock.take(elsewhere, in: folder, waits: false) }
    try ClaimLock.removeLeftovers(in: folder)
    #expect(try folder.names(startingWith: InstanceEntry.prefix(of: path)) == [living])
    #expect(try folder.status(of: elsewhere) != nil)
    lock.release()
    #expect(try folder.status(of: living) == nil)
  }

  @Test func `who waits for a claim gets it, be it under a file that was removed, unless he gave up`() async throws {
    let folder = try StateFolder.open(self.folder.path("state"))
    let client = try Waker()
    let held = try #require(try ClaimLock.take("x.claim", in: folder, waits: false))
    let waiters = try (0..<3).map { _ in try ClaimWaiter(for: "x.claim", in: folder, client: client) }
    waiters[0].cancel()
    held.release()
    var granted: [Int] = []
    while granted.count < 2 {
      for (index, waiter) in waiters.enumerated() {
        guard case .success(let lock) = waiter.takeOutcome() else { continue }
        #expect(try ClaimLock.take("x.claim", in: folder, waits: false) == nil)
        granted.append(index)
        lock.release()
      }
      await Task.yield()
    }
    #expect(granted.sorted() == [1, 2])
    while try folder.status(of: "x.claim") != nil { await Task.yield() }
  }

  /// A driver that claims what a board says.
  private func driver(_ claims: ClaimBoard) throws -> Driver {
    try folder.write(#"{"n":1}"#, to: "state.json")
    let options = ReplicatorOptions(
      replica: ReplicaOptions(file: path, instance: "me"), watches: false, stateFolder: folder.path("state"))
    let driver = try Driver(
      view: SumView(claims: claims), model: SumModel(), initial: .null, options: options, waker: Waker())
    try driver.start()
    return driver
  }

  @Test func `of the claims that a dying process had, one is waited for, and all come`() throws {
    let (claims, names) = (ClaimBoard(), (0..<5).map { "effect \($0)" })
    let driver = try driver(claims)
    let stateFolder = try StateFolder.open(folder.path("state"))
    var others = try names.map { name in
      try #require(
        try ClaimLock.take(ClaimLock.name(name, of: driver.file.resolvedPath), in: stateFolder, waits: false))
    }
    let granted = Mutex<Set<String>>([])
    let wanted = names.map { name in
      claims.claim(name, isOrigin: false) { granted.withLock { _ = $0.insert(name) } }
    }
    driver.tendClaims()
    let first = try #require(driver.claims.wait).held.claim.name
    driver.retryClaims()
    driver.tendClaims()
    #expect(driver.claims.wait?.held.claim.name == first)
    #expect(granted.withLock { $0 } == [])

    // The kernel closes what a process had open.
    withExtendedLifetime(others) {}
    others = []
    #expect(
      eventually {
        driver.tendClaims()
        return granted.withLock { $0.count } == names.count
      })
    #expect(driver.claims.wait == nil)
    withExtendedLifetime(wanted) {}
    driver.endClaims()
    driver.leave()
  }

  @Test func `the next claim is waited for when the first isn't wanted any more`() throws {
    let claims = ClaimBoard()
    let driver = try driver(claims)
    let stateFolder = try StateFolder.open(folder.path("state"))
    let others = try ["one", "two"].map { name in
      try #require(
        try ClaimLock.take(ClaimLock.name(name, of: driver.file.resolvedPath), in: stateFolder, waits: false))
    }
    var wanted: [EffectClaim?] = ["one", "two"].map { claims.claim($0, isOrigin: false) {} }
    driver.tendClaims()
    #expect(driver.claims.wait?.held.claim.name == "one")
    wanted[0] = nil
    driver.tendClaims()
    #expect(driver.claims.wait?.held.claim.name == "two")
    wanted[1] = nil
    driver.tendClaims()
    #expect(driver.claims.wait == nil)
    for lock in others { lock.release() }
    driver.endClaims()
    driver.leave()
  }
}
