import Glibc
import StateJSON
import TestSupport
import Testing

@testable import HotReload

extension Contents {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension TemporaryFolder {
  /// An instance's view of a file in the folder, which is written first if there is something for it to hold.
  func sharedFile(
    _ name: String, holding text: String? = nil, _ capabilities: Capabilities = Capabilities()
  ) throws -> SharedFile {
    if let text { try write(text, to: name) }
    return try SharedFile(path: path(name), instance: "me", stateFolder: path("state"), capabilities: capabilities)
  }
}

extension TemporaryFolder {
  /// Waits until nobody has a file open for writing, such as a child of another test that has copies of all descriptors for an instant.
  func settle(_ name: String) throws {
    let isSettled = try eventually {
      let file = try FileDescriptor(opening: path(name), O_RDONLY)
      return file.take(.read) == .granted
    }
    #expect(isSettled)
  }
}

extension SharedFile {
  /// An instance's view of a file where the file system allows only so much.
  convenience init(
    path: String, instance: String, stateFolder: String = StateFolder.path, capabilities: Capabilities
  ) throws(SystemError) {
    try self.init(path: path, instance: instance, stateFolder: stateFolder)
    self.capabilities = capabilities
  }

  /// Does something at one step, once.
  func at(_ step: Step, _ body: @escaping () throws -> Void) {
    var isDone = false
    onStep = {
      guard $0 == step, !isDone else { return }
      isDone = true
      do { try body() } catch { Issue.record(error) }
    }
  }

  /// What stands at the path; a missing file fails the test.
  ///
  /// While another test starts a process, the child has copies of all descriptors for an instant, and counts as a
  /// writer: so this waits until the file is settled.
  func contentsNow(settled: Bool = true) throws -> Contents {
    let deadline = TestPatience.deadline
    while true {
      guard case .contents(let contents) = try read() else {
        throw SystemError(call: "openat", errno: ENOENT, path: path)
      }
      if contents.settled || !settled || MonotonicClock.now() > deadline { return contents }
    }
  }

  /// Closes when all displaced files, which must hold no late saves, are looked after. See `contentsNow`.
  func closeQuietly() throws {
    #expect(try eventually { try retireDisplaced(includingSpare: true) == [] && !hasDisplaced })
    try close()
  }

  /// Late saves, as soon as there are some.
  func lateSaves() throws -> [Contents] {
    var late: [Contents] = []
    _ = try eventually {
      late = try retireDisplaced()
      return !late.isEmpty
    }
    return late
  }

  /// Commits until a spare stands by, as it does after each commit that nobody reads.
  func withSpare(_ now: inout Contents) throws -> String {
    _ = try eventually {
      now = try replaced(now.text + "+", now)
      return partner.spare != nil
    }
    let name = partner.spare?.name
    return try #require(name)
  }

  func stamp(_ text: String, over base: Contents?) -> Stamp {
    Stamp(content: ContentHash(Array(text.utf8)), predecessor: base?.hash, instance: instance)
  }

  func replace(_ text: String, _ base: Contents) throws -> Replacement {
    try replace(with: Array(text.utf8), expecting: base, stamp: stamp(text, over: base))
  }

  /// Replaces where nobody else interferes, and retires what was displaced, as giving the lock back does.
  func replaced(_ text: String, _ base: Contents) throws -> Contents {
    let replacement = try replace(text, base)
    guard case .replaced(let now) = replacement else {
      Issue.record("\(replacement)")
      return base
    }
    retireSwappedOut()
    return now
  }

  /// Replaces the file, where that displaces somebody's save.
  func displaced(_ text: String, _ base: Contents) throws -> (foreign: Contents, now: Contents) {
    let replacement = try replace(text, base)
    guard case .displaced(let foreign, let now) = replacement else {
      Issue.record("\(replacement)")
      return (base, base)
    }
    return (foreign, now)
  }

  /// What has to be taken in.
  func recovered() throws -> [Contents] {
    var saves: [Contents] = []
    try locked { saves = try recover() }
    return saves
  }

  /// Recovers where it doesn't matter what else is known.
  func recover() throws(SystemError) -> [Contents] { try recover { _ in } }

  /// Recovers, and tells what else is known.
  func recoveredWithEvidence() throws -> (saves: [Contents], evidence: [Evidence]) {
    var saves: [Contents] = []
    var evidence: [Evidence] = []
    try locked { saves = try recover { evidence.append($0) } }
    return (saves, evidence)
  }

  /// Gives up what was displaced, as a process does that is killed. Closing isn't enough while a child of another test has copies of
  /// the descriptors, and with them the locks.
  func die() {
    for file in displaced { file.descriptor.unlock() }
    displaced = []
  }

  func locked(_ body: () throws -> Void) throws {
    #expect(try tryLock())
    defer { unlock() }
    try body()
  }
}

extension Displaced {
  /// Lets it look as if nothing had happened to it for longer than anybody waits.
  func age() { look?.since = 0 }
}

/// Whether a condition comes true, in time.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = TestPatience.deadline
  while true {
    if try condition() { return true }
    if MonotonicClock.now() > deadline { return false }
    MonotonicClock.sleep(nanoseconds: 500_000)
  }
}
