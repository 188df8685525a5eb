import StateJSON
import TestSupport
import Testing

@testable import HotReload

/// Commits that follow each other at once keep the lock in between, but not for long.
@Suite struct BurstTests {
  let folder: TemporaryFolder
  let view: SumView
  let driver: Driver
  let waker: Waker
  let other: SharedFile

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(#"{"n":0,"t":"a"}"#, to: "state.json")
    let options = ReplicatorOptions(
      replica: ReplicaOptions(file: folder.path("state.json"), instance: "me"), watches: false,
      stateFolder: folder.path("state"))
    view = SumView()
    waker = try Waker()
    driver = try Driver(view: view, model: SumModel(), initial: .null, options: options, waker: waker)
    try driver.start()
    driver.isRunning = true
    driver.isInBurst = true
    other = try SharedFile(path: folder.path("state.json"), instance: "other", stateFolder: folder.path("state"))
  }

  func increment() {
    view.submit(.init(key: "n", amount: 1))
    driver.perform(driver.replica.handle(.submitted))
  }

  /// Increments until the lock is kept; on a machine that is busy the time for that may be over by then.
  func incrementAndRest() {
    #expect(
      eventually {
        increment()
        if driver.file.isResting { return true }
        driver.isInBurst = true
        return false
      })
  }

  @Test func `the lock is kept after a commit that another one most likely follows, and given back if none does`()
    throws
  {
    incrementAndRest()
    #expect(try !other.tryLock())
    driver.wait(until: 0)
    #expect(!driver.file.isResting)
    #expect(try other.tryLock())
    other.unlock()
    driver.leave()
  }

  @Test func `what comes at once finds it kept`() throws {
    #expect(
      eventually {
        incrementAndRest()
        waker.wake()
        driver.wait()
        return driver.file.isResting && driver.isInBurst
      })
    driver.leave()
    #expect(try folder.names == ["state", "state.json"])
  }

  @Test func `others get it after a while, however many commits follow`() throws {
    incrementAndRest()
    #expect(
      eventually {
        increment()
        return !driver.file.isResting
      })
    #expect(driver.isInBurst)
    #expect(try other.tryLock())
    other.unlock()
    driver.leave()
  }

  @Test func `a commit long after the last one is none of a burst`() throws {
    driver.isInBurst = false
    driver.lastCommit = MonotonicClock.now() - Driver.burstGap
    increment()
    #expect(!driver.file.isResting)
    driver.leave()
  }

  @Test func `who commits once doesn't keep it`() throws {
    driver.isRunning = false
    increment()
    #expect(!driver.file.isResting)
    driver.leave()
  }

  @Test func `what others save while it is kept is merged, and nothing is lost`() throws {
    incrementAndRest()
    let text = try folder.text(of: "state.json")
    let number = try JSONValue(parsing: Array(text.utf8)).value(at: JSONPointer(["n"]))
    try folder.save(text.replacing("a", with: "b"), to: "state.json")
    increment()
    let merged = try JSONValue(parsing: Array(folder.text(of: "state.json").utf8))
    #expect(try merged.value(at: JSONPointer(["t"])) == "b")
    guard case .number(let before) = number, case .number(let after) = try merged.value(at: JSONPointer(["n"])) else {
      Issue.record("no numbers")
      return
    }
    #expect(after.exactly(Int.self) == before.exactly(Int.self).map { $0 + 1 })
    driver.leave()
    #expect(try folder.names == ["state", "state.json"])
    #expect(view.problems == [])
  }
}
