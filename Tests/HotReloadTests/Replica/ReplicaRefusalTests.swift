import StateJSON
import StoreCore
import Testing

@testable import HotReload

/// What an instance does where the file is gone, or something refuses.
@Suite struct ReplicaRefusalTests {
  @Test(arguments: [nil, ""])
  func `an invalid file that is then deleted or emptied is seeded`(text: String?) throws {
    var world = try ReplicaWorld("{")
    world.fire(.settle)
    #expect(world.problems.map(\.code) == [.invalidJSON])
    world.file = nil
    if let text { world.save(text) }
    world.look()
    #expect(world.text == text, "an editor may be about to write it")
    world.fire(text == nil ? .grace : .settle)
    #expect(world.text == "{\n  \"n\": 0\n}\n")
    #expect(world.resolved.contains(.invalidJSON))
  }

  @Test func `a state that cannot be encoded is reported once however often the file is looked at`() throws {
    var world = try ReplicaWorld(#"{"n":1,"poison":true}"#)
    world.dispatch("n", 1)
    world.look()
    world.look()
    #expect(world.problems.map(\.code) == [.unencodable])
    #expect(world.resolved.isEmpty)
  }

  @Test func `a file that is removed and made again within the grace is nothing to report`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.file = nil
    world.look()
    world.dispatch("n", 1)
    #expect(world.text == nil)
    #expect(world.timers[.grace] == .seconds(1))
    world.save(#"{"n":5}"#)
    world.look()
    world.fire(.grace)
    #expect(world.text == #"{"n":6}"#)
    #expect(world.problems.isEmpty)
  }

  @Test func `a deleted file is made again by the next action, in its old formatting`() throws {
    var world = try ReplicaWorld("{ \"n\": 1 }")
    world.file = nil
    world.look()
    world.fire(.grace)
    #expect(world.problems.map(\.message) == ["'state.json' was deleted; the next action makes it again"])
    #expect(world.text == nil)
    world.dispatch("n", 1)
    #expect(world.text == "{ \"n\": 2 }")
    #expect(world.resolved == [.missing])
  }

  @Test(arguments: [JoinPolicy.adopt, .create])
  func `looking after what a killed instance left does not make a missing file`(join: JoinPolicy) throws {
    var world = try ReplicaWorld(join == .adopt ? "{ \"n\": 1 }" : nil, join: join)
    world.file = nil
    world.look()
    world.fire(.grace)
    world.send(.leftovers)
    #expect(world.text == nil)
    if join == .create {
      world.save("")
      world.send(.leftovers)
      #expect(world.text == "")
    }
    world.dispatch("n", 1)
    #expect(world.text?.contains("\"n\": ") == true)
  }

  @Test func `a full disk is reported once, retried ever more rarely, and resolved`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.isFull = true
    world.dispatch("n", 1)
    #expect(world.timers[.retry] == .milliseconds(100))
    world.fire(.retry)
    #expect(world.timers[.retry] == .milliseconds(200))
    world.dispatch("n", 1)
    #expect(world.problems.map(\.code) == [.cannotWrite])
    #expect(!world.holdsLock)
    world.isFull = false
    world.fire(.retry)
    #expect(world.text == #"{"n":3}"#)
    #expect(world.outcomes == [2, 3])
    #expect(world.resolved == [.cannotWrite])
  }

  @Test func `a lock that is long in coming is a problem until it comes`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.isLocked = true
    world.dispatch("n", 1)
    world.send(.delayed(Problem(.cannotLock, file: "state.json", message: "still waiting")))
    #expect(world.problems.map(\.message) == ["still waiting"])
    world.releaseLock()
    #expect(world.resolved == [.cannotLock])
    #expect(world.outcomes == [2])
  }

  @Test func `a look that fails while the lock is waited for does not end the wait`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.isLocked = true
    world.dispatch("n", 1)
    world.send(.failed(Problem(.cannotRead, file: "state.json", message: "input/output error")))
    #expect(world.problems.map(\.code) == [.cannotRead])
    guard case .locking = world.replica.phase else {
      Issue.record("\(world.replica.phase)")
      return
    }
    world.releaseLock()
    #expect(world.resolved == [.cannotRead])
    #expect(world.outcomes == [2])
  }

  @Test func `a state that cannot be encoded is reported and written once it can`() throws {
    var world = try ReplicaWorld(nil, join: .create, initial: #"{"n":0,"poison":true}"#)
    world.dispatch("n", 1)
    #expect(world.problems.map(\.code) == [.unencodable])
    world.save(#"{"n":4}"#)
    world.look()
    #expect(world.text == #"{"n":5}"#)
  }
}
