import StateJSON
import StoreCore
import Testing

@testable import HotReload

@Suite struct ReplicaTests {
  // MARK: Joining

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

  // MARK: Saves of editors

  @Test func `a save made between the read and the swap gets the same actions`() throws {
    var world = try ReplicaWorld(#"{"n":1,"t":"old"}"#)
    world.beforeSwap = { $0.save(#"{"n":50,"t":"new"}"#) }
    world.dispatch("n", 2)
    #expect(world.text == #"{"n":52,"t":"new"}"#)
    #expect(world.forgotten == [#"{"n":50,"t":"new"}"#])
    #expect(world.outcomes == [52])
    #expect(world.published.map(\.cause).last == .edit)
  }

  /// Its writer opened the file before the swap, read the path after it, and wrote into what it had opened.
  @Test(arguments: [(0, #"{"n":3,"t":"new"}"#), (-1, #"{"n":5,"t":"new"}"#)])
  func `a save made from the write that displaced it has its actions already, unless it is older`(
    time: Int, result: String
  ) throws {
    var world = try ReplicaWorld(#"{"n":1,"t":"old"}"#)
    world.beforeSwap = { $0.save(#"{"n":3,"t":"new"}"#, at: time) }
    world.dispatch("n", 2)
    #expect(world.text == result)
    #expect(world.outcomes == [time == 0 ? 3 : 5])
    #expect(world.acknowledged == 1)
    #expect(world.forgotten == [#"{"n":3,"t":"new"}"#])
    world.dispatch("n", 1)
    #expect(world.outcomes.last == (time == 0 ? 4 : 6))
  }

  @Test func `two saves in the instant of the swap are taken in order, the second over the first write`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.beforeSwap = { world in
      world.save(#"{"n":10}"#)
      world.afterSwap = { $0.beforeSwap = { $0.save(#"{"n":20}"#) } }
    }
    world.dispatch("n", 1)
    #expect(world.text == #"{"n":20}"#)
    #expect(world.outcomes == [2])
  }

  @Test func `a save made from a write that displaced another one does not get its actions twice`() throws {
    var world = try ReplicaWorld(#"{"n":1,"t":"old"}"#)
    world.beforeSwap = { world in
      world.save(#"{"n":1,"t":"first"}"#)
      world.afterSwap = { $0.beforeSwap = { $0.save(#"{"n":3,"t":"second"}"#) } }
    }
    world.dispatch("n", 2)
    #expect(world.text == #"{"n":3,"t":"second"}"#)
    #expect(world.outcomes == [3])
  }

  @Test func `a save made from a write that displaced an invalid one does not get its actions twice`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.beforeSwap = { world in
      world.save("{")
      world.afterSwap = { $0.save(#"{"n":3,"t":"mended"}"#) }
    }
    world.dispatch("n", 2)
    #expect(world.text == #"{"n":3,"t":"mended"}"#)
    #expect(world.rescued == ["{"])
    #expect(world.outcomes == [3])
  }

  @Test func `an invalid save over a write that displaced another one leaves neither beside the file`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.beforeSwap = { world in
      world.save(#"{"n":5}"#)
      world.afterSwap = { $0.beforeSwap = { $0.save("{") } }
    }
    world.dispatch("n", 2)
    #expect(world.text == "{")
    #expect(world.outcomes == [3])
    #expect(world.forgotten == [#"{"n":5}"#])
  }

  @Test func `a save by removal of a write that displaced another one does not get its actions twice`() throws {
    var world = try ReplicaWorld(#"{"n":1,"t":"old"}"#)
    world.beforeSwap = { world in
      world.save(#"{"n":1,"s":"first","t":"old"}"#)
      world.afterSwap = { $0.beforeSwap = { $0.file = nil } }
    }
    world.dispatch("n", 2)
    #expect(world.outcomes == [3])
    world.save(#"{"n":3,"t":"second"}"#)
    world.look()
    #expect(world.text == #"{"n":3,"s":"first","t":"second"}"#)
    #expect(world.outcomes == [3])
  }

  @Test func `a save displaced by an action that does nothing to it stands again`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.beforeSwap = { $0.save(#"{"m":7}"#) }
    world.dispatch("n", 2)
    #expect(world.text == #"{"m":7}"#)
    #expect(world.outcomes == [nil])
  }

  @Test func `a save displaced by the last write that the disk had room for is merged when there is room`() throws {
    var world = try ReplicaWorld(#"{"n":1,"t":"old"}"#)
    world.beforeSwap = { $0.save(#"{"n":1,"t":"new"}"#) }
    world.afterSwap = { $0.isFull = true }
    world.dispatch("n", 2)
    // What stands in the file may be built upon by others, so it counts.
    #expect(world.text == #"{"n":3,"t":"old"}"#)
    #expect(world.outcomes == [3])
    #expect(world.problems.map(\.code) == [.cannotWrite])
    world.commit(#"{"n":13,"t":"old"}"#, by: "other")
    world.look()
    world.isFull = false
    world.fire(.retry)
    #expect(world.text == #"{"n":13,"t":"new"}"#)
    #expect(world.outcomes == [3])
    #expect(world.forgotten == [#"{"n":1,"t":"new"}"#])
  }

  @Test(arguments: [#"{"n":1,"t":"#, #"{"n":1,"t":"half"}"#])
  func `a displaced save that is still being written comes as a late one when it is whole`(half: String) throws {
    var world = try ReplicaWorld(#"{"n":1,"t":"old"}"#)
    let base = try #require(world.file)
    world.beforeSwap = { $0.save(half, settled: false) }
    world.dispatch("n", 2)
    #expect(world.text == #"{"n":3,"t":"old"}"#)
    #expect(world.outcomes == [3])
    #expect(world.expected == [half])
    world.send(.late(.init(save: ReplicaWorld.contents(#"{"n":1,"t":"new"}"#), base: base.hash.description)))
    #expect(world.text == #"{"n":3,"t":"new"}"#)
  }

  @Test func `an invalid save made in the instant of the swap is put back, and work goes on in memory`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.beforeSwap = { $0.save("{\"n\": 5,\n}") }
    world.dispatch("n", 2)
    #expect(world.text == "{\"n\": 5,\n}")
    #expect(world.outcomes.isEmpty)
    #expect(world.problems.map(\.code) == [.invalidJSON])
    #expect(world.problems.first?.line == 2)
    world.save(#"{"n":5}"#)
    world.look()
    #expect(world.text == #"{"n":7}"#)
    #expect(world.outcomes == [7])
    #expect(world.resolved == [.invalidJSON])
  }

  @Test func `a save that follows an invalid one while that is put back stays`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.beforeSwap = { world in
      world.save("{")
      world.afterSwap = { $0.save(#"{"n":30}"#) }
    }
    world.dispatch("n", 2)
    #expect(world.text == #"{"n":30}"#)
    #expect(world.rescued == ["{"])
    #expect(world.outcomes == [3])
  }

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

  @Test func `a late save is part of what a displaced one is merged with`() throws {
    var world = try ReplicaWorld(#"{"n":1,"s":"a","t":"a"}"#)
    let base = try #require(world.file)
    world.isLocked = true
    world.dispatch("n", 1)
    world.send(.late(.init(save: ReplicaWorld.contents(#"{"n":1,"s":"late","t":"a"}"#), base: base.hash.description)))
    world.beforeSwap = { $0.save(#"{"n":1,"s":"a","t":"now"}"#) }
    world.releaseLock()
    #expect(world.text == #"{"n":2,"s":"late","t":"now"}"#)
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

  @Test func `when an invalid save can't be put back the write counts`() throws {
    var world = try ReplicaWorld(#"{"n":1}"#)
    world.beforeSwap = { $0.save("{") }
    world.failsToSwapBack = true
    world.dispatch("n", 2)
    world.failsToSwapBack = false
    world.fire(.retry)
    #expect(world.text == #"{"n":3}"#)
    #expect(world.outcomes == [3])
    #expect(world.rescued == ["{"])
  }

  // MARK: Absence and refusals

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

  @Test func `a state that cannot be encoded is reported and written once it can`() throws {
    var world = try ReplicaWorld(nil, join: .create, initial: #"{"n":0,"poison":true}"#)
    world.dispatch("n", 1)
    #expect(world.problems.map(\.code) == [.unencodable])
    world.save(#"{"n":4}"#)
    world.look()
    #expect(world.text == #"{"n":5}"#)
  }

  // MARK: Stale saves

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
