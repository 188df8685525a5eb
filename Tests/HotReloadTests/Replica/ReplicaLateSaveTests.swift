import StateJSON
import Testing

@testable import HotReload

/// Saves that turn up beside the file, or in the middle of a merge.
@Suite struct ReplicaLateSaveTests {
  typealias World = ReplicaWorld

  private func holding(_ invalid: String, at time: Int) throws -> World {
    var world = try World(#"{"n":1,"t":"a"}"#)
    world.dispatch("n", 1)
    world.save(invalid, at: time)
    world.look()
    world.fire(.settle)
    #expect(world.problems.map(\.code) == [.invalidJSON])
    return world
  }

  @Test func `a late save may be made from the last of several writes that were taken back`() throws {
    var world = try World(#"{"n":0,"m":0,"t":"a"}"#)
    world.dispatch("n", 1)
    for (key, time, instance) in [("n", 0, "killed"), ("m", 20_000, "other")] as [(String, Int64, String)] {
      let version = Version(hash: ContentHash([]), time: time, cause: .action, instance: instance)
      world.versions.noteWithdrawn(version, JSONPatch([.replace(at: JSONPointer([key]), with: 7)]))
    }
    let save = World.contents(#"{"n":1,"m":7,"t":"b"}"#, at: 21_000_000_000)
    world.send(.late(.init(save: save, base: nil)))
    // What was taken back is done again by who did it.
    #expect(world.text == #"{"n":1,"m":0,"t":"b"}"#)
  }

  @Test(arguments: [5, 7]) func `a late save mends an invalid file that is no newer`(time: Int) throws {
    var world = try holding("{nonsense", at: 5)
    world.send(.late(.init(save: World.contents(#"{"n":1,"t":"b"}"#, at: time), base: nil)))
    world.fire(.settle)
    #expect(world.text == #"{"n":2,"t":"b"}"#)
    #expect(world.rescued == ["{nonsense"])
    #expect(world.resolved == [.invalidJSON])
    #expect(world.forgotten == [#"{"n":1,"t":"b"}"#])
  }

  @Test func `half a late save does not keep its whole from mending an invalid file`() throws {
    var world = try holding("{nonsense", at: 5)
    world.send(.late(.init(save: World.contents(#"{"n":1,"#, settled: false, at: 6), base: nil)))
    #expect(world.expected == [#"{"n":1,"#])
    world.send(.late(.init(save: World.contents(#"{"n":1,"t":"b"}"#, at: 7), base: nil)))
    world.fire(.settle)
    #expect(world.text == #"{"n":2,"t":"b"}"#)
  }

  @Test func `an invalid file that is newer than a late save waits for a save of its own`() throws {
    var world = try holding("{nonsense", at: 5)
    world.send(.late(.init(save: World.contents(#"{"n":1,"t":"b"}"#, at: 4), base: nil)))
    world.fire(.settle)
    #expect(world.text == "{nonsense")
    world.save(#"{"n":2,"t":"a","u":0}"#, at: 6)
    world.look()
    #expect(world.text == #"{"n":2,"t":"b","u":0}"#)
  }

  @Test func `a mend that can't be written is tried again`() throws {
    var world = try holding("{nonsense", at: 5)
    world.isFull = true
    world.send(.late(.init(save: World.contents(#"{"n":1,"t":"b"}"#, at: 6), base: nil)))
    world.fire(.settle)
    #expect(world.text == "{nonsense")
    world.isFull = false
    world.fire(.retry)
    world.fire(.settle)
    #expect(world.text == #"{"n":2,"t":"b"}"#)
  }

  @Test func `a valid save that was set aside mends the invalid one that could not be kept away`() throws {
    var world = try World(#"{"n":1,"t":"a"}"#)
    let valid = World.contents(#"{"n":1,"t":"b"}"#, at: 2)
    world.beforeSwap = { $0.save("{nonsense", at: 1) }
    world.setAsideInstead = [valid]
    world.dispatch("n", 1)
    world.fire(.settle)
    #expect(world.text == #"{"n":2,"t":"b"}"#)
    #expect(world.rescued == ["{nonsense"])
  }

  @Test func `what was set aside while somebody is writing to it is not believed yet`() throws {
    var world = try World(#"{"n":1,"t":"a"}"#)
    // The beginning of one save and the end of another may be valid together.
    let half = World.contents(#"{"n":1,"t":"half"}"#, settled: false, at: 2)
    world.beforeSwap = { $0.save("{nonsense", at: 1) }
    world.setAsideInstead = [half]
    world.dispatch("n", 1)
    world.fire(.settle)
    #expect(world.expected == [#"{"n":1,"t":"half"}"#])
    #expect(world.rescued == [])
    #expect(world.replica.outbox.lateSaves.isEmpty)
  }

  @Test func `a second save into the same displaced file is merged from the first`() throws {
    var world = try World(#"{"n":1,"t":"a"}"#)
    let base = try #require(world.file)
    world.dispatch("n", 1)
    let first = World.contents(#"{"n":1,"t":"late"}"#)
    world.send(.late(.init(save: first, base: base.hash.description)))
    #expect(world.versions.history?.entries.map(\.version.cause) == [.merge, .merged, .action, .edit])
    world.save(#"{"n":2,"t":"x"}"#)
    world.look()
    let second = World.contents(#"{"n":1,"t":"late","u":0}"#)
    world.send(.late(.init(save: second, base: first.hash.description)))
    #expect(world.text == #"{"n":2,"t":"x","u":0}"#)
  }

  @Test func `what loses to a late save is in the history`() throws {
    var world = try World(#"{"n":1,"t":"a"}"#)
    let base = try #require(world.file)
    world.dispatch("n", 1)
    world.save(#"{"n":2,"t":"x"}"#)
    world.look()
    world.send(.late(.init(save: World.contents(#"{"n":1,"t":"late"}"#), base: base.hash.description)))
    #expect(world.text == #"{"n":2,"t":"late"}"#)
    #expect(world.versions.history?.entries.first?.lost == [LostValue(pointer: JSONPointer(["t"]), value: "x")])
  }

  @Test(arguments: [
    (#"{"n":1,"t":"a","u":0}"#, #"{"n":2,"t":"x","u":0}"#, 0), (#"{"n":1,"t":"b","u":0}"#, #"{"n":2,"t":"x"}"#, 1),
  ])
  func `what a killed instance left is taken in where nobody has set the same places since`(
    save: String, result: String, rescued: Int
  ) throws {
    var world = try World(#"{"n":1,"t":"a"}"#)
    let base = try #require(world.file)
    world.dispatch("n", 1)
    world.save(#"{"n":2,"t":"x"}"#)
    world.look()
    world.send(.late(.init(save: World.contents(save), base: base.hash.description, successor: "older")))
    #expect(world.text == result)
    #expect(world.rescued.count == rescued)
  }

  @Test(arguments: [(0, false, "x", 1), (1, false, "b", 0), (1, true, "x", 1)])
  func `what a killed instance left is new where the log goes back to before it and has no record of it`(
    time: Int, isRecorded: Bool, result: String, rescued: Int
  ) throws {
    var world = try World(#"{"n":1,"t":"a"}"#)
    world.dispatch("n", 1)
    let save = World.contents(#"{"n":1,"t":"b"}"#, at: time)
    let records = [(#"{"n":1,"t":"b"}"#, Version.Cause.merged), (#"{"n":2,"t":"b"}"#, .merge)]
    for (text, cause) in isRecorded ? records : [] {
      let version = Version(hash: ContentHash(Array(text.utf8)), time: 0, cause: cause, instance: "killed")
      world.versions.append(version, whole: try JSONValue(parsing: text), lost: [])
    }
    world.save(#"{"n":2,"t":"x"}"#)
    world.look()
    world.send(.late(.init(save: save, base: "unknown", successor: "older")))
    #expect(world.text == #"{"n":2,"t":"\#(result)"}"#)
    #expect(world.rescued.count == rescued)
  }

  @Test func `a save that displaces the merge of another is merged onto that`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    world.dispatch("n", 1)
    world.beforeSwap = { $0.save(#"{"n":1,"t":"c"}"#) }
    world.save(#"{"n":1,"t":"b"}"#)
    world.look()
    #expect(world.text == #"{"n":2,"t":"c"}"#)
  }

  @Test(arguments: [
    (#"{"n":1,"t":"c"}"#, #"{"n":2,"t":"c"}"#), (#"{"n":1,"t":"a","u":0}"#, #"{"n":2,"t":"b","u":0}"#),
  ])
  func `a save whose merge was never written is merged with the next, whatever that was made from`(
    save: String, result: String
  ) throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    world.dispatch("n", 1)
    world.isFull = true
    world.save(#"{"n":1,"t":"b"}"#)
    world.look()
    world.isFull = false
    world.save(save)
    world.fire(.retry)
    #expect(world.text == result)
  }

  @Test func `a save that a killed instance was merging is taken in although others have gone on`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    let base = try #require(world.file)
    world.dispatch("n", 1)
    for (text, cause) in [
      (#"{"n":0,"t":"b"}"#, Version.Cause.merged), (#"{"n":1,"t":"b"}"#, .merge), (#"{"n":1,"t":"a","u":0}"#, .action),
    ] {
      let version = Version(hash: ContentHash(Array(text.utf8)), time: 0, cause: cause, instance: "other")
      world.versions.append(version, whole: try JSONValue(parsing: text), lost: [])
    }
    world.commit(#"{"n":1,"t":"a","u":0}"#, by: "other")
    world.look()
    let save = World.contents(#"{"n":0,"t":"b"}"#)
    world.send(.late(.init(save: save, base: base.hash.description, successor: "older")))
    #expect(world.text == #"{"n":1,"t":"b","u":0}"#)
  }

  @Test func `a merge that could not be written is written as soon as it can`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    world.dispatch("n", 1)
    world.isFull = true
    world.save(#"{"n":1,"t":"b"}"#)
    world.look()
    #expect(world.text == #"{"n":1,"t":"b"}"#)
    world.isFull = false
    world.fire(.retry)
    #expect(world.text == #"{"n":2,"t":"b"}"#)
  }

  @Test func `a save that a killed instance was merging is merged by the next`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    world.dispatch("n", 1)
    let save = #"{"n":1,"t":"b"}"#
    for (text, cause) in [(save, Version.Cause.merged), (#"{"n":2,"t":"b"}"#, .merge)] {
      let version = Version(hash: ContentHash(Array(text.utf8)), time: 0, cause: cause, instance: "killed")
      world.versions.append(version, whole: try JSONValue(parsing: text), lost: [])
    }
    world.save(save)
    world.look()
    #expect(world.text == #"{"n":2,"t":"b"}"#)
  }

  /// As where no stamp tells whose the file is, and two instances were killed one after the other.
  @Test(arguments: [false, true])
  func `a late save that a killed instance was merging is merged by the next with what stands`(
    looksBefore: Bool
  ) throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    let base = try #require(world.file)
    world.dispatch("n", 1)
    for (text, cause) in [(#"{"n":0,"t":"b"}"#, Version.Cause.merged), (#"{"n":2,"t":"b"}"#, .merge)] {
      let version = Version(hash: ContentHash(Array(text.utf8)), time: 0, cause: cause, instance: "killed")
      world.versions.append(version, whole: try JSONValue(parsing: text), lost: [], stands: cause == .merged)
    }
    let current = #"{"n":1,"t":"a"}"#
    world.save(current)
    if looksBefore { world.rejoin() }
    let save = World.contents(#"{"n":0,"t":"b"}"#)
    let successor = ContentHash(Array(current.utf8)).description
    world.send(.late(.init(save: save, base: base.hash.description, successor: successor)))
    #expect(world.text == #"{"n":1,"t":"b"}"#)
  }

  @Test func `a save that a killed instance was merging was made from nothing that came after it`() throws {
    var world = try World(#"{"n":0,"t":"a","u":"a"}"#)
    let base = try #require(world.file)
    world.dispatch("n", 1)
    let current = #"{"n":1,"t":"b","u":"c"}"#
    for (text, cause) in [
      (current, Version.Cause.merged), (#"{"n":0,"t":"b","u":"b"}"#, .merged), (#"{"n":1,"t":"b","u":"b"}"#, .merge),
    ] {
      let version = Version(hash: ContentHash(Array(text.utf8)), time: 0, cause: cause, instance: "killed")
      world.versions.append(version, whole: try JSONValue(parsing: text), lost: [])
    }
    world.save(current)
    let save = World.contents(#"{"n":0,"t":"b","u":"b"}"#)
    world.send(.late(.init(save: save, base: base.hash.description, successor: "older")))
    world.look()
    #expect(world.text == #"{"n":1,"t":"b","u":"b"}"#)
  }

  @Test func `a save made from a write that displaced what can't be kept does not get its actions twice`() throws {
    var world = try World(#"{"n":1}"#)
    world.losesDisplaced = true
    world.beforeSwap = { $0.save("{nonsense") }
    world.afterSwap = { $0.save(#"{"n":2,"t":"b"}"#) }
    world.dispatch("n", 1)
    #expect(world.text == #"{"n":2,"t":"b"}"#)
    #expect(world.outcomes == [2])
  }

  @Test func `a late save whose merge was never written is no part of what others go on from`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    let base = try #require(world.file)
    world.dispatch("n", 1)
    world.isFull = true
    world.send(.late(.init(save: World.contents(#"{"n":0,"t":"b"}"#), base: base.hash.description)))
    #expect(world.versions.history?.standing()?.newest.cause == .action)
    world.isFull = false
    world.fire(.retry)
    #expect(world.text == #"{"n":1,"t":"b"}"#)
  }

  @Test func `a save that a killed instance left changes nothing, however often it was merged`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    let base = try #require(world.file)
    world.dispatch("n", 1)
    let merged = #"{"n":1,"t":"b"}"#
    for (text, cause) in [
      (#"{"n":0,"t":"b"}"#, Version.Cause.merged), (#"{"n":1,"t":"b","v":0}"#, .merge), (merged, .action),
      (#"{"n":0,"t":"b"}"#, .merged), (merged, .merge), (#"{"n":1,"t":"b","u":0}"#, .action),
    ] {
      let version = Version(hash: ContentHash(Array(text.utf8)), time: 0, cause: cause, instance: "other")
      world.versions.append(version, whole: try JSONValue(parsing: text), lost: [])
    }
    world.commit(#"{"n":1,"t":"b","u":0}"#, by: "other")
    world.look()
    let save = World.contents(#"{"n":0,"t":"b"}"#)
    world.send(.late(.init(save: save, base: base.hash.description, successor: "older")))
    #expect(world.text == #"{"n":1,"t":"b","u":0}"#)
  }

  @Test func `a save that is emptied and made anew while an empty one is put back is another`() throws {
    var world = try World(#"{"n":1}"#)
    world.beforeSwap = { $0.save("") }
    world.standsInstead = World.contents("", inode: 7)
    world.dispatch("n", 1)
    #expect(world.outcomes == [2])
  }

  @Test func `a save made from a write that was put away for an invalid one does not get its actions twice`() throws {
    var world = try World(#"{"n":1,"t":"a"}"#)
    world.beforeSwap = { $0.save("{nonsense", at: 1) }
    world.setAsideInstead = [World.contents(#"{"n":2,"t":"b"}"#, at: 2, inode: 7)]
    world.dispatch("n", 1)
    world.fire(.settle)
    #expect(world.text == #"{"n":2,"t":"b"}"#)
    #expect(world.outcomes == [2])
  }

  @Test func `a save is merged with what stands, also where that could not be recorded`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    world.isForgetful = true
    world.beforeSwap = { world in
      world.save(#"{"n":1,"t":"b"}"#)
      world.afterSwap = { $0.beforeSwap = { $0.save(#"{"n":1,"t":"a","u":0}"#) } }
    }
    world.dispatch("n", 1)
    #expect(world.text == #"{"n":2,"t":"b","u":0}"#)
  }

  /// What was changed after it is an edit of what the save removes.
  @Test(arguments: [
    (#"{"t":"a","n":0}"#, true, #"{"n":0,"t":"a"}"#), (#"{"t":"a","n":0}"#, false, #"{"n":0,"t":"a"}"#),
    ("{}", true, #"{"n":2}"#), ("{}", false, "{}"),
  ])
  func `a late save that is meant as a whole takes the place of what it was made over, or of what there is`(
    save: String, isKnown: Bool, result: String
  ) throws {
    var world = try ReplicaWorld(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    let displaced = try #require(world.file?.hash.description)
    world.dispatch("n", 1)
    world.send(.late(.init(save: ReplicaWorld.contents(save), base: isKnown ? displaced : "unknown")))
    #expect(try JSONValue(parsing: world.text ?? "") == (try JSONValue(parsing: result)))
  }
}
