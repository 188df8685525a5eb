import StateJSON
import StoreCore
import Testing

@testable import HotReload

/// Saves of editors, whole, half, or not valid, into the file or into one already displaced.
@Suite struct ReplicaSaveTests {
  @Test func `invalid contents are reported only after they stayed the same`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.save("")
    world.look()
    #expect(world.problems.isEmpty)
    #expect(world.timers[.settle] == .milliseconds(50))
    world.save(#"{"n":2}"#)
    world.look()
    world.fire(.settle)
    #expect(world.problems.isEmpty)
    world.save("{")
    world.look()
    world.fire(.settle)
    #expect(world.problems.map(\.description) == ["state.json:1:2: \(world.problems[0].message)"])
    #expect(world.text == "{")
  }

  @Test func `a file that is emptied at each save is not believed to be empty`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.save("", at: 1)
    world.look()
    for time in 2...4 {
      world.save("", at: time)
      world.fire(.settle)
      #expect(world.problems.isEmpty)
    }
    world.fire(.settle)
    #expect(world.problems.map(\.code) == [.invalidJSON])
  }

  @Test func `what somebody is still writing is believed when it parses and stayed the same`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.save(#"{"n":2}"#, settled: false)
    world.look()
    #expect(world.published.count == 1)
    world.fire(.settle)
    #expect(world.published.map(\.state).last == #"{"n":2}"#)
  }

  @Test func `what somebody is still writing is a problem only after he has not gone on for long`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.save("", settled: false)
    world.look()
    world.fire(.settle)
    #expect(world.problems.isEmpty)
    #expect(world.timers[.settle] == .milliseconds(950))
    world.look()
    #expect(world.timers[.settle] == .milliseconds(950))
    world.fire(.settle)
    #expect(world.problems.map(\.code) == [.invalidJSON])
  }

  @Test func `a formatting-only edit is adopted without telling anybody`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.save("{\n\t\"n\": 1\n}\n")
    world.look()
    #expect(world.published.count == 1)
    world.dispatch("n", 1)
    #expect(world.text == "{\n\t\"n\": 2\n}\n")
  }

  @Test func `a formatting-only edit is told to who asks for it`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#, publishesFormatting: true)
    world.save(#"{ "n": 1.0 }"#)
    world.look()
    #expect(world.published.map(\.state) == [#"{"n":1}"#, #"{"n":1.0}"#])
    #expect(world.published.map(\.cause) == [.start, .edit])
    world.look()
    world.commit(#"{"n":1.0}"#, by: "other")
    world.look()
    #expect(world.published.map(\.cause) == [.start, .edit, .instance("other")])
  }

  @Test(arguments: [(ExternalEditPolicy.merge, #"{"n":2,"t":"late"}"#), (.replace, #"{"n":1,"t":"late"}"#)])
  func `a save into a file already displaced is merged onto what was committed since, or replaces it`(
    policy: ExternalEditPolicy, result: String
  ) throws {
    var world = try ReplicaWorld(#"{"n":1,"t":"a"}"#, externalEdits: policy)
    let base = try #require(world.file)
    world.dispatch("n", 1)
    world.send(.late(.init(save: ReplicaWorld.contents(#"{"n":1,"t":"late"}"#), base: base.hash.description)))
    #expect(world.text == result)
    #expect(world.published.map(\.cause).last == .edit)
  }

  @Test func `an invalid late save is kept elsewhere, once`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.send(.late(.init(save: ReplicaWorld.contents("{nonsense"), base: nil)))
    world.dispatch("n", 1)
    #expect(world.rescued == ["{nonsense"])
    #expect(world.text == #"{"n":2}"#)
  }

  @Test func `a late save that somebody is still writing is waited for`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.send(.late(.init(save: ReplicaWorld.contents(#"{"n":"#, settled: false), base: nil)))
    #expect(world.rescued.isEmpty)
    #expect(world.expected == [#"{"n":"#])
  }

  @Test func `a valid document that cannot be decoded holds this instance only`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.save("[]")
    world.look()
    world.dispatch("n", 1)
    #expect(world.text == "[]")
    #expect(world.problems.map(\.code) == [.undecodable])
    world.commit(#"{"n":8}"#, by: "other")
    world.look()
    #expect(world.text == #"{"n":9}"#)
    #expect(world.resolved == [.undecodable])
  }

  @Test func `a save that a killed instance left is taken in while nobody has gone on`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    let current = try #require(world.file)
    let save = ReplicaWorld.contents(#"{"n":7}"#)
    world.send(.late(.init(save: save, base: "unknown", successor: String(current.hash.description.prefix(16)))))
    #expect(world.text == #"{"n":7}"#)
    world.send(.late(.init(save: ReplicaWorld.contents(#"{"n":8}"#), base: "unknown", successor: "older")))
    #expect(world.text == #"{"n":7}"#)
    #expect(world.rescued == [#"{"n":8}"#])
  }

  @Test func `a write that stands although it failed is not applied again`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.failsAfterSwap = true
    world.dispatch("n", 2)
    #expect(world.outcomes.isEmpty)
    world.fire(.retry)
    #expect(world.text == #"{"n":3}"#)
    #expect(world.outcomes == [3])
  }
}
