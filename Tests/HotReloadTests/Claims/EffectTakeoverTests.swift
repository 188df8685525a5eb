import Glibc
import StoreCore
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// Real processes: the test's own, and one that runs beside it. One test at a time, as each holds up one of the threads
/// that tasks run on, for as long as the other process lives.
@Suite(.ownThreads, .serialized, .timeLimit(.minutes(10)))
struct EffectTakeoverTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("state.json") }

  init() throws { folder = try TemporaryFolder() }

  private var stateHome: String { TestStateFolder.path }

  @Test(arguments: [EffectOwner.origin, .elected])
  func `when the owner is killed while it is at it, another takes over`(owner: EffectOwner) async throws {
    let (path, home, isElected) = (path, stateHome, owner == .elected)
    let end = Task {
      try await #require(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, home = home as String, isElected = isElected as Bool] in
        setenv("XDG_STATE_HOME", home, 1)
        let seen = Latch()
        let store = try EffectWorld.open("first", path, owner: isElected ? .elected : .origin) {
          await seen.pass()
          kill(getpid(), SIGKILL)
        }
        store.dispatch(.note("hello"))
        store.dispatch(.job(.run))
        await store.until { $0.notes.contains("seen") }
        seen.open()
        await Latch().pass()
      }
    }
    try await untilNoted("hello")
    let store = try EffectWorld.open("second", path, owner: owner)
    await store.until { $0.notes.contains("first 1.1") }
    store.dispatch(.note("seen"))
    await store.until { $0.job.status == .succeeded }
    _ = try await end.value
    #expect(store.state.notes == ["hello", "first 1.1", "seen", "second 1.1"])
    try await store.close()
    #expect(try claimFiles(of: path) == [])
  }

  @Test func `a run that two processes start at once is performed once`() async throws {
    let rounds = 30
    let (path, home) = (path, stateHome)
    let end = Task {
      try await #require(processExitsWith: .success) {
        [path = path as String, home = home as String, rounds = rounds as Int] in
        setenv("XDG_STATE_HOME", home, 1)
        let store = try EffectWorld.open("other", path)
        store.dispatch(.note("hello"))
        for round in 1...rounds {
          await store.until { $0.notes.contains("go \(round)") }
          store.dispatch(.job(.run))
          try await store.commit()
          await store.until { $0.job.status == .succeeded }
          store.dispatch(.note("done \(round)"))
        }
        await store.until { $0.notes.contains("end") }
        try await store.close()
      }
    }
    try await untilNoted("hello")
    let store = try EffectWorld.open("this", path)
    for round in 1...rounds {
      store.dispatch(.note("go \(round)"))
      try await store.commit()
      store.dispatch(.job(.run))
      await store.until { $0.notes.contains("done \(round)") && $0.job.status == .succeeded }
    }
    store.dispatch(.note("end"))
    try await store.close()
    _ = try await end.value
    let attempts = store.state.notes.filter { $0.hasPrefix("this ") || $0.hasPrefix("other ") }
      .map { $0.split(separator: " ")[1] }
    #expect(attempts.sorted() == (1...store.state.job.runs).map { "\($0).1" }.sorted())
    #expect(store.state.job.runs >= rounds)
  }

  @Test func `where nothing can be claimed, an effect is performed where it was started, and a problem says so`()
    async throws
  {
    try await #require(processExitsWith: .success) { [path = path as String] in
      setenv("XDG_STATE_HOME", "/proc/none", 1)
      let store = try EffectWorld.open("one", path)
      let problems = store.problems
      store.dispatch(.job(.run))
      await store.until { $0.job.status == .succeeded }
      for await event in problems {
        if case .occurred(let problem) = event, problem.code == .cannotClaim { break }
      }
      try await store.close()
    }
  }

  /// Waits until the other process has joined the file.
  private func untilNoted(_ note: String) async throws {
    while (try? folder.text(of: "state.json").contains(note)) != true { await Task.yield() }
  }
}
