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
    let version = ContentHash(Array(#"{ "n":1, "t":"b" }"#.utf8)).description.prefix(8)
    #expect(
      world.notices == [
        "'state.json' was saved from an older version; kept '/n', changed since then by instance me; "
          + "to insist: replicate restore state.json \(version)"
      ])
    #expect(world.versions.history?.entries.map(\.version.cause) == [.merge, .merged, .action, .action, .edit])
  }

  @Test func `the history names what was kept, and who had made it`() throws {
    var world = try ReplicaWorld(#"{"n":0,"m":0,"t":"a"}"#)
    world.dispatch("n", 1)
    let unseen = Version(hash: ContentHash(high: 1, low: 1), time: 0, cause: .action, instance: "other")
    world.versions.append(unseen, whole: ["n": 1, "m": 5, "t": "a"], lost: [])
    world.save(#"{"n":0,"m":0,"t":"b"}"#)
    world.look()
    #expect(world.text == #"{"n":1,"m":5,"t":"b"}"#)
    let kept = KeptChanges(pointers: [JSONPointer(["n"]), JSONPointer(["m"])], authors: ["other", "me"])
    #expect(world.versions.history?.entries[0].kept == kept)
    #expect(world.notices.count == 1)
    #expect(world.notices[0].contains("kept '/n', '/m', changed since then by instances other, me; "))
  }

  @Test func `what somebody else saved is kept as another save`() throws {
    var world = try ReplicaWorld(#"{"a":0,"b":0,"c":0}"#)
    world.save(#"{"a":1,"b":0,"c":0}"#)
    world.look()
    world.save(#"{"a":0,"b":0,"c":0,"d":1}"#)
    world.look()
    #expect(world.text == #"{"a":1,"b":0,"c":0,"d":1}"#)
    #expect(world.notices[0].contains("kept '/a', changed since then by another save; "))
  }

  /// A merge puts back what others have made; who came upon the save has made none of it.
  @Test func `who merged a save is not the author of what was kept or saved`() throws {
    var world = try ReplicaWorld(#"{"a":0,"b":0,"c":0,"t":"a"}"#)
    let unseen = Version(hash: ContentHash(high: 1, low: 1), time: 0, cause: .action, instance: "other")
    world.versions.append(unseen, whole: ["a": 0, "b": 2, "c": 0, "t": "a"], lost: [])
    world.save(#"{"a":0,"b":0,"c":5,"t":"a"}"#)
    world.look()
    #expect(world.text == #"{"a":0,"b":2,"c":5,"t":"a"}"#)
    #expect(world.notices.last?.contains("kept '/b', changed since then by instance other; ") == true)
    world.save(#"{"a":0,"b":0,"c":0,"t":"b"}"#)
    world.look()
    #expect(world.text == #"{"a":0,"b":2,"c":5,"t":"b"}"#)
    let authors = "changed since then by instance other and by another save; "
    #expect(world.notices.last?.contains("kept '/b', '/c', \(authors)") == true)
  }

  @Test func `an author is found though an element has another index by now`() throws {
    var world = try ReplicaWorld(#"{"l":[{"id":1,"v":0},{"id":2,"v":0}],"t":"a"}"#)
    let unseen = Version(hash: ContentHash(high: 1, low: 1), time: 0, cause: .action, instance: "other")
    let value = try JSONValue(parsing: #"{"l":[{"id":1,"v":0},{"id":2,"v":5}],"t":"a"}"#)
    world.versions.append(unseen, whole: value, lost: [])
    world.save(#"{"l":[{"id":9},{"id":1,"v":0},{"id":2,"v":0}],"t":"a"}"#)
    world.look()
    #expect(world.notices.last?.contains("kept '/l/2/v', changed since then by instance other; ") == true)
  }

  @Test(arguments: [
    ("state.json", "state.json"), ("it's a.json", #"'it'\''s a.json'"#), ("-x.json", "./-x.json"), ("=x", "'=x'"),
    ("a$b;c", "'a$b;c'"), ("ä/雪.json", "ä/雪.json"), ("", "''"),
  ])
  func `the command that a notice names is one for a shell`(file: String, word: String) {
    let kept = KeptChanges(pointers: [JSONPointer(["n"])], authors: [])
    let notice = Notice.kept(kept, saved: ContentHash(high: 0x1234_5678 << 32, low: 0), in: file)
    #expect(notice.message.hasSuffix("; to insist: replicate restore \(word) 12345678"))
  }

  /// Nothing is merged before it stands in the file, and nobody is told of it twice.
  @Test func `a merge is told once it stands, and again when somebody insists`() throws {
    var world = try ReplicaWorld(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    world.dispatch("n", 1)
    world.isFull = true
    world.save(#"{"n":1,"t":"b"}"#)
    world.look()
    world.fire(.retry)
    #expect(world.notices == [])
    world.isFull = false
    world.fire(.retry)
    #expect(world.notices.count == 1)
    world.dispatch("n", 1)
    #expect(world.notices.count == 1)
    world.save(#"{"n":1,"t":"b"}"#)
    world.look()
    #expect(world.text == #"{"n":3,"t":"b"}"#)
    #expect(world.notices.count == 2)
  }

  @Test func `of a displaced save it is told what was kept, and nothing where it is as it was made`() throws {
    var world = try ReplicaWorld(#"{"n":0,"t":"a"}"#)
    world.dispatch("n", 1)
    world.beforeSwap = { $0.save(#"{"n":1,"t":"b"}"#) }
    world.dispatch("n", 1)
    #expect(world.text == #"{"n":2,"t":"b"}"#)
    #expect(world.notices == [])
    world.beforeSwap = { $0.save(#"{"n":1,"t":"c"}"#) }
    world.dispatch("n", 1)
    #expect(world.text == #"{"n":3,"t":"c"}"#)
    #expect(world.notices.count == 1)
  }

  @Test func `of a late save it is told what was kept`() throws {
    var world = try ReplicaWorld(#"{"n":0,"t":"a"}"#)
    let base = try #require(world.file)
    world.dispatch("n", 1)
    let save = ReplicaWorld.contents(#"{"n":0,"t":"late"}"#)
    world.send(.late(.init(save: save, base: base.hash.description)))
    #expect(world.text == #"{"n":1,"t":"late"}"#)
    #expect(world.notices.count == 1)
    #expect(world.notices[0].contains("kept '/n', changed since then by instance me; "))
    #expect(world.notices[0].contains("to insist: replicate restore state.json \(save.hash.description.prefix(8))"))
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
    let newer = ContentHash(Array(#"{"n":2}"#.utf8)).description.prefix(8)
    #expect(
      world.notices == [
        "an older version of 'state.json' was saved; to take that back: replicate restore state.json \(newer)"
      ])
    #expect(world.versions.history?.entries.map(\.version.cause) == [.restore, .action, .action, .edit])
  }

  @Test func `who takes back an own save is not told that`() throws {
    var world = try ReplicaWorld(#"{"n":0}"#)
    world.save(#"{"n":1}"#)
    world.look()
    world.save(#"{"n":0}"#)
    world.look()
    #expect(world.text == #"{"n":0}"#)
    #expect(world.versions.history?.entries.map(\.version.cause) == [.restore, .edit, .edit])
    #expect(world.notices == [])
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
