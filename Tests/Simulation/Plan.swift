import TestSupport

/// What takes part in a run, and what may go wrong in it; everything else follows from the seed.
public struct Plan: Sendable, Equatable, Codable {
  var instances = 2
  var actions = 4
  var editors = 1
  var saves = 3
  /// Editors load what they save just before they save it.
  var areEditorsFresh = false
  var styles = SaveStyle.all
  var hasInvalidSaves = true
  var hasDeletions = false
  var kills = 0
  var faults = false
  var stalls = false
  /// One in so many events of the watcher is lost; 0 for none.
  var lossRate = 0
  var startsWithFile = true
  /// A call takes up to so many nanoseconds.
  var pace = 20_000
  var grain: UInt64 = 1
  /// Actions are applied by whoever shows the state, as by a store.
  var viewsApply = false
  /// How many users have instances: each has a state folder of its own, and all may write to the file and its folder.
  var users = 1
  /// How often the power is cut. What is acknowledged is on the disk by then.
  var powerCuts = 0
  /// How many machines share the file, through a folder that is kept in sync.
  var devices = 1
  /// Whether somebody replaces the file on purpose.
  var hasReplacement = false
  /// What the file system lacks.
  var lacks: [Lack] = []

  /// Something that not all file systems can do.
  enum Lack: String, Codable, CaseIterable {
    case exchange, leases, attributes, directoryLocks, accessTimes
  }

  /// A plan of moderate size.
  init(drawing random: inout SplitMix64) {
    instances = 2 + (random.oneIn(3) ? random.below(4) : 0)
    actions = 1 + random.below(4)
    editors = random.oneIn(6) ? 0 : random.oneIn(3) ? 2 : 1
    saves = 1 + random.below(4)
    areEditorsFresh = random.oneIn(2)
    if random.oneIn(2) { styles = [random.pick(SaveStyle.all)] }
    hasInvalidSaves = random.oneIn(3)
    hasDeletions = random.oneIn(8)
    kills = random.oneIn(2) ? 1 + random.below(3) : 0
    faults = random.oneIn(4)
    stalls = random.oneIn(3)
    lossRate = random.oneIn(4) ? 1 + random.below(4) : 0
    startsWithFile = !random.oneIn(8)
    pace = random.pick([1_000, 5_000, 20_000, 100_000])
    grain = random.pick([1, 4_000_000, 1_000_000_000])
    viewsApply = random.oneIn(2)
    if random.oneIn(4) { lacks = [random.pick(Lack.allCases)] }
    // Commits that follow each other keep the lock.
    if random.oneIn(8) { actions = 8 + random.below(24) }
    if random.oneIn(10) { (users, editors, hasDeletions, startsWithFile) = (2, 0, false, true) }
    if users == 1, random.oneIn(8) {
      (powerCuts, editors, hasDeletions, faults) = (1 + random.below(2), 0, false, false)
    }
    if users == 1, powerCuts == 0, random.oneIn(8) {
      (devices, lacks, hasDeletions) = (2, [], false)
    }
    // Whoever is killed, or can't find it out, lets anybody have read what it displaced.
    if users == 1, powerCuts == 0, devices == 1, random.oneIn(8) {
      (hasReplacement, editors, kills, faults, hasDeletions, lacks) = (true, 0, 0, false, false, [])
      (actions, startsWithFile) = (6 + random.below(10), true)
    }
    // Buffers that grow old while others save.
    if random.oneIn(32) { saves = 8 + random.below(8) }
  }

  /// Plans that are a little simpler.
  public var simpler: [Plan] {
    var plans: [Plan] = []
    func add(_ change: (inout Plan) -> Void) {
      var plan = self
      change(&plan)
      if plan != self { plans.append(plan) }
    }
    add { $0.instances = max(1, instances - 1) }
    add { $0.actions = actions / 2 }
    add { $0.actions = max(0, actions - 1) }
    add { $0.editors = max(0, editors - 1) }
    add { $0.saves = max(1, saves - 1) }
    add { $0.areEditorsFresh = true }
    for style in styles where styles.count > 1 { add { $0.styles = [style] } }
    add { $0.hasInvalidSaves = false }
    add { $0.hasDeletions = false }
    add { $0.kills = max(0, kills - 1) }
    add { $0.faults = false }
    add { $0.stalls = false }
    add { $0.lossRate = 0 }
    add { $0.startsWithFile = true }
    add { $0.grain = 1 }
    add { $0.viewsApply = false }
    add { $0.lacks = [] }
    add { $0.hasReplacement = false }
    add { $0.devices = 1 }
    add { $0.users = 1 }
    add { $0.powerCuts = max(0, powerCuts - 1) }
    return plans
  }
}
