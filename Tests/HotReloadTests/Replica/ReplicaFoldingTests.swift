import StateJSON
import StoreCore
import TestSupport
import Testing

@testable import HotReload

/// What becomes of actions that can't be committed for long.
@Suite struct ReplicaFoldingTests {
  /// A replica that holds a file with an invalid save in it, and has folded the sum of some additions.
  private func folded(_ text: String, adding amounts: Int...) throws -> ReplicaWorld {
    var world = try ReplicaWorld(text)
    world.save("{")
    world.look()
    world.fire(.settle)
    for amount in amounts { world.dispatch("n", amount) }
    world.send(.crowded)
    return world
  }

  @Test func `folded actions are counted, kept and committed when the file is mended`() throws {
    var world = try folded(#"{"n": 1, "m": 0}"#, adding: 2, 3)
    #expect(world.replica.outbox.actions.isEmpty)
    #expect(world.replica.pendingCount == 2)
    #expect(!world.replica.isCommitted)
    world.dispatch("m", 4)
    world.save(#"{"n": 1, "m": 0, "new": true}"#)
    world.look()
    #expect(world.text == #"{"n": 6, "m": 4, "new": true}"#)
    #expect(world.replica.isCommitted)
    #expect(world.acknowledged == 3)
    #expect(world.writes == 1)
    #expect(world.notices == [])
  }

  @Test func `what is folded twice is one patch`() throws {
    var world = try folded(#"{"n": 1}"#, adding: 1)
    world.dispatch("n", 1)
    world.send(.crowded)
    #expect(world.replica.pendingCount == 2)
    #expect(world.replica.outbox.actions.isEmpty)
    world.save(#"{"n": 1}"#)
    world.look()
    #expect(world.text == #"{"n": 3}"#)
    #expect(world.acknowledged == 2)
  }

  @Test func `what was folded is recorded with its actions, as far as all are known`() throws {
    var world = try ReplicaWorld(#"{"n": 1}"#)
    world.replica.recordsActions = true
    world.save("{")
    world.look()
    world.fire(.settle)
    for amount in 1...3 {
      world.dispatch("n", amount)
      if amount < 3 { world.send(.crowded) }
    }
    world.save(#"{"n": 20}"#)
    world.look()
    // The save had the number, too, so that the actions went over it.
    var expected = RecordedActions(actions: [["n", 1], ["n", 2], ["n", 3]])
    expected.ground = ["n": 20]
    #expect(world.recordedActions == expected)

    world.save("{")
    world.look()
    world.fire(.settle)
    world.dispatch("n", 1)
    world.send(.crowded)
    world.dispatch("missing", 1)
    world.send(.crowded)
    world.save(#"{"n": 1}"#)
    world.look()
    #expect(world.recordedActions == nil)
  }

  @Test func `where a save set the same place, the actions win, and the save's value is in the history`() throws {
    var world = try folded(#"{"n": 1, "m": 0}"#, adding: 2)
    world.save(#"{"n": 7, "m": 8}"#)
    world.look()
    #expect(world.text == #"{"n": 3, "m": 8}"#)
    #expect(world.versions.history?.entries.first?.lost == [LostValue(pointer: JSONPointer(["n"]), value: 7)])
    #expect(
      world.notices == [
        "'state.json' could not be written for long; now older changes have won over those of others at '/n', which "
          + "are in the history: replicate history --json state.json"
      ])
  }

  @Test func `what the program shows is the patch over the newest base`() throws {
    var world = try ReplicaWorld(#"{"n": 1, "m": 0}"#)
    world.isFull = true
    world.dispatch("n", 2)
    for _ in 1...4 { world.fire(.retry) }
    world.dispatch("n", 3)
    world.send(.crowded)
    #expect(world.replica.outbox.actions.isEmpty)
    world.commit(#"{"n": 1, "m": 5}"#, by: "other")
    world.look()
    #expect(world.published.last?.state == #"{"n":6,"m":5}"#)
    world.isFull = false
    world.fire(.retry)
    #expect(world.text == #"{"n": 6, "m": 5}"#)
    #expect(world.acknowledged == 2)
  }

  @Test func `a short refusal folds nothing, so that nobody's addition is given up`() throws {
    var world = try ReplicaWorld(#"{"n": 1}"#)
    world.isFull = true
    world.dispatch("n", 2)
    world.send(.crowded)
    #expect(world.replica.outbox.actions.count == 1)
    world.commit(#"{"n": 10}"#, by: "other")
    world.isFull = false
    world.fire(.retry)
    #expect(world.text == #"{"n": 12}"#)
  }

  @Test func `who is not held folds nothing`() throws {
    var world = try ReplicaWorld(#"{"n": 1}"#)
    world.isLocked = true
    world.dispatch("n", 2)
    world.send(.crowded)
    #expect(world.replica.pendingCount == 0)
    world.releaseLock()
    #expect(world.text == #"{"n": 3}"#)
  }

  @Test func `a write that only seemed to fail takes its actions out of the patch`() throws {
    var world = try ReplicaWorld(#"{"n": 1}"#)
    world.failsAfterSwap = true
    world.dispatch("n", 2)
    #expect(world.text == #"{"n": 3}"#)
    world.isFull = true
    world.save("{")
    world.look()
    world.fire(.settle)
    world.dispatch("n", 4)
    world.send(.crowded)
    #expect(world.replica.pendingCount == 2)
    world.commit(#"{"n": 3}"#, by: "me")
    world.isFull = false
    world.look()
    #expect(world.text == #"{"n": 7}"#)
    #expect(world.acknowledged == 2)
  }

  @Test func `actions before the file could ever be read are folded over the initial state`() throws {
    var world = try ReplicaWorld("{")
    world.fire(.settle)
    world.dispatch("n", 2)
    world.send(.crowded)
    #expect(world.replica.outbox.actions.isEmpty)
    world.save(#"{"n": 0, "m": 1}"#)
    world.look()
    #expect(world.text == #"{"n": 2, "m": 1}"#)
  }

  @Test func `what others made of it and the actions can't stand together: the actions stand, the other is kept`()
    throws
  {
    var world = try folded(#"{"n": 1}"#, adding: 2)
    world.replica.outbox.patch?.result = Decoded(
      state: ["n": 3], document: try JSONDocument(parsing: Array("[3]".utf8)))
    world.save(#"{"n": 7}"#)
    world.look()
    #expect(world.text == #"{"n": 3}"#)
    #expect(world.versions.history?.entries.first?.lost == [LostValue(pointer: .root, value: ["n": 7])])
  }

  private struct Session: Codable, Sendable, Equatable {
    var n = 0
    var local = 0
  }

  @Test(.timeLimit(.minutes(10))) func `a store folds what it dispatches during a long hold`() async throws {
    let folder = try TemporaryFolder()
    let store = try Store<Session, Int>(
      Session(),
      reducer: { session, amount in
        session.n += amount
        session.local += 1
      },
      middleware: [HotReload(file: folder.path("f"), replicating: \.n)])
    try await store.commit()
    try folder.save("?", to: "f")
    for await event in store.problems {
      if case .occurred(let problem) = event, problem.code == .invalidJSON { break }
    }
    let count = ReplicaOptions.pendingLimit + 1
    for _ in 0..<count { store.dispatch(1) }
    let mirror = try #require(store.middleware(ofType: HotReload<Session, Int>.self).first)
    await #expect { try await mirror.flush(within: .milliseconds(1)) } throws: { error in
      "\(error)".hasPrefix("\(count) actions are not in ")
    }
    // What was replayed would have been added to this.
    try folder.save("7", to: "f")
    try await store.close()
    #expect(try folder.text(of: "f") == "\(count)")
    #expect(store.state == Session(n: count, local: count))
  }
}
