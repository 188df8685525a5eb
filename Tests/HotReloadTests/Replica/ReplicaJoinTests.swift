import StateJSON
import StoreCore
import Testing

@testable import HotReload

/// What an instance does with a file that is there, or isn't, when it joins, and what it commits.
@Suite struct ReplicaJoinTests {
  @Test func `a file that is there is adopted and not written`() throws {
    let world = try ReplicaWorld(#"{"n":7}"#)
    #expect(world.published.map(\.state) == [#"{"n":7}"#])
    #expect(world.published.map(\.cause) == [.start])
    #expect(world.writes == 0)
  }

  @Test(arguments: [nil, ""])
  func `a missing or empty file is seeded with the initial state`(text: String?) throws {
    var world = try ReplicaWorld(text)
    world.fire(.settle)
    #expect(world.text == "{\n  \"n\": 0\n}\n")
    #expect(!world.holdsLock)
  }

  @Test func `with the policy create a missing file is made by the first action only`() throws {
    var world = try ReplicaWorld(nil, join: .create)
    #expect(world.text == nil)
    world.dispatch("n", 2)
    #expect(world.text == "{\n  \"n\": 2\n}\n")
    #expect(world.outcomes == [2])
  }

  @Test func `with the policy create an action that can't be done makes no file`() throws {
    var world = try ReplicaWorld(nil, join: .create)
    world.dispatch("absent", 2)
    #expect(world.text == nil)
    #expect(world.outcomes == [nil])
    world.dispatch("n", 2)
    #expect(world.text == "{\n  \"n\": 2\n}\n")
  }

  @Test func `with the policy require a missing file is a problem until somebody makes it`() throws {
    var world = try ReplicaWorld(nil, join: .require)
    #expect(world.problems.map(\.message) == ["there is no file 'state.json'"])
    world.dispatch("n", 2)
    #expect(world.text == nil)
    world.save(#"{"n":40}"#)
    world.look()
    #expect(world.text == #"{"n":42}"#)
    #expect(world.resolved == [.missing])
  }

  @Test func `with the policy overwrite the initial state replaces even an invalid file`() throws {
    let world = try ReplicaWorld("{,}", join: .overwrite)
    #expect(world.text == "{\n  \"n\": 0\n}\n")
  }

  @Test func `a file made by somebody else while we were about to seed is adopted`() throws {
    var world = try ReplicaWorld(nil, join: .create)
    world.beforeSwap = { $0.commit(#"{"n":10}"#, by: "other") }
    world.dispatch("n", 1)
    #expect(world.text == #"{"n":11}"#)
    #expect(world.outcomes == [11])
  }

  @Test func `a file that somebody has just made, and not written yet, is not seeded`() throws {
    var world = try ReplicaWorld(nil, join: .create)
    world.beforeSwap = { $0.save("", settled: false) }
    world.dispatch("n", 1)
    #expect(world.text == "")
    world.save(#"{"n":10}"#)
    world.fire(.settle)
    #expect(world.text == #"{"n":11}"#)
    #expect(world.outcomes == [11])
  }

  // MARK: Committing

  @Test func `an action is committed, acknowledged, and keeps the rest of the text`() throws {
    var world = try ReplicaWorld("{ \"n\" : 1 ,  \"x\":1e3}\r\n")
    world.dispatch("n", 2)
    #expect(world.text == "{ \"n\" : 3 ,  \"x\":1e3}\r\n")
    #expect(world.outcomes == [3])
    #expect(world.published.count == 1, "an own action is no publication")
  }

  @Test func `actions are applied to what another instance has committed meanwhile`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.isLocked = true
    world.dispatch("n", 2)
    world.dispatch("n", 3)
    world.commit(#"{"n":100}"#, by: "other")
    world.releaseLock()
    #expect(world.text == #"{"n":105}"#)
    #expect(world.outcomes == [102, 105])
    #expect(world.published.map(\.state).last == #"{"n":105}"#)
    #expect(world.published.map(\.cause).last == .instance("other"))
  }

  @Test func `an action that fails on the document leaves its neighbours alone`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.isLocked = true
    world.dispatch("n", 1)
    world.dispatch("absent", 1)
    world.dispatch("n", 1)
    world.releaseLock()
    #expect(world.outcomes == [2, nil, 3])
    #expect(world.text == #"{"n":3}"#)
  }

  @Test func `an action that changes nothing does not touch the file but is acknowledged`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.dispatch("n", 0)
    #expect(world.writes == 0)
    #expect(world.outcomes == [1])
    #expect(!world.holdsLock)
  }
}
