import StateJSON
import StoreCore
import Testing

@testable import HotReload

/// Saves that are made in the very instant of a swap.
@Suite struct ReplicaDisplacedSaveTests {
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

  /// The log was begun anew with that write, or can't be read in that moment.
  @Test(arguments: [false, true])
  func `a save made from the write that displaced it is known as such without older versions`(isUnreadable: Bool) throws
  {
    for (save, result) in [(#"{"n":3,"t":"new"}"#, 3), (#"{"n":1,"t":"new"}"#, 3), (#"{"n":2,"t":"new"}"#, 4)] {
      var world = try ReplicaWorld(#"{"n":1,"t":"old"}"#)
      world.beforeSwap = { world in
        world.save(save)
        world.versions = VersionHistoryBuilder()
        world.failsToRecall = isUnreadable
      }
      world.dispatch("n", 2)
      #expect(world.text == #"{"n":\#(result),"t":"new"}"#)
      #expect(world.outcomes == [result])
      #expect(world.acknowledged == 1)
    }
  }

  /// There is no version before a file is made; the actions are done to what the state is by default.
  @Test(arguments: [(#"{"n":2,"t":"new"}"#, 2), (#"{"n":1,"t":"new"}"#, 3)])
  func `a save made from the write that made the file has its actions already`(save: String, result: Int) throws {
    var world = try ReplicaWorld("", join: .create)
    world.beforeSwap = { $0.save(save) }
    world.dispatch("n", 2)
    world.fire(.settle)
    #expect(world.text == #"{"n":\#(result),"t":"new"}"#)
    #expect(world.outcomes == [result])
    #expect(world.acknowledged == 1)
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

  @Test
  func `a save made from what stood before an invalid one was put back neither has its actions twice nor loses others`()
    throws
  {
    var world = try ReplicaWorld(#"{"n":0,"t":"a"}"#)
    world.beforeSwap = { $0.save("{") }
    world.dispatch("n", 5)
    // Somebody has loaded {"n":5,…} in the moment in which that stood there.
    world.save(#"{"n":0,"t":"mended"}"#)
    world.look()
    #expect(world.text == #"{"n":5,"t":"mended"}"#)
    world.dispatch("n", 1)
    world.save(#"{"n":5,"t":"a","u":1}"#)
    world.look()
    #expect(world.text == #"{"n":6,"t":"mended","u":1}"#)
    #expect(world.outcomes == [5, 6])
  }

  @Test func `what stood before an invalid save was put back is no version to go back to`() throws {
    var world = try ReplicaWorld(#"{"n":0,"t":"a"}"#)
    world.beforeSwap = { $0.save("{") }
    world.dispatch("n", 5)
    #expect(world.versions.history?.entries.count == 1)
    world.save(#"{"n":5,"t":"a"}"#)
    world.look()
    #expect(world.text == #"{"n":5,"t":"a"}"#)
    #expect(world.outcomes == [5])
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
}
