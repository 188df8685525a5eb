import Replication
import StateJSON
import TestSupport

/// Machines that share one state through a folder, which an engine carries between them in any order, in part, late or twice.
/// On each, several instances change one document. Processes are killed between any two steps of a look at the share, and disks
/// are full.
///
/// All that happens follows from the seed.
public struct ShareWorld {
  private var random: SplitMix64
  private let variant: ShareVariant?
  private var machines: [Machine] = []
  private var time = 100_000
  private var names = 0
  private var unique = 0
  private var deeds = Deeds()
  private var breaches: [String] = []
  /// How often two had written one file.
  private var conflicts = 0
  /// Whether all clocks are right.
  private let isPunctual: Bool
  /// How many steps are taken in a row at most.
  private let stepLimit: Int

  /// Runs one world to its end.
  ///
  /// - Parameters:
  ///   - seed: What happens follows from it.
  ///   - variant: What is broken.
  ///   - stepLimit: How many steps are taken in a row at most: with few, a run is short, and there can be more of them.
  /// - Returns: The promises that were broken.
  public static func run(seed: UInt64, variant: ShareVariant? = nil, stepLimit: Int = .max) -> [String] {
    var world = ShareWorld(random: SplitMix64(seed: seed), variant: variant, stepLimit: stepLimit)
    do {
      try world.live()
    } catch {
      world.broke("a step failed: \(error)")
    }
    return world.breaches
  }

  private init(random: SplitMix64, variant: ShareVariant?, stepLimit: Int) {
    (self.random, self.variant, self.stepLimit) = (random, variant, stepLimit)
    isPunctual = self.random.oneIn(3)
  }

  private mutating func broke(_ promise: String) {
    if !breaches.contains(promise) { breaches.append(promise) }
  }

  // MARK: A life

  private static let apps: [[Int?]] = [[0], [nil], [0, nil], [0, 1, nil]]
  private static let skews = [0, 0, -60, 90, 5_000, -5_000, 315_360_000_000, -90_000]

  private mutating func live() throws {
    let apps = random.pick(Self.apps)
    for number in 0..<random.pick([2, 3, 3, 4]) { add("abcd"[number], apps) }
    for index in machines.indices.prefix(random.pick([1, 1, 2])) { try begin(index) }
    for source in machines.indices {
      for target in machines.indices where source != target && !random.oneIn(5) { deliver(source, to: target) }
    }
    for index in machines.indices { try look(index) }

    try run(random.pick([30, 60, 120]))
    switch random.below(10) {
    case 0..<3: try clone(random.below(machines.count))
    case 3..<6 where machines.count > 2: die(1 + random.below(machines.count - 1))
    case 6, 7:
      add("e", apps)
      try begin(machines.count - 1)
    case 8:
      add("e", apps)
      machines[machines.count - 1].adopts = random.oneIn(4)
      let contents: JSONValue = [
        "n": 0, "m": 0, "title": "", "tokens": ["e": 1], "rows": [["id": "e", "v": 1]], "tags": [],
      ]
      machines[machines.count - 1].commit(contents, at: time)
    default: break
    }
    try run(random.pick([0, 30, 120]))
    for index in machines.indices { machines[index].isOff = false }
    try quiesce()
    try check()
  }

  private mutating func add(_ name: String, _ apps: [Int?]) {
    let app = random.pick(apps).map(SampleApp.init)
    var machine = Machine(
      name: name, app: app, skew: isPunctual ? 0 : random.pick(Self.skews), processes: random.pick([1, 1, 2]),
      variant: variant)
    for number in 0..<random.pick([1, 2, 3]) {
      let others: [Instance] = [.verbs, .editor(buffer: nil)]
      if let app, number == 0 || random.oneIn(3) {
        machine.instances.append(.app(app))
      } else {
        machine.instances.append(random.pick(others))
      }
    }
    machines.append(machine)
  }

  /// A machine begins with the defaults of an app: it has joined before, or finds them there when it joins.
  private mutating func begin(_ index: Int) throws {
    if !random.oneIn(4) { try look(index) }
    machines[index].commit(SampleApp.initial, seed: .defaults, at: time)
    try look(index)
  }

  private var living: [Int] { machines.indices.filter { !machines[$0].isDead } }

  private mutating func run(_ steps: Int) throws {
    for _ in 0..<min(steps, stepLimit) {
      time += random.below(4)
      let index = random.pick(living)
      switch random.below(100) {
      case 0..<40: try act(index)
      case 40..<70:
        let other = random.pick(living)
        if other != index, !machines[index].isOff, !machines[other].isOff {
          deliver(index, to: other, share: random.pick([30, 70, 100]))
        }
      case 70..<90: try look(index)
      case 90..<94: try lookInVain(index)
      case 94 where !isPunctual: machines[index].skew = random.pick(Self.skews)
      default: machines[index].isOff.toggle()
      }
    }
  }

  /// An instance does something to its machine's document. What that held before the device had joined is contents, and may have
  /// to give way.
  private mutating func act(_ index: Int) throws {
    guard let document = machines[index].document, machines[index].hasJoined else { return }
    unique += 1
    let instance = random.below(machines[index].instances.count)
    let deed = try machines[index].instances[instance].act(on: document, "\(machines[index].name)\(unique)", &random)
    guard let deed else { return }
    machines[index].commit(deed.document, action: deed.action, app: deed.app, at: time)
  }

  // MARK: The engine

  /// Some of the files of one machine's folder reach another's, some of them in part, or in an old state.
  private mutating func deliver(_ source: Int, to target: Int, share: Int = 100) {
    for (name, file) in machines[source].folder.sorted(by: { $0.key < $1.key }) {
      if share < 100, random.below(100) >= share { continue }
      let there = machines[target].folder[name]
      if let there, Self.differ(file, there) {
        conflict(name, file, there, target)
      } else if share < 100 {
        let part = random.below(file.count + 1)
        if random.oneIn(10) || part > there?.count ?? 0 { machines[target].folder[name] = Array(file.prefix(part)) }
      } else if file.count > there?.count ?? 0 {
        machines[target].folder[name] = file
      }
    }
  }

  /// Whether neither is the beginning of the other. A line says all that is before it.
  private static func differ(_ one: [JournalLine], _ other: [JournalLine]) -> Bool {
    let count = min(one.count, other.count)
    return count > 0 && one[count - 1].id != other[count - 1].id
  }

  /// Two wrote one file. One stands, now and then the other as a copy beside it.
  private mutating func conflict(_ name: String, _ one: [JournalLine], _ other: [JournalLine], _ target: Int) {
    let isFirst = one[one.count - 1].id > other[other.count - 1].id
    machines[target].folder[name] = isFirst ? one : other
    conflicts += 1
    if random.oneIn(2), let last = (isFirst ? other : one).last {
      machines[target].folder["\(name) (conflict \(last.id))"] = isFirst ? other : one
    }
  }

  // MARK: What happens to machines

  /// A second machine with the same state folder. What was not said by then both would say.
  private mutating func clone(_ index: Int) throws {
    try look(index)
    let copy = machines.count
    machines.append(machines[index])
    deeds.clone(index, as: copy)
    guard random.oneIn(2) else { return }
    // They do the same at once: their journals are of one length, and not the same.
    for twin in [index, copy] {
      guard let document = machines[twin].document else { return }
      unique += 1
      let action: JSONValue = ["append", "/tags", .string("\(machines[twin].name)\(unique)")]
      var after: JSONValue? = document
      DocumentAction(action)?.apply(to: &after)
      machines[twin].commit(after, action: action, at: time)
      try look(twin)
      for other in living where other != index && other != copy {
        deliver(twin, to: other)
        try look(other)
      }
    }
    if !random.oneIn(3) { die(random.pick([index, copy])) }
  }

  /// A machine never comes back. Its journals may be removed from all folders, or some, or be old ones again.
  private mutating func die(_ index: Int) {
    machines[index].isDead = true
    let (kind, left) = (random.below(4), random.below(100))
    if kind == 0 { return }
    let prefix = machines[index].name + "."
    for other in machines.indices {
      for (name, file) in machines[other].folder.sorted(by: { $0.key < $1.key }) where name.hasPrefix(prefix) {
        switch kind {
        case 1: machines[other].folder[name] = nil
        case 2: if random.oneIn(2) { machines[other].folder[name] = nil }
        default:
          machines[other].folder[name] = random.oneIn(3) ? nil : Array(file.prefix(file.count * left / 100))
        }
      }
    }
  }

  /// A look that something goes wrong with; and then the folder may be an old one.
  private mutating func lookInVain(_ index: Int) throws {
    machines[index].fate = Fate(&random)
    try look(index)
    guard random.oneIn(2) else { return }
    for (name, file) in machines[index].folder.sorted(by: { $0.key < $1.key }) where random.oneIn(2) {
      machines[index].folder[name] = Array(file.prefix(random.below(file.count + 1)))
    }
  }

  /// One of a machine's processes looks at the share.
  private mutating func look(_ index: Int) throws {
    let (turn, asBytes) = (random.below(machines[index].processCount), random.oneIn(64))
    let before = machines[index].records
    let name = names + 1
    try machines[index].look(at: time * 1_000, by: turn, asBytes: asBytes) { "\(name)" }
    names = name
    let said = machines[index].records.said(since: before)
    deeds.note(said, of: machines[index].log, by: index)
    guard case .object(let tokens)? = machines[index].document?[member: "tokens"] else { return }
    for key in tokens.keys {
      let cause = key.split(separator: "/").dropLast().joined(separator: "/")
      if !cause.isEmpty, tokens[cause] == nil { broke("an effect before its cause") }
    }
  }

  /// All meet until nobody has said anything for three rounds: of a machine's two processes, one has looked twice by then, and so
  /// asked for what it misses.
  private mutating func quiesce() throws {
    var quiet = 0
    for _ in 0..<24 {
      let before = (living.reduce(0) { $0 + machines[$1].records.ownCount }, conflicts)
      for source in living { for target in living where source != target { deliver(source, to: target) } }
      for index in living { try look(index) }
      time += 60
      let after = (living.reduce(0) { $0 + machines[$1].records.ownCount }, conflicts)
      quiet = before == after ? quiet + 1 : 0
      if quiet == 3 { return }
    }
    broke("never quiet")
  }
}

// MARK: What must be true

extension ShareWorld {
  private mutating func check() throws {
    let first = machines[living[0]]
    var device = first.device
    for index in living where machines[index].document != first.document { broke("machines differ") }
    for index in living where !machines[index].hasExportedAll { broke("something was not exported") }
    for breach in living.flatMap({ machines[$0].breaches.sorted() }) { broke(breach) }
    for index in living where machines[index].carriesTwice { broke("a line is carried twice in one journal") }
    try checkJoining(first.document)
    guard let document = first.document else { return }
    // Whatever one machine that is left has heard of counts everywhere.
    for line in living.flatMap({ machines[$0].records.kept }) { device.take([line]) }
    let isPunctual = isPunctual && !machines.contains { $0.wasBehind }
    for breach in deeds.breaches(of: document, among: device.fold.lines, isPunctual: isPunctual) { broke(breach) }
    for breach in deeds.breachesOfReduction(document, device.fold, living.compactMap { machines[$0].app?.version }) {
      broke(breach)
    }
  }

  /// A machine that joins last, and has nothing but what lies in the folder, comes to the same.
  private mutating func checkJoining(_ document: JSONValue?) throws {
    machines.append(Machine(name: "z", app: nil, skew: 0, processes: 1, variant: variant))
    try quiesce()
    if machines.last?.document != document { broke("a machine that joins has something else") }
    machines.removeLast()
  }
}

extension String {
  fileprivate subscript(place: Int) -> String { String(self[index(startIndex, offsetBy: place)]) }
}
