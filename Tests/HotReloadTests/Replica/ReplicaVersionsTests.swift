import StateJSON
import Testing

@testable import HotReload

/// What is remembered of writes that were announced, and of those that never came to stand.
@Suite struct ReplicaVersionsTests {
  typealias World = ReplicaWorld

  private func announce(_ text: String, in world: inout World) throws {
    let version = Version(hash: ContentHash(Array(text.utf8)), time: 0, cause: .action, instance: "other")
    world.versions.append(version, whole: try JSONValue(parsing: text), lost: [], stands: false)
  }

  private func newest(_ world: World) -> JSONValue? { world.versions.history?.standing()?.value }

  @Test func `a file is made of what it holds by default, and of what was done to that`() throws {
    var world = try ReplicaWorld(nil, join: .create)
    world.replica.recordsActions = true
    world.isLocked = true
    world.dispatch("n", 2)
    world.dispatch("n", 3)
    world.releaseLock()
    var expected = RecordedActions(actions: [["n", 2], ["n", 3]])
    expected.ground = ["n": 0]
    #expect(world.recordedActions == expected)
    #expect(world.text == "{\n  \"n\": 5\n}\n")
    // One that is made of nothing else says that nothing was done.
    world = try ReplicaWorld(nil)
    world.file = nil
    world.isLocked = true
    world.rejoin()
    world.replica.recordsActions = true
    let count = world.recorded.count
    world.releaseLock()
    #expect((world.recorded.count, world.recordedActions) == (count + 1, RecordedActions(actions: [])))
  }

  @Test func `a write counts as a version once it stands in the file`() throws {
    var world = try World(#"{"n":0}"#)
    world.beforeSwap = {
      #expect($0.versions.value == ["n": 1])
      #expect($0.versions.history?.standing()?.value == ["n": 0])
    }
    world.dispatch("n", 1)
    #expect(newest(world) == ["n": 1])
  }

  @Test func `a save is not merged with what a killed instance was about to write`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    try announce(#"{"n":2,"t":"a"}"#, in: &world)
    world.rejoin()
    world.save(#"{"n":1,"t":"b"}"#)
    world.look()
    #expect(world.text == #"{"n":1,"t":"b"}"#)
    world.dispatch("n", 1)
    #expect(world.text == #"{"n":2,"t":"b"}"#)
    #expect(newest(world) == ["n": 2, "t": "b"])
  }

  @Test func `a write that its writer could not confirm counts for all who have read it in the file`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    try announce(#"{"n":2,"t":"a"}"#, in: &world)
    world.commit(#"{"n":2,"t":"a"}"#, by: "other")
    world.look()
    world.save(#"{"n":1,"t":"b"}"#)
    world.look()
    #expect(world.text == #"{"n":2,"t":"b"}"#)
  }

  @Test func `a save is recorded together with what it is merged to`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    world.recorded = []
    world.save(#"{"n":0,"t":"b"}"#)
    world.look()
    #expect(world.recorded == [[.merged, .merge]])
    // Actions go over a version of its own.
    world.recorded = []
    world.save(#"{"n":0,"t":"c"}"#)
    world.dispatch("n", 1)
    #expect(world.recorded == [[.merged, .merge, .action]])
    #expect(world.text == #"{"n":2,"t":"c"}"#)
  }

  @Test func `a save with the bytes of an announced version does not prove that this stood`() throws {
    var world = try World(#"{"n":0,"t":"a","u":"a"}"#)
    world.dispatch("n", 1)
    // From a buffer that is older than the action; another instance was about to write the same for its own reasons.
    world.save(#"{"n":0,"t":"b","u":"a"}"#)
    world.isFull = true
    world.look()
    #expect(newest(world) == ["n": 1, "t": "b", "u": "a"])
    try announce(#"{"n":0,"t":"b","u":"a"}"#, in: &world)
    world.isFull = false
    world.save(#"{"n":0,"t":"b","u":"b"}"#)
    world.fire(.retry)
    #expect(world.text == #"{"n":1,"t":"b","u":"b"}"#)
  }

  @Test func `an older version with the bytes of an announced one does not prove that this stood`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    world.dispatch("n", -1)
    world.dispatch("n", 1)
    // Back to 0 again, but the file has just been removed to be made anew.
    world.beforeSwap = { $0.file = nil }
    world.dispatch("n", -1)
    world.save(#"{"n":1,"t":"b"}"#)
    world.look()
    #expect(world.text == #"{"n":0,"t":"b"}"#)
    #expect(world.outcomes == [1, 0, 1, 0])
  }

  @Test func `a save that comes back while its merge is written is merged all the same`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    world.save(#"{"n":0,"t":"b"}"#)
    world.beforeSwap = { $0.file = nil }
    world.look()
    #expect(world.text == nil)
    world.save(#"{"n":0,"t":"b"}"#)
    world.look()
    #expect(world.text == #"{"n":1,"t":"b"}"#)
  }

  @Test func `the bytes of a save that was about to be merged may be what another instance wrote since`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    world.save(#"{"n":0,"t":"b"}"#)
    world.isFull = true
    world.look()
    #expect(world.published.last?.state == #"{"n":1,"t":"b"}"#)
    world.commit(#"{"n":0,"t":"b"}"#, by: "other")
    world.isFull = false
    world.fire(.retry)
    #expect(world.text == #"{"n":0,"t":"b"}"#)
    // A view that applies actions itself goes on from what it shows.
    #expect(world.published.last?.state == #"{"n":0,"t":"b"}"#)
    world.dispatch("n", 5)
    #expect(world.text == #"{"n":5,"t":"b"}"#)
  }

  @Test func `a save that could not be recorded is known to who read it, and recorded with the next version`() throws {
    var world = try World(#"{"n":0,"t":"a","u":"a"}"#)
    world.dispatch("n", 1)
    world.isForgetful = true
    world.save(#"{"n":1,"t":"b","u":"a"}"#)
    world.look()
    world.isForgetful = false
    // From a buffer that is older than that save, and than the action before it.
    world.save(#"{"n":0,"t":"a","u":"b"}"#)
    world.recorded = []
    world.look()
    #expect(world.text == #"{"n":1,"t":"b","u":"b"}"#)
    #expect(world.recorded == [[.edit, .merged, .merge]])
    #expect(newest(world) == ["n": 1, "t": "b", "u": "b"])
  }

  @Test func `a write that could not be recorded is known to who wrote it, and recorded with the next`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    world.isForgetful = true
    world.dispatch("n", 1)
    world.isForgetful = false
    // From a buffer that is older than both.
    world.save(#"{"n":0,"t":"b"}"#)
    world.recorded = []
    world.look()
    #expect(world.text == #"{"n":2,"t":"b"}"#)
    #expect(world.recorded == [[.action, .merged, .merge]])
  }

  @Test func `what could not be recorded is known also where nothing else is recorded`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    world.isForgetful = true
    world.dispatch("n", 1)
    world.isForgetful = false
    world.versions = VersionHistoryBuilder()
    world.save(#"{"n":0,"t":"b"}"#)
    world.look()
    #expect(world.text == #"{"n":1,"t":"b"}"#)
  }

  @Test func `what could not be recorded is remembered from where another instance has recorded the rest`() throws {
    var world = try World(nil)
    world.isForgetful = true
    let first = #"{"n":0,"t":"a"}"#
    world.save(first)
    world.look()
    let version = Version(hash: ContentHash(Array(first.utf8)), time: 0, cause: .edit, instance: "other")
    world.versions.append(version, whole: try JSONValue(parsing: first), lost: [])
    world.dispatch("n", 1)
    world.isForgetful = false
    world.save(#"{"n":1,"t":"b"}"#)
    world.look()
    // From a buffer that is older than the action.
    world.save(#"{"n":0,"t":"c"}"#)
    world.look()
    #expect(world.text == #"{"n":1,"t":"c"}"#)
  }

  @Test func `what could not be recorded is forgotten once another instance has gone back before it`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    world.isForgetful = true
    world.dispatch("n", 1)
    world.isForgetful = false
    world.commit(#"{"n":0,"t":"a"}"#, by: "other")
    world.look()
    world.save(#"{"n":0,"t":"b"}"#)
    world.look()
    #expect(world.text == #"{"n":0,"t":"b"}"#)
  }

  @Test func `what could not be recorded for long is remembered as far as there is room`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    world.isForgetful = true
    for _ in 1...100 { world.dispatch("n", 1) }
    world.isForgetful = false
    world.save(#"{"n":1,"t":"b"}"#)
    world.recorded = []
    world.look()
    #expect(world.text == #"{"n":101,"t":"b"}"#)
    #expect(world.recorded.map(\.count) == [World.Brain.unkeptLimit + 2])
  }

  @Test func `what could not be recorded is not recorded after what another instance wrote`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    world.isForgetful = true
    world.dispatch("n", 1)
    world.isForgetful = false
    world.commit(#"{"n":3,"t":"a"}"#, by: "other")
    world.look()
    world.recorded = []
    world.dispatch("n", 1)
    #expect(world.text == #"{"n":4,"t":"a"}"#)
    #expect(world.recorded == [[.action]])
  }

  @Test func `what a save was merged to is a version, also where the actions over it never stood`() throws {
    var world = try World(#"{"n":0,"t":"a","u":"a"}"#)
    world.dispatch("n", 1)
    // From a buffer that is older than the action.
    world.save(#"{"n":0,"t":"b","u":"a"}"#)
    world.isFull = true
    world.dispatch("n", 1)
    #expect(newest(world) == ["n": 1, "t": "b", "u": "a"])
    // The save is gone, before its merge was written, by another from that buffer.
    world.isFull = false
    world.save(#"{"n":0,"t":"a","u":"b"}"#)
    world.fire(.retry)
    #expect(world.text == #"{"n":2,"t":"b","u":"b"}"#)
  }

  @Test func `a merge is a version although an invalid save takes its place`() throws {
    var world = try World(#"{"n":0,"t":"a","u":"a"}"#)
    world.dispatch("n", 1)
    world.save(#"{"n":0,"t":"b","u":"a"}"#)
    world.beforeSwap = { $0.save("{nonsense") }
    world.dispatch("n", 1)
    #expect(world.text == "{nonsense")
    #expect(newest(world) == ["n": 1, "t": "b", "u": "a"])
    world.save(#"{"n":0,"t":"a","u":"b"}"#, at: 1)
    world.look()
    #expect(world.text == #"{"n":2,"t":"b","u":"b"}"#)
  }

  @Test func `a save that a merge displaced is recorded over that as it was written, actions and all`() throws {
    var world = try World(#"{"n":0,"t":"a","u":"a"}"#)
    world.dispatch("n", 1)
    world.save(#"{"n":0,"t":"b","u":"a"}"#)
    world.beforeSwap = { $0.save(#"{"n":1,"t":"b","u":"b"}"#) }
    world.dispatch("n", 1)
    #expect(world.text == #"{"n":2,"t":"b","u":"b"}"#)
    #expect(newest(world) == ["n": 2, "t": "b", "u": "b"])
  }

  @Test func `a write that could not be announced is a version all the same once it stands`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    world.isForgetful = true
    world.beforeSwap = { $0.isForgetful = false }
    world.dispatch("n", 1)
    #expect(newest(world) == ["n": 1, "t": "a"])
  }

  @Test func `a write that seemed to fail is confirmed when it is found in the file`() throws {
    var world = try World(#"{"n":0,"t":"a"}"#)
    world.failsAfterSwap = true
    world.dispatch("n", 1)
    #expect(newest(world) == ["n": 0, "t": "a"])
    world.fire(.retry)
    #expect(world.outcomes == [1])
    #expect(newest(world) == ["n": 1, "t": "a"])
  }
}
