import CLinux
import Glibc
import StateJSON
import Synchronization
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// Commits that follow each other at once keep the lock in between, but not for long.
@Suite(.ownThreads) struct BurstTests {
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
    driver.burst.isOn = true
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
        driver.burst.isOn = true
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

  @Test(.enabled(if: AllowedProcessors().count > 1, "there is another processor"))
  func `who is in the way of whoever waits for the commits leaves his processor`() {
    incrementAndRest()
    let attention = Attention()
    #expect(
      eventually {
        let processor = Processor.current
        // Again in a hold of its own, should the kernel have moved this thread in between.
        driver.burst.crowding = Crowding()
        for _ in 1...2 {
          attention.ask().lookOut(on: processor)
          driver.makeRoom(for: attention)
        }
        return Processor.current != processor
      })
    driver.endCommit()
    driver.leave()
  }

  @Test func `a flush is put off by the next commit, but not that what was displaced is looked into`() throws {
    // Again where a child of another test was in the way, or the time was over.
    #expect(
      try eventually {
        driver.keepHouse()
        increment()
        increment()
        let flush = try #require(driver.deadlines[.housekeeping])
        increment()
        return try !driver.needsHousekeeping && #require(driver.deadlines[.housekeeping]) > flush
      })
    let writer = try FileDescriptor(opening: folder.path("state.json"), O_WRONLY)
    increment()
    #expect(driver.file.hasDisplaced)
    let look = try #require(driver.deadlines[.housekeeping])
    increment()
    #expect(driver.deadlines[.housekeeping] == look)
    withExtendedLifetime(writer) { driver.leave() }
  }

  @Test func `who stays has the log of versions thinned while he goes on`() {
    for isRunning in [true, false] {
      driver.isRunning = isRunning
      var thinsAside: Bool?
      driver.remember { log throws(SystemError) in thinsAside = log.thinsAside }
      #expect(thinsAside == isRunning)
    }
  }

  private func isNewestNoted() throws -> Bool {
    let history = try #require(try driver.ledger.versions?.log.history())
    return try history.newest.hash == ContentHash(Array(folder.text(of: "state.json").utf8))
      && history.entries[0].stands
  }

  @Test(arguments: [
    "the lock is given back", "the path is looked at", "the versions are asked for", "it is written",
    "another is added",
  ])
  func `that a version stands is noted with the next one, or before`(event: String) throws {
    // Until then the file that it was swapped with proves it.
    #expect(
      eventually {
        incrementAndRest()
        increment()
        return driver.file.isResting && driver.ledger.unconfirmed != nil
      })
    #expect(try !isNewestNoted())
    let version = try #require(driver.ledger.unconfirmed).hash
    switch event {
    case "the lock is given back": driver.endCommit()
    case "the path is looked at": driver.perform([.look])
    case "the versions are asked for": _ = driver.execute(.recall(unless: .none))
    case "it is written":
      #expect(try driver.file.tryLock())
      guard case .contents(let contents) = try driver.file.read() else {
        Issue.record("nothing is there")
        return
      }
      _ = driver.execute(.replace(Array("1".utf8), hash: ContentHash(Array("1".utf8)), expecting: contents))
    default:
      let content = JSONDocument(formatting: 1)
      let other = ContentHash(content.bytes)
      let record = Driver.Brain.Record(hash: other, content: content, cause: .action, predecessor: nil, lost: [])
      _ = driver.execute(.record([record]))
    }
    let entry = try driver.ledger.versions?.log.history()?.entries.first { $0.version.hash == version }
    #expect(entry?.stands == true)
    if driver.file.isLocked { driver.endCommit() }
    driver.leave()
  }

  @Test func `what somebody has open when a burst ends is looked after`() throws {
    incrementAndRest()
    let writer = try FileDescriptor(opening: folder.path("state.json"), O_RDWR)
    incrementAndRest()
    driver.deadlines[.housekeeping] = nil
    driver.endCommit()
    #expect(driver.file.hasDisplaced)
    #expect(driver.deadlines[.housekeeping] != nil)
    try writer.write(Array(#"{"n":0,"t":"late"}"#.utf8))
    _ = consume writer
    #expect(
      try eventually {
        driver.keepHouse()
        return try folder.text(of: "state.json").contains("late")
      })
    driver.leave()
  }

  @Test func `where what was renamed away proves nothing, that a version stands is noted at once`() throws {
    driver.file.capabilities.exchange = false
    increment()
    driver.burst.isOn = true
    increment()
    #expect(driver.ledger.unconfirmed == nil)
    #expect(try isNewestNoted())
    if driver.file.isResting { driver.endCommit() }
    driver.leave()
  }

  @Test func `that a file that is made stands is noted at once`() throws {
    try folder.remove("state.json")
    let options = ReplicatorOptions(
      replica: ReplicaOptions(file: folder.path("state.json"), instance: "maker"), watches: false,
      stateFolder: folder.path("state"))
    let maker = try Driver(view: view, model: SumModel(), initial: ["n": 0], options: options, waker: Waker())
    (maker.isRunning, maker.burst.isOn) = (true, true)
    try maker.start()
    #expect(maker.ledger.unconfirmed == nil)
    let history = try #require(try maker.ledger.versions?.log.history())
    #expect(try history.newest.hash == ContentHash(Array(folder.text(of: "state.json").utf8)))
    #expect(history.entries[0].stands)
    maker.leave()
  }

  @Test func `a version that can't be noted to stand once the lock is given back is added with the next`() throws {
    #expect(
      eventually {
        incrementAndRest()
        return driver.ledger.unconfirmed != nil
      })
    let log = try #require(driver.ledger.versions?.log)
    let version = try #require(driver.ledger.unconfirmed).hash
    log.giveUp()
    try folder.rename("state", to: "away")
    try folder.write("", to: "state")
    driver.endCommit()
    #expect(view.problems.count == 1 && view.problems[0].contains("recent versions"), "\(view.problems)")
    try folder.remove("state")
    try folder.rename("away", to: "state")
    (driver.burst.isOn, driver.burst.lastCommit) = (false, 0)
    increment()
    #expect(try isNewestNoted())
    #expect(try log.history()?.entries.dropFirst().map(\.version.hash) == [version])
    driver.leave()
  }

  @Test func `what comes at once finds it kept`() throws {
    #expect(
      eventually {
        incrementAndRest()
        waker.wake()
        driver.wait()
        return driver.file.isResting && driver.burst.isOn
      })
    driver.leave()
    #expect(try folder.names == ["state", "state.json"])
  }

  /// The kernel tells of it by a signal, which must not be the one that ends a process.
  @Test func `what is swapped out in a burst may be opened by anybody`() throws {
    for _ in 1...5 {
      // Until both files have come out, and been written, several times; on a machine that is busy a hold may be over before that.
      var (name, rows) = (String?.none, 0)
      let isRow = try eventually {
        incrementAndRest()
        name = try folder.names.first { $0.hasSuffix(".burst") }
        rows = name == nil ? 0 : rows + 1
        return rows == 5
      }
      let burst = try #require(isRow ? name : nil)
      let error = #expect(throws: SystemError.self) {
        _ = try FileDescriptor(opening: folder.path(burst), O_RDONLY | O_NONBLOCK)
      }
      #expect(error?.errno == EWOULDBLOCK)
    }
    driver.leave()
    #expect(view.problems == [])
    #expect(try folder.names == ["state", "state.json"])
  }

  @Test func `others get it after a while, however many commits follow`() throws {
    incrementAndRest()
    #expect(
      eventually {
        increment()
        return !driver.file.isResting
      })
    #expect(driver.burst.isOn)
    #expect(try other.tryLock())
    other.unlock()
    driver.leave()
  }

  @Test(arguments: [false, true])
  func `a commit long after the last one is none of a burst`(isContended: Bool) throws {
    driver.burst.isOn = false
    driver.burst.isContended = isContended
    driver.burst.lastCommit = MonotonicClock.now() - (isContended ? Burst.gap : Burst.pause)
    increment()
    #expect(!driver.file.isResting)
    driver.leave()
  }

  /// Others use the processors, too, so it takes longer for the next action to come.
  @Test func `where others wait for the lock as well a longer pause is no end of a burst`() throws {
    #expect(
      eventually {
        driver.burst.isOn = false
        driver.burst.isContended = true
        driver.burst.lastCommit = MonotonicClock.now() - Burst.pause
        increment()
        return driver.file.isResting
      })
    #expect(driver.burst.isOn)
    driver.leave()
  }

  @Test func `who has to wait for the lock finds that others want it, and who doesn't that they don't any more`() throws
  {
    // Not in a burst, in which the lock is kept.
    (driver.burst.isOn, driver.burst.lastCommit) = (false, 0)
    #expect(try other.tryLock())
    increment()
    driver.lockWait = .init(since: MonotonicClock.now() - Driver.LockWait.longestAsking)
    driver.retryLock()
    #expect(driver.burst.isContended)
    other.unlock()
    #expect(
      eventually {
        driver.wait(until: 0)
        return driver.lockWait == nil
      })
    #expect(driver.burst.isContended)
    driver.burst.lastCommit = 0
    increment()
    #expect(!driver.burst.isContended)
    driver.leave()
  }

  /// A file of the same size, within one tick of the clock of its file system, looks untouched.
  @Test func `what is written in place while nobody is told of it is seen once it is given back`() throws {
    let options = ReplicatorOptions(
      replica: ReplicaOptions(file: folder.path("state.json"), instance: "watcher"), stateFolder: folder.path("state"))
    let shown = Mutex<JSONValue?>(nil)
    let view = SumView { state in shown.withLock { $0 = state } }
    let driver = try Driver(view: view, model: SumModel(), initial: .null, options: options, waker: Waker())
    try driver.start()
    driver.isRunning = true
    let watcher = try #require(driver.watcher)
    var rests = 0
    for round in 0..<100 {
      view.submit(.init(key: "n", amount: 1))
      // Neither the first of a burst, nor one that ends it.
      (driver.burst.isOn, driver.burst.lastCommit) = (true, 0)
      driver.perform(driver.replica.handle(.submitted))
      // On a machine that is busy the time for that may be over by then.
      guard driver.file.isResting else { continue }
      rests += 1
      #expect(watcher.isPaused)
      let letter = round.isMultiple(of: 2) ? "b" : "c"
      let text = try folder.text(of: "state.json").replacing(/"t":"."/, with: #""t":"\#(letter)""#)
      let editor = try Editor(folder.path("state.json"))
      try editor.write(text)
      editor.close()
      driver.endCommit()
      #expect(!watcher.isPaused)
      driver.noticeChanges()
      #expect(try shown.withLock { try $0?.value(at: JSONPointer(["t"])) } == .string(letter))
    }
    #expect(rests > 0)
    driver.leave()
  }

  private static func numberAndState(ofThread path: String) -> (number: Int32, state: Substring) {
    let file = try? FileDescriptor(opening: "/proc/\(path)/stat", O_RDONLY)
    let fields = String(decoding: (try? file?.contents(from: 0, upTo: 4096)) ?? [], as: UTF8.self).split(separator: " ")
    return (fields.first.flatMap { Int32($0) } ?? 0, fields.count > 2 ? fields[2] : "")
  }

  /// So that whoever dispatches isn't put off by the thread that he has woken.
  @Test(arguments: [false, true])
  func `who waits for something to do is woken politely, but not who waits for the lock`(waitsForLock: Bool) throws {
    let number = Mutex<Int32>(0)
    (driver.burst.isOn, driver.burst.lastCommit, driver.deadlines[.tick]) = (false, 0, .max)
    #expect(try other.tryLock())
    if waitsForLock {
      increment()
      driver.lockWait = .init(since: MonotonicClock.now(), pause: TestPatience.limit)
    }
    nonisolated(unsafe) let driver = driver
    let thread = try DriverThread(name: "driver") {
      number.withLock { $0 = Self.numberAndState(ofThread: "thread-self").number }
      driver.wait(until: TestPatience.deadline)
    }
    #expect(
      eventually {
        let number = number.withLock { $0 }
        return number != 0 && Self.numberAndState(ofThread: "self/task/\(number)").state == "S"
          && sched_getscheduler(number) == (waitsForLock ? SCHED_OTHER : Int32(LINUX_SCHED_BATCH))
      })
    waker.wake()
    thread.join()
    other.unlock()
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
