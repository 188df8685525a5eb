import CLinux
import Glibc
import StateJSON
import StoreCore
import Synchronization
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// What a driver does besides carrying out instructions.
@Suite(.ownThreads) struct DriverTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(#"{"n":1,"t":"a"}"#, to: "state.json")
  }

  /// Who sees the file change may take the lock for that.
  func options() -> ReplicatorOptions {
    ReplicatorOptions(
      replica: ReplicaOptions(file: folder.path("state.json"), instance: "me"), watches: false,
      stateFolder: folder.path("state"))
  }

  /// Leaves a save as an instance does that is killed before it looks at what it has displaced.
  func leaveOrphan(_ text: String) throws -> String {
    let dying = try SharedFile(path: folder.path("state.json"), instance: "dying", stateFolder: folder.path("state"))
    var orphan = ""
    try dying.locked {
      let base = try dying.contentsNow()
      dying.onStep = { [folder] in
        if $0 == .beforeExchange { try? folder.save(text, to: "state.json") }
      }
      guard case .displaced = try dying.replace(#"{"n":2,"t":"a"}"#, base) else {
        Issue.record("not displaced")
        return
      }
      orphan = try #require(dying.displaced.first).name
    }
    dying.die()
    return orphan
  }

  @Test func `what a killed instance left is looked after by one that has nothing to write`() throws {
    let view = SumView()
    let driver = try Driver(
      view: view, model: SumModel(), initial: .null, options: options(), waker: Waker())
    try driver.start()
    let orphan = try leaveOrphan(#"{"n":1,"t":"b"}"#)
    #expect(try folder.names.contains(orphan))

    driver.pulse.ticks = Driver.ticksPerRead - 1
    driver.deadlines[.tick] = 0
    driver.fireTimers()
    #expect(
      try eventually {
        driver.keepHouse()
        return try !folder.names.contains(orphan)
      })
    #expect(try folder.text(of: "state.json") == #"{"n":2,"t":"b"}"#)
    #expect(view.problems == [])
    driver.leave()
    #expect(try folder.names == ["state", "state.json"])
  }

  @Test(arguments: [false, true])
  func `a version that a killed instance had brought into the file counts, although somebody saved over it`(
    inBurst: Bool
  ) throws {
    let driver = try Driver(view: SumView(), model: SumModel(), initial: .null, options: options(), waker: Waker())
    try driver.start()
    let dying = try SharedFile(path: folder.path("state.json"), instance: "dying", stateFolder: folder.path("state"))
    let log = VersionLog(of: dying.resolvedPath, in: folder.path("state"))
    /// Commits up to where it is noted that the version stands.
    func commit(_ text: String) throws -> Version {
      let base = try dying.contentsNow()
      let new = try JSONDocument(parsing: Array(text.utf8))
      let version = Version(hash: ContentHash(new.bytes), time: WallClock.now(), cause: .action, instance: "dying")
      try log.append(version, value: new.value, over: (base.hash, JSONValue(parsing: base.text)), stands: false)
      _ = try dying.replace(text, base)
      return version
    }
    try dying.locked {
      let isInBurst =
        try !inBurst
        || eventually {
          for text in [#"{"n":0,"t":"a"}"#, #"{"n":1,"t":"a"}"#] {
            let version = try commit(text)
            try log.confirmNewest(ifBeginningWith: version.hash.description)
          }
          let name = dying.partner.swappedOut?.name
          return name == SharedFileName(burstOf: "dying").text(dying.prefix)
        }
      #expect(isInBurst)
      _ = try commit(#"{"n":2,"t":"a"}"#)
      dying.partner.swappedOut = nil
      try bury(dying) {
        try folder.save(#"{"n":1,"t":"b"}"#, to: "state.json")
        driver.look()
      }
    }
    // Saved from the version before: what the killed instance did is kept.
    #expect(try folder.text(of: "state.json") == #"{"n":2,"t":"b"}"#)
    driver.leave()
  }

  @Test func `a version that a killed instance was writing in place counts once that is completed`() throws {
    let path = folder.path("state.json")
    let old = Array(try folder.text(of: "state.json").utf8)
    let new = try JSONDocument(parsing: Array(#"{"n":2,"t":"a","u":"b"}"#.utf8))
    let version = Version(hash: ContentHash(new.bytes), time: WallClock.now(), cause: .action, instance: "dying")
    func log() -> VersionLog { VersionLog(of: path, in: folder.path("state")) }
    let before = try JSONDocument(parsing: old).value
    try log().append(version, value: new.value, over: (ContentHash(old), before), stands: false)
    let stamp = Stamp(content: version.hash, predecessor: ContentHash(old), instance: "dying")
    try RedoRecord(base: old, new: new.bytes, stamp: stamp).save(for: path, in: folder.path("state"), flush: false)
    try folder.write(String(decoding: new.bytes.dropLast(5), as: UTF8.self), to: "state.json")
    #expect(try log().newest() == nil)
    let driver = try Driver(view: SumView(), model: SumModel(), initial: .null, options: options(), waker: Waker())
    try driver.file.locked { _ = try driver.readUnderLock() }
    #expect(try folder.text(of: "state.json") == #"{"n":2,"t":"a","u":"b"}"#)
    #expect(try log().newest() == version.hash)
  }

  @Test func `a write in place that was cut short is completed by one that has nothing to write`() throws {
    let (old, new) = (Array(#"{"n":1,"t":"a"}"#.utf8), Array(#"{"n":2,"t":"a","u":"b"}"#.utf8))
    let stamp = Stamp(content: ContentHash(new), predecessor: ContentHash(old), instance: "dead")
    let record = RedoRecord(base: old, new: new, stamp: stamp)
    try record.save(for: folder.path("state.json"), in: folder.path("state"), flush: false)
    try folder.write(String(decoding: new.dropLast(5), as: UTF8.self), to: "state.json")
    let driver = try Driver(view: SumView(), model: SumModel(), initial: .null, options: options(), waker: Waker())
    try driver.start()
    // Once it is clear that nobody is writing it any more.
    #expect(
      try eventually {
        driver.pulse.ticks = Driver.ticksPerRead - 1
        driver.deadlines[.tick] = 0
        driver.fireTimers()
        return try folder.text(of: "state.json") == #"{"n":2,"t":"a","u":"b"}"#
      })
    driver.leave()
    #expect(try folder.names(in: "state").filter { $0.hasSuffix(".redo") } == [])
  }

  @Test func `what a killed instance left is looked after before leaving`() throws {
    let view = SumView()
    let replicator = try Replicator(view: view, model: SumModel(), initial: .null, options: options())
    let orphan = try leaveOrphan(#"{"n":1,"t":"b"}"#)
    #expect(try folder.names.contains(orphan))
    replicator.closeAndWait(within: .seconds(10))
    #expect(try folder.text(of: "state.json") == #"{"n":2,"t":"b"}"#)
    #expect(try folder.names == ["state", "state.json"])
    #expect(view.problems == [])
  }

  @Test func `where the log of versions needs a program that knows more, that is told once, and work goes on`() throws {
    let path = folder.path("state.json")
    let text = #"read 00000000000000000000666f726d6174 - 0 action format {"format":3,"needs":3}"#
    let line = Array("\("\(ContentHash(Array(text.utf8)))".prefix(16)) \(text)\n".utf8)
    let log = "state/\(ContentHash(Array(path.utf8))).versions"
    try folder.makeFolder("state")
    try folder.write(line, to: log)
    let view = SumView()
    let replicator = try Replicator(view: view, model: SumModel(), initial: .null, options: options())
    for number in 2...4 {
      view.submit(SumModel.Add(key: "n", amount: 1))
      replicator.submitted()
      #expect(try eventually { try folder.text(of: "state.json") == #"{"n":\#(number),"t":"a"}"# })
    }
    replicator.closeAndWait(within: .seconds(10))
    #expect(view.problems.count == 1)
    #expect(view.problems.first?.contains("recent versions of '\(path)' can't be kept") == true)
    #expect(view.problems.first?.contains("'\(folder.path(log))': only programs that know format 3") == true)
    #expect(try folder.bytes(of: log) == line)
  }

  @Test func `what was saved before the end is told`() throws {
    let published = Mutex<[JSONValue]>([])
    let closing = Mutex<Replicator?>(nil)
    let isEnded = try Waker()
    let path = folder.path("state.json")
    let view = SumView { state in
      let count = published.withLock { published in
        published.append(state)
        return published.count
      }
      guard count == 2 else { return }
      // While the driver is busy, so that it hears of both at once.
      do {
        try FileDescriptor(opening: path, System.O_WRONLY).write(Array(#"{"n":3,"t":"a"}"#.utf8))
      } catch {
        Issue.record(error)
      }
      closing.withLock { $0 }?.close(within: .seconds(10)) { _ in isEnded.wake() }
    }
    var options = options()
    options.watches = true
    let replicator = try Replicator(view: view, model: SumModel(), initial: .null, options: options)
    closing.withLock { $0 = replicator }
    try folder.save(#"{"n":2,"t":"a"}"#, to: "state.json")
    #expect(try Poller.wait(for: [isEnded.rawDescriptor], until: TestPatience.deadline))
    #expect(published.withLock { $0.map { "\($0)" } } == [1, 2, 3].map { #"{"n":\#($0),"t":"a"}"# })
    closing.withLock { $0 = nil }
  }

  /// Lets an instance be killed, or go on, while it has moved the file aside and holds the lock.
  func whileAside(_ body: @escaping (_ dying: SharedFile) throws -> Void) throws {
    let dying = try SharedFile(
      path: folder.path("state.json"), instance: "dying", stateFolder: folder.path("state"),
      capabilities: Capabilities(exchange: false))
    try dying.locked {
      let base = try dying.contentsNow()
      dying.onStep = {
        guard $0 == .whileMissing else { return }
        do { try body(dying) } catch { Issue.record(error) }
      }
      // What it does after its death doesn't count; it may well fail.
      _ = try? dying.replace(#"{"n":2,"t":"a"}"#, base)
    }
  }

  /// Gives an instance that never ends the lock of a dead one.
  func bury(_ dying: SharedFile, _ body: () throws -> Void) throws {
    dying.unlock()
    defer { #expect(throws: Never.self) { try #require(eventually { try dying.tryLock() }) } }
    try body()
  }

  @Test func `what was taken over is looked after also where nothing is written`() throws {
    let driver = try Driver(view: SumView(), model: SumModel(), initial: .null, options: options(), waker: Waker())
    try driver.start()
    let orphan = try leaveOrphan(#"{"n":1,"t":"b"}"#)
    let writer = try FileDescriptor(opening: folder.path(orphan), O_RDWR)
    driver.hasRecovered = false
    try driver.file.locked { _ = try driver.readUnderLock() }
    #expect(driver.file.hasDisplaced)
    #expect(driver.deadlines[.housekeeping] != nil)
    _ = consume writer
    #expect(
      eventually {
        driver.keepHouse()
        return !driver.file.hasDisplaced
      })
    driver.leave()
  }

  @Test(arguments: [JoinPolicy.require, .adopt, .create])
  func `a file that a killed instance had moved aside is brought back by one that starts`(join: JoinPolicy) throws {
    var options = options()
    options.replica.join = join
    try whileAside { dying in
      try bury(dying) {
        let driver = try Driver(view: SumView(), model: SumModel(), initial: .null, options: options, waker: Waker())
        try driver.start()
        #expect(try driver.replica.document == JSONValue(parsing: #"{"n":1,"t":"a"}"#))
        driver.leave()
        #expect(try folder.names == ["state", "state.json"])
      }
    }
    #expect(try folder.text(of: "state.json") == #"{"n":1,"t":"a"}"#)
  }

  @Test(arguments: [JoinPolicy.require, .adopt, .create])
  func `a file that is aside while another has the lock is waited for, and does not count as missing`(
    join: JoinPolicy
  ) throws {
    var options = options()
    options.replica.join = join
    let path = options.replica.file
    try whileAside { _ in
      let driver = try Driver(view: SumView(), model: SumModel(), initial: .null, options: options, waker: Waker())
      let deadline = MonotonicClock.now() + 2 * Driver.firstPatience
      let problem = #expect(throws: Problem.self) { try driver.start(until: deadline) }
      #expect(problem?.code == .cannotLock)
      #expect(problem?.message == "somebody else has the lock of '\(path)', and has moved it aside")
      #expect(MonotonicClock.now() >= deadline)
    }
    #expect(try folder.text(of: "state.json") == #"{"n":2,"t":"a"}"#)
  }

  @Test func `a file does not count as missing at the start before it was looked for under the lock`() throws {
    var options = options()
    options.replica.join = .require
    let busy = try SharedFile(path: folder.path("state.json"), instance: "busy", stateFolder: folder.path("state"))
    try busy.locked {
      try folder.remove("state.json")
      let driver = try Driver(view: SumView(), model: SumModel(), initial: .null, options: options, waker: Waker())
      let deadline = MonotonicClock.now() + 3 * Driver.firstPatience
      let problem = #expect(throws: Problem.self) { try driver.start(until: deadline) }
      #expect(problem?.message == "there is no file '\(options.replica.file)'")
      #expect(MonotonicClock.now() >= deadline)
    }
  }

  @Test func `a file that an editor is making anew is not made by one that has just looked for it in vain`() throws {
    try folder.remove("state.json")
    let driver = try Driver(view: SumView(), model: SumModel(), initial: .null, options: options(), waker: Waker())
    driver.file.at(.whileAwaited) { [folder] in try folder.write(#"{"n":5,"t":"b"}"#, to: "state.json") }
    driver.perform(driver.replica.handle(.seen(.missing)))
    #expect(try driver.replica.document == JSONValue(parsing: #"{"n":5,"t":"b"}"#))
    driver.leave()
    #expect(try folder.text(of: "state.json") == #"{"n":5,"t":"b"}"#)
  }

  @Test func `a file that is gone is missing at the start, whatever an instance keeps of it`() throws {
    let keeper = try SharedFile(
      path: folder.path("state.json"), instance: "keeper", stateFolder: folder.path("state"),
      capabilities: Capabilities(exchange: false))
    try keeper.locked {
      keeper.onStep = { [folder] in if $0 == .whileMissing { try? folder.write("{}", to: "state.json") } }
      let base = try keeper.contentsNow()
      #expect(try keeper.replace(#"{"n":2}"#, base) == .changed)
    }
    #expect(keeper.hasDisplaced)
    try folder.remove("state.json")
    var options = options()
    options.replica.join = .require
    let driver = try Driver(view: SumView(), model: SumModel(), initial: .null, options: options, waker: Waker())
    let problem = #expect(throws: Problem.self) { try driver.start() }
    #expect(problem?.message == "there is no file '\(options.replica.file)'")
  }

  @Test func `a file that a killed instance had moved aside does not come to count as deleted`() throws {
    let view = SumView()
    let driver = try Driver(view: view, model: SumModel(), initial: .null, options: options(), waker: Waker())
    try driver.start()
    try whileAside { dying in
      try bury(dying) {
        driver.look()
        driver.deadlines[.replica(.grace)] = 0
        driver.fireTimers()
        let text = try folder.text(of: "state.json")
        #expect(text == #"{"n":1,"t":"a"}"#)
        driver.look()
      }
    }
    #expect(view.problems == [])
    driver.leave()
  }

  @Test func `while the lock is waited for, a save is seen at once, and what an instance does a little later`() throws {
    let shown = Shown()
    let view = SumView { shown.show($0) }
    var options = options()
    options.watches = true
    let driver = try Driver(view: view, model: SumModel(), initial: .null, options: options, waker: Waker())
    try driver.start()
    let other = try SharedFile(path: folder.path("state.json"), instance: "other", stateFolder: folder.path("state"))
    #expect(try other.tryLock())
    view.submit(.init(key: "n", amount: 1))
    driver.perform(driver.replica.handle(.submitted))
    #expect(driver.lockWait != nil)

    // As many as it takes: who else has it open for a moment, such as a process that another test begins, seems to have
    // written to it when that closes it, and then it is looked at at once.
    var number = 1
    var before: [Int?] = []
    var contents = try other.contentsNow()
    #expect(
      try eventually {
        before = shown.numbers
        number += 1
        contents = try other.replaced(#"{"n":\#(number),"t":"a"}"#, contents)
        driver.noticeChanges(isCommitNext: true)
        return driver.deadlines[.look] != nil
      })
    #expect(shown.numbers == before)
    #expect(
      eventually {
        driver.wait(until: 0)
        return driver.deadlines[.look] == nil
      })
    #expect(shown.numbers == before + [number])

    try folder.save(#"{"n":70,"t":"a"}"#, to: "state.json")
    #expect(
      eventually {
        driver.noticeChanges(isCommitNext: true)
        return shown.numbers.last == 70
      })
    #expect(driver.deadlines[.look] == nil)
    #expect(shown.numbers == before + [number, 70])

    other.unlock()
    #expect(
      eventually {
        driver.wait(until: 0)
        return driver.isCommitted
      })
    #expect(try folder.text(of: "state.json") == #"{"n":71,"t":"a"}"#)
    driver.leave()
  }

  /// As the directory tells of its own names only, and the file itself is watched after it was read.
  @Test func `what is written by another name before the file itself is watched is seen`() throws {
    let shown = Shown()
    let view = SumView { shown.show($0) }
    var options = options()
    options.watches = true
    let driver = try Driver(view: view, model: SumModel(), initial: .null, options: options, waker: Waker())
    try driver.start()
    driver.deadlines[.tick] = .max
    try folder.makeFolder("elsewhere")
    try folder.write(#"{"n":2,"t":"a"}"#, to: "elsewhere/other")
    try SystemError.check("linkat") { link(folder.path("elsewhere/other"), folder.path("new")) }
    try folder.rename("new", to: "state.json")
    #expect(
      eventually {
        driver.noticeChanges()
        return shown.numbers.last == 2
      })
    try folder.write(#"{"n":3,"t":"a"}"#, to: "elsewhere/other")
    driver.wait(until: 0)
    #expect(shown.numbers.last == 3)
    driver.leave()
  }

  @Test func `who can't take the lock leaves to others what a killed instance left, and says nothing`() throws {
    let view = SumView()
    let driver = try Driver(
      view: view, model: SumModel(), initial: .null, options: options(), waker: Waker())
    try driver.start()
    _ = driver.replica.handle(.leftovers)
    driver.perform(driver.replica.handle(.failed(Problem(.cannotLock, file: "state.json", message: "no"))))
    #expect(view.problems == [])
    #expect(driver.replica.obstacle == nil)
  }
}

/// What `n` was in the states that were shown.
private final class Shown: Sendable {
  private let states = Mutex<[Int?]>([])

  var numbers: [Int?] { states.withLock { $0 } }

  func show(_ state: JSONValue) {
    guard case .object(let object) = state, case .number(let number)? = object["n"] else { return }
    states.withLock { $0.append(number.exactly(Int.self)) }
  }
}

/// A view that submits nothing, and remembers what was reported.
final class SumView: ReplicaView {
  typealias Model = SumModel

  private let reported = Mutex<[String]>([])
  private let submitted = Mutex<[SumModel.Add]>([])
  let claims: ClaimBoard?
  private let onPublish: @Sendable (JSONValue) -> Void

  init(claims: ClaimBoard? = nil, onPublish: @escaping @Sendable (JSONValue) -> Void = { _ in }) {
    self.claims = claims
    self.onPublish = onPublish
  }

  var problems: [String] { reported.withLock { $0 } }
  func notify(_ notice: Notice) {}
  var submittedCount: Int { submitted.withLock { $0.count } }

  func submit(_ action: SumModel.Add) { submitted.withLock { $0.append(action) } }

  func drain(over found: FoundDocument?) -> (actions: [SumModel.Add], state: JSONValue?) {
    submitted.withLock { actions in
      defer { actions.removeAll() }
      return (actions, nil)
    }
  }

  func publish(_ state: JSONValue, cause: Cause, version: ContentHash?) { onPublish(state) }
  func acknowledge(_ count: Int, outcomes: [Int?], state: JSONValue, version: ContentHash) {}

  func report(_ event: ProblemEvent) {
    if case .occurred(let problem) = event { reported.withLock { $0.append("\(problem)") } }
  }
}
