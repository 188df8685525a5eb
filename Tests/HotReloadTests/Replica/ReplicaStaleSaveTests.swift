import StateJSON
import StoreCore
import Testing

@testable import HotReload

/// Saves from older buffers.
@Suite struct ReplicaStaleSaveTests {
  @Test func `a save from a stale buffer changes only what its user changed`() throws {
    var world = try ReplicaWorld(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    world.dispatch("n", 1)
    world.save(#"{ "n":1, "t":"b" }"#)
    world.look()
    #expect(world.text == #"{ "n":2, "t":"b" }"#)
    #expect(world.published.map(\.state).suffix(1) == [#"{"n":2,"t":"b"}"#])
    #expect(world.published.last?.cause == .edit)
    #expect(world.notices == ["'state.json' was saved from an older version; kept since then: '/n'"])
    #expect(world.versions.history?.entries.map(\.version.cause) == [.merge, .merged, .action, .action, .edit])
  }

  @Test(arguments: [(true, #"{"n":2,"t":"b"}"#), (false, #"{"n":1,"t":"b"}"#)])
  func `who joins to stay merges a stale save that nobody has met`(stays: Bool, text: String) throws {
    var world = try ReplicaWorld(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    world.dispatch("n", 1)
    world.save(#"{"n":1,"t":"b"}"#)
    world.rejoin(judging: stays)
    #expect(world.text == text)
    #expect(world.published.last?.state == text)
    #expect(!world.holdsLock)
  }

  @Test func `a version that another instance wrote, unseen by this one, is found too`() throws {
    var world = try ReplicaWorld(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    let unseen = Version(hash: ContentHash(high: 1, low: 1), time: 0, cause: .action, instance: "other")
    world.versions.append(unseen, whole: ["n": 5, "t": "a"], lost: [])
    world.save(#"{"n":1,"t":"b"}"#)
    world.dispatch("n", 1)
    #expect(world.text == #"{"n":6,"t":"b"}"#)
  }

  @Test func `saving an older version restores it`() throws {
    var world = try ReplicaWorld(#"{"n":0}"#)
    world.dispatch("n", 1)
    world.dispatch("n", 1)
    world.save(#"{"n":1}"#)
    world.look()
    #expect(world.text == #"{"n":1}"#)
    #expect(world.published.last?.cause == .restore)
    #expect(world.notices == ["an older version of 'state.json' was saved; 'replicate undo' brings the newer one back"])
    #expect(world.versions.history?.entries.map(\.version.cause) == [.restore, .action, .action, .edit])
  }

  @Test func `what this instance wrote once is a restore when somebody saves it again`() throws {
    var world = try ReplicaWorld(#"{"n":0}"#)
    world.dispatch("n", 1)
    let other = #"{"n":7}"#
    world.commit(other, by: "other")
    world.versions.append(
      Version(hash: ContentHash(Array(other.utf8)), time: 0, cause: .action, instance: "other"), whole: ["n": 7],
      lost: [])
    world.look()
    world.save(#"{"n":1}"#)
    world.look()
    #expect(world.text == #"{"n":1}"#)
    #expect(world.published.last?.cause == .restore)
    #expect(world.versions.history?.entries.map(\.version.cause) == [.restore, .action, .action, .edit])
  }

  @Test func `with the policy replace a stale save is taken as it is`() throws {
    var world = try ReplicaWorld(#"{"n":0,"t":"a"}"#, externalEdits: .replace)
    world.dispatch("n", 1)
    world.dispatch("n", 1)
    world.save(#"{"n":1,"t":"b"}"#)
    world.dispatch("n", 1)
    #expect(world.text == #"{"n":2,"t":"b"}"#)
    #expect(world.notices == [])
  }

  @Test func `a displaced save from a stale buffer changes only what its user changed`() throws {
    var world = try ReplicaWorld(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    world.dispatch("n", 1)
    world.beforeSwap = { $0.save(#"{"n":1,"t":"b"}"#) }
    world.dispatch("n", 1)
    #expect(world.text == #"{"n":3,"t":"b"}"#)
    #expect(world.outcomes == [1, 2, 3])
  }

  @Test func `a write that failed is no version that a save is merged with`() throws {
    var world = try ReplicaWorld(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    world.isFull = true
    world.dispatch("n", 1)
    #expect(world.versions.history?.standing()?.value == ["n": 1, "t": "a"])
    world.isFull = false
    world.save(#"{"n":0,"t":"b"}"#)
    world.fire(.retry)
    #expect(world.text == #"{"n":2,"t":"b"}"#)
    #expect(world.outcomes == [1, 2])
  }

  @Test func `a save that can't be judged, for want of the lock, is shown at once`() throws {
    var world = try ReplicaWorld(#"{"n":0}"#)
    world.isLocked = true
    world.save(#"{"n":1}"#)
    world.look()
    world.send(.failed(Problem(.cannotLock, file: "state.json", message: "permission denied")))
    #expect(world.published.map(\.state) == [#"{"n":0}"#, #"{"n":1}"#])
    #expect(world.problems == [])
  }
}
