import CLinux
import Glibc
import StateJSON
import Synchronization
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// Instances that commit as fast as they can, and an editor that saves in their midst, on the real kernel.
@Suite(.ownThreads) struct SharedFileTortureTests {
  enum Save: String, CaseIterable {
    case renameOver, truncateAndWrite, writeAndTruncate, piecewise, openIdleWrite
  }

  /// What all threads of one round know.
  final class Round: Sendable {
    let isOver = Atomic(false)
    let commits = Atomic(0)
    let seen = Mutex<Set<String>>([])
    func see(_ contents: Contents) { seen.withLock { _ = $0.insert(contents.text) } }
  }

  /// Commits until the round is over, and takes note of every foreign save it comes across.
  static func commit(_ path: String, _ round: Round, _ instance: Int) throws {
    let file = try SharedFile(path: path, instance: "i\(instance)")
    func drainLate(all: Bool) throws {
      for late in try file.retireDisplaced(includingSpare: all) {
        round.see(late)
        try file.ingested(late)
      }
    }
    while !round.isOver.load(ordering: .acquiring) {
      guard try file.tryLock() else {
        giveWay()
        continue
      }
      // The lock isn't fair: the other one, and the editor, get the processor before it is taken again.
      defer {
        file.unlock()
        giveWay()
      }
      // What is not settled is left to the editor; the file protocol's waiting is the replicator's.
      guard case .contents(let base) = try file.read(), base.settled else { continue }
      if base.stamp == nil { round.see(base) }
      let text = "commit \(instance) \(round.commits.add(1, ordering: .relaxed).newValue)"
      if case .displaced(let foreign, _) = try file.replace(text, base) {
        if foreign.stamp == nil { round.see(foreign) }
        // One that is not complete yet comes again, complete.
        try file.ingested(foreign)
      }
      try drainLate(all: false)
    }
    let deadline = TestPatience.deadline
    while try !file.tryLock() { #expect(MonotonicClock.now() < deadline) }
    defer { file.unlock() }
    repeat { try drainLate(all: true) } while file.hasDisplaced && MonotonicClock.now() < deadline
    if case .contents(let last) = try file.read(), last.stamp == nil { round.see(last) }
    try file.close()
  }

  private static func giveWay() { MonotonicClock.sleep(nanoseconds: 20_000) }

  static func save(_ text: String, to path: String, _ style: Save) throws {
    let bytes = Array(text.utf8)
    switch style {
    case .renameOver:
      do {
        let file = try FileDescriptor(opening: path + "~new", O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o644)
        try file.write(bytes)
      }
      try SystemError.check("rename") { rename(path + "~new", path) }
    case .truncateAndWrite:
      try FileDescriptor(opening: path, O_WRONLY | O_TRUNC).write(bytes)
    case .writeAndTruncate:
      let file = try FileDescriptor(opening: path, O_WRONLY)
      try file.write(bytes)
      try file.truncate(to: bytes.count)
    case .piecewise:
      let file = try FileDescriptor(opening: path, O_WRONLY | O_TRUNC)
      for (offset, byte) in bytes.enumerated() { try file.write([byte], at: offset) }
    case .openIdleWrite:
      let file = try FileDescriptor(opening: path, O_WRONLY)
      for _ in 0..<60 { giveWay() }
      try file.write(bytes)
      try file.truncate(to: bytes.count)
    }
  }

  @Test(arguments: Save.allCases) func `no save is lost between two instances that commit without pause`(
    style: Save
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("start", to: "x")
    let path = folder.path("x")
    let round = Round()
    let instances = try (1...2).map { number in
      try DriverThread(name: "instance \(number)") {
        do { try Self.commit(path, round, number) } catch { Issue.record(error) }
      }
    }
    var saves: [String] = []
    for number in 0..<40 {
      saves.append("save \(number) " + String(repeating: "s", count: number))
      try Self.save(saves[number], to: path, style)
      let before = round.commits.load(ordering: .relaxed)
      let deadline = TestPatience.deadline
      // A later save may rightly write over one that nobody has come by yet: that is between the editor and itself.
      while round.commits.load(ordering: .relaxed) < before + 3 && MonotonicClock.now() < deadline { Self.giveWay() }
      try #require(MonotonicClock.now() < deadline, "nobody commits any more")
    }
    round.isOver.store(true, ordering: .releasing)
    instances.forEach { $0.join() }
    let seen = round.seen.withLock { $0 }
    #expect(saves.filter { !seen.contains($0) } == [])
    #expect(try folder.names == ["x"])
  }
}
