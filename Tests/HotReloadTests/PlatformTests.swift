import CLinux
import Glibc
import StateJSON
import Synchronization
import TestSupport
import TestThreads
import Testing

@testable import HotReload

@Suite(.ownThreads) struct PlatformTests {
  @Test func `a file may be of any year`() throws {
    let folder = try TemporaryFolder()
    try folder.write("1", to: "x")
    for year in [-9_300_000_000, 9_300_000_000] {
      let times = [timespec(tv_sec: year, tv_nsec: 0), timespec(tv_sec: year, tv_nsec: 0)]
      try SystemError.check("utimensat") { utimensat(AT_FDCWD, folder.path("x"), times, 0) }
      #expect(try FileStatus(of: folder.path("x")).modified.signum() == year.signum())
      #expect(try FileDescriptor(opening: folder.path("x"), O_RDONLY).wasRead())
    }
  }

  @Test func `a file is read to its end, wherever that was thought to be`() throws {
    let folder = try TemporaryFolder()
    for count in [0, 1, 5000, 10_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      try folder.write(bytes, to: "x")
      let file = try FileDescriptor(opening: folder.path("x"), O_RDONLY)
      for expected in [0, count / 2, count - 1, count, count + 1, 20_000] {
        #expect(try file.contents(expecting: expected, limit: .max) == bytes, "\(count) \(expected)")
      }
      if count > 0 { #expect(throws: SystemError.self) { try file.contents(expecting: count, limit: count - 1) } }
    }
    // What has no size of its own.
    let own = try FileDescriptor(opening: "/proc/self/status", O_RDONLY).contents(expecting: 0, limit: .max)
    #expect(own.last == UInt8(ascii: "\n"))
    #expect(own.count > 500)
  }

  @Test func `a file is compared and hashed to its end, piece by piece`() throws {
    let folder = try TemporaryFolder()
    let piece = FileDescriptor.pieceSize
    for count in [0, 1, piece - 1, piece, piece + 1, 3 * piece, 3 * piece + 17] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + $0 >> 8) }
      try folder.write(bytes, to: "x")
      let file = try FileDescriptor(opening: folder.path("x"), O_RDONLY)
      #expect(try file.holds(bytes), "\(count)")
      #expect(try !file.holds(bytes + [0]), "\(count)")
      for expected in [0, count, count + 1] {
        #expect(try file.contentHash(expecting: expected) == ContentHash(bytes), "\(count) \(expected)")
      }
      for index in [0, count / 2, count - 1] where count > 0 {
        var other = bytes
        other[index] ^= 1
        #expect(try !file.holds(other), "\(count) \(index)")
      }
      if count > 0 { #expect(try !file.holds(bytes.dropLast()), "\(count)") }
    }
  }

  /// What was said to be in the file isn't, which shows what was written.
  @Test func `of what is in a file already only the first piece is written`() throws {
    let folder = try TemporaryFolder()
    let piece = Overwriting.pieceSize
    // The last ones are more than is read at once.
    #expect(9 * piece > 2 * FileDescriptor.pieceSize)
    for (size, changed, count, written) in [
      (4 * piece, [], 4 * piece, [0..<piece]),
      (4 * piece, [0], 4 * piece, [0..<piece]),
      (4 * piece, [piece], 4 * piece, [0..<2 * piece]),
      (4 * piece, [2 * piece - 1, 4 * piece - 1], 4 * piece, [0..<2 * piece, 3 * piece..<4 * piece]),
      (4 * piece, [2 * piece, 3 * piece + 5], 4 * piece, [0..<piece, 2 * piece..<4 * piece]),
      (4 * piece, [], 2 * piece + 7, [0..<piece]),
      (4 * piece, [2 * piece + 6], 2 * piece + 7, [0..<piece, 2 * piece..<2 * piece + 7]),
      (4 * piece, [], 4 * piece + 1, [0..<piece, 4 * piece..<4 * piece + 1]),
      (4 * piece, [], 6 * piece, [0..<piece, 4 * piece..<6 * piece]),
      (4 * piece, [], 3, [0..<3]),
      (4 * piece, [], 0, [Range<Int>]()),
      (9 * piece + 5, [], 9 * piece + 5, [0..<piece]),
      (9 * piece + 5, [4 * piece, 8 * piece], 9 * piece, [0..<piece, 4 * piece..<5 * piece, 8 * piece..<9 * piece]),
      (9 * piece + 5, [9 * piece], 9 * piece + 5, [0..<piece, 9 * piece..<9 * piece + 5]),
      (9 * piece + 5, [8 * piece], 9 * piece, [0..<piece, 8 * piece..<9 * piece]),
    ] {
      let known = (0..<size).map { UInt8(ascii: "k") + UInt8($0 / piece) }
      var bytes = known.prefix(count) + [UInt8](repeating: UInt8(ascii: "b"), count: max(0, count - size))
      for place in changed { bytes[place] = UInt8(ascii: "c") }
      var expected = [UInt8](repeating: UInt8(ascii: "x"), count: max(count, size))
      for range in written { expected.replaceSubrange(range, with: bytes[range]) }
      try folder.write(known, to: "known")
      let (hash, read) = try FileDescriptor(opening: folder.path("known"), O_RDONLY)
        .contentHash(expecting: size, under: Array(bytes))
      #expect(hash == ContentHash(known))
      for overwriting in [Overwriting(Array(bytes), over: known), read] {
        #expect(overwriting.isWhole == (written.reduce(0) { $0 + $1.count } == count))
        try folder.write([UInt8](repeating: UInt8(ascii: "x"), count: size), to: "x")
        try FileDescriptor(opening: folder.path("x"), O_RDWR).write(overwriting)
        #expect(try folder.bytes(of: "x") == expected, "\(changed) \(count) over \(size)")
      }
    }
  }

  /// By whom it was asked for, each time anew: the end of a lease takes back what was set for it.
  @Test func `a broken lease doesn't end the process, and the opener waits until it is over`() throws {
    let folder = try TemporaryFolder()
    try folder.write("1", to: "x")
    let path = folder.path("x")
    let leased = try FileDescriptor(opening: path, O_RDONLY)
    for _ in 1...2 {
      // A child of another test may still have what was open for writing.
      #expect(eventually { leased.take(.read) == .granted })
      let events = Events()
      let thread = try DriverThread(name: "opener") {
        // Non-blocking, so that it fails after having asked for the lease to be broken.
        let error = #expect(throws: SystemError.self) {
          _ = try FileDescriptor(opening: path, O_WRONLY | O_NONBLOCK)
        }
        events.add("refused: \(error?.errno == EWOULDBLOCK)")
        let opened = try? FileDescriptor(opening: path, O_WRONLY)
        events.add(opened == nil ? "failed" : "opened")
      }
      while events.all.isEmpty { sched_yield() }
      events.add("released")
      leased.endLease()
      thread.join()
      #expect(events.all == ["refused: true", "released", "opened"])
    }
  }

  private final class Events: Sendable {
    private let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }
    func add(_ event: String) { list.withLock { $0.append(event) } }
  }

  @Test func `a poller wakes for a waker, from another thread, and for the time`() throws {
    let waker = try Waker()
    #expect(try !Poller.wait(for: [waker.rawDescriptor, -1], until: MonotonicClock.now()))
    let thread = try DriverThread(name: "a name of more than fifteen bytes") {
      waker.wake()
      waker.wake()
    }
    #expect(try Poller.wait(for: [waker.rawDescriptor], until: nil))
    thread.join()
    waker.reset()
    #expect(try !Poller.wait(for: [waker.rawDescriptor], until: MonotonicClock.now() + 1000))
    let other = try Waker()
    other.wake()
    let isReadable = try Poller.readable(among: [waker.rawDescriptor, -1, other.rawDescriptor], until: nil)
    #expect([isReadable[0], isReadable[1], isReadable[2]] == [false, false, true])
  }

  @Test func `who is awake is woken without a call, and not later once he waits`() throws {
    let waker = try Waker()
    func isReadable() throws -> Bool { try Poller.wait(for: [waker.rawDescriptor], until: 0) }
    waker.awake(isReadable: false)
    waker.wake()
    waker.wake()
    #expect(waker.isWoken)
    #expect(try !isReadable())
    #expect(!waker.prepareToWait())
    waker.awake(isReadable: false)
    #expect(!waker.isWoken)

    #expect(waker.prepareToWait())
    waker.wake()
    waker.wake()
    #expect(try isReadable())
    waker.awake(isReadable: true)
    #expect(try !isReadable())
    #expect(!waker.isWoken)
  }

  @Test func `no wake is lost between being awake and waiting`() throws {
    let waker = try Waker()
    let asked = Atomic<Int>(0)
    let seen = Atomic<Int>(0)
    let rounds = 20_000
    let asker = try DriverThread(name: "asker") {
      for round in 1...rounds {
        asked.store(round, ordering: .releasing)
        waker.wake()
        while seen.load(ordering: .acquiring) < round { sched_yield() }
      }
    }
    while seen.load(ordering: .relaxed) < rounds {
      let deadline = TestPatience.deadline
      let isReadable = try Poller.wait(for: [waker.rawDescriptor], until: waker.prepareToWait() ? deadline : 0)
      let isWoken = waker.isWoken || isReadable
      waker.awake(isReadable: isReadable)
      try #require(isWoken, "a wake was lost")
      seen.store(asked.load(ordering: .acquiring), ordering: .releasing)
    }
    asker.join()
  }

  @Test func `no wake is lost while those before it are forgotten`() throws {
    let waker = try Waker()
    let asked = Atomic<Int>(0)
    let seen = Atomic<Int>(0)
    let rounds = 200_000
    let wasLost = Atomic<Bool>(false)
    let asker = try DriverThread(name: "asker") {
      for round in 1...rounds {
        // Each time at another moment of what the waiting thread does.
        for _ in 0..<round % 500 { _ = wasLost.load(ordering: .relaxed) }
        asked.store(round, ordering: .releasing)
        waker.wake()
        // One ahead, so that it is asked for the next while the one before is being forgotten.
        while seen.load(ordering: .acquiring) < round - 1, !wasLost.load(ordering: .relaxed) {}
      }
    }
    defer { asker.join() }
    while seen.load(ordering: .relaxed) < rounds {
      if try !Poller.wait(for: [waker.rawDescriptor], until: TestPatience.deadline) {
        wasLost.store(true, ordering: .relaxed)
        Issue.record("a wake was lost after \(seen.load(ordering: .relaxed))")
        return
      }
      waker.reset()
      seen.store(asked.load(ordering: .acquiring), ordering: .releasing)
    }
  }

  @Test func `a thread is polite only while it sleeps, and one for which a policy was chosen keeps that`() throws {
    let policies = Mutex<[Int32]>([])
    let (batch, idle) = (Int32(LINUX_SCHED_BATCH), Int32(5))
    let note = { @Sendable in policies.withLock { $0.append(sched_getscheduler(0)) } }
    try DriverThread(name: "polite") {
      let wakeUp = WakeUp()
      wakeUp.politely(note)
      note()
      // What is started by it is as it is then.
      try? DriverThread(name: "child", note).join()
      var parameters = sched_param()
      sched_setscheduler(0, idle, &parameters)
      WakeUp().politely(note)
      note()
    }.join()
    #expect(policies.withLock { $0 } == [batch, SCHED_OTHER, SCHED_OTHER, idle, idle])
  }

  @Test(.enabled(if: AllowedProcessors().count > 1, "there is another processor"))
  func `a thread leaves its processor, and may come back to it`() throws {
    let outcome = Mutex<(hasLeft: Bool, mayComeBack: Bool)?>(nil)
    try DriverThread(name: "leaves") {
      let allowed = AllowedProcessors()
      let hasLeft = eventually {
        let former = Processor.current
        Processor.leave()
        return Processor.current != former
      }
      outcome.withLock { $0 = (hasLeft, AllowedProcessors() == allowed) }
    }.join()
    let (hasLeft, mayComeBack) = try #require(outcome.withLock { $0 })
    #expect(hasLeft)
    #expect(mayComeBack)
  }

  @Test func `who may use one processor stays on it`() throws {
    let outcome = Mutex<(former: Int32, now: Int32, isSame: Bool)?>(nil)
    try DriverThread(name: "stays") {
      let former = Processor.current
      let only = AllowedProcessors(only: former)
      only.apply()
      Processor.leave()
      let isSame = AllowedProcessors() == only
      outcome.withLock { $0 = (former, Processor.current, isSame) }
    }.join()
    let (former, now, isSame) = try #require(outcome.withLock { $0 })
    #expect(now == former)
    #expect(isSame)
  }

  @Test func `a thread of ours lets a trap through, and no signal that is sent`() throws {
    let blocked = Mutex<[Int32]>([])
    let signals = [SIGSEGV, SIGILL, SIGFPE, SIGBUS, SIGTRAP, SIGABRT, SIGSYS, SIGINT, SIGTERM, SIGHUP, SIGURG]
    try DriverThread(name: "masked") {
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      for signal in signals where sigismember(&mask, signal) == 1 { blocked.withLock { $0.append(signal) } }
    }.join()
    #expect(blocked.withLock { $0 } == [SIGINT, SIGTERM, SIGHUP, SIGURG])
  }

  @Test(arguments: [
    (SystemError(call: "openat", errno: EACCES, path: "/x/y"), "cannot open '/x/y': permission denied"),
    (SystemError(call: "flock", errno: ENOLCK, path: "/x"), "cannot lock '/x': no locks available"),
    (SystemError(call: "pwrite", errno: ENOSPC, path: "/x"), "cannot write '/x': no space left on device"),
    (SystemError(call: "eventfd", errno: EMFILE), "cannot eventfd: too many open files"),
    (SystemError(call: "pread", errno: 9999, path: "/x"), "cannot read '/x': error 9999"),
    (SystemError(call: "pread", errno: 0, path: "/x", detail: "is too large"), "cannot read '/x': is too large"),
  ])
  func `an error says what could not be done, to what, and why`(error: SystemError, text: String) {
    #expect(error.description == text)
  }

  @Test func `a walk names every link and folder on the way`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("real")
    try folder.write("1", to: "real/x")
    try folder.link("dir", to: folder.path("real"))
    try folder.link("real/y", to: "../dir/./x")
    let root = folder.path
    let steps = try PathWalk(folder.path("dir/y")).steps.map { "\($0.directory)/\($0.name) \($0.kind)" }
    let passed = [
      "dir symbolicLink", "real directory", "real/y symbolicLink", "dir symbolicLink", "real directory",
      "real/x target",
    ]
    #expect(steps.filter { $0.hasPrefix(root + "/") } == passed.map { "\(root)/\($0)" })
    #expect(try PathWalk(folder.path("dir/y")).target?.name == "x")
    #expect(try PathWalk(folder.path("no/y")).target == nil)
    #expect(try PathWalk(folder.path("no/y")).steps.last?.kind == .missing)
  }

  @Test func `what is hooked to the exit runs there, the newest first, unless cancelled`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let events = Events()
      _ = ExitHook { _exit(events.all == ["newest", "middle"] ? 7 : 1) }
      ExitHook { events.add("cancelled") }.cancel()
      _ = ExitHook { events.add("middle") }
      _ = ExitHook { events.add("newest") }
      exit(0)
    }
  }

  @Test func `a place says what it allows, and nothing is left there`() throws {
    let folder = try TemporaryFolder()
    try folder.write("1", to: "x")
    let report = try PlaceReport(probing: folder.path("x"))
    #expect(report.canExchange)
    #expect(report.hasLeases)
    #expect(report.notesReaders == readingIsNoted)
    #expect(report.hasAttributes)
    #expect(report.canLockFolder)
    #expect(report.isLossProof)
    #expect(report.blindness == nil)
    #expect(try folder.names == ["x"])
    #expect(try FileSystemKind(at: "/proc").description == "0x9fa0")
  }

  @Test func `a state folder is made with its parents, for this user only`() throws {
    let folder = try TemporaryFolder()
    let opened = try StateFolder.open(folder.path("p/q/r"))
    #expect(opened.path == folder.path("p/q/r"))
    #expect(try folder.status(of: "p/q/r").permissions == 0o700)
  }

  @Test func `watches are found whatever the order of their numbers`() {
    // The kernel begins anew with the lowest that is free.
    let numbers: [Int32] = [1_000, 1_001, 3, 2_000, 1, 2, 999]
    var table = WatchTable<Int32>()
    for number in numbers { table.add([number], to: number) }
    for number in numbers { table.add([-number], to: number) }
    for number in numbers {
      #expect(table.index(of: number).map { table.entries[$0].subscriptions } == [number, -number])
    }
    #expect([0, 4, 1_002, 3_000].allSatisfy { table.index(of: $0) == nil })
  }
}
