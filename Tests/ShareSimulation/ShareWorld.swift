import Replication
import StateJSON
import TestSupport

/// Machines that share one state through a folder, which an engine carries between them in any order, in part, late or twice.
///
/// All that happens follows from the seed.
public struct ShareWorld {
  var random: SplitMix64
  private let variant: ShareVariant?
  private var machines: [Machine] = []
  private var time = 100_000
  private var names = 0
  private var unique = 0
  /// The actions, by the line that says them.
  private var deeds = Deeds()
  private var breaches: [String] = []
  /// How often two had written one file.
  private var conflicts = 0

  /// Runs one world to its end.
  ///
  /// - Returns: The promises that were broken.
  public static func run(seed: UInt64, variant: ShareVariant? = nil) -> [String] {
    var world = ShareWorld(random: SplitMix64(seed: seed), variant: variant)
    do {
      try world.live()
    } catch {
      world.broke("a step failed: \(error)")
    }
    return world.breaches
  }

  private init(random: SplitMix64, variant: ShareVariant?) { (self.random, self.variant) = (random, variant) }

  private mutating func broke(_ promise: String) {
    if !breaches.contains(promise) { breaches.append(promise) }
  }

  // MARK: A life

  private static let apps: [[Int?]] = [[0], [nil], [0, nil], [0, 1, nil]]
  private static let skews = [0, 0, -60, 90, 5_000, -5_000, 315_360_000_000, -90_000]

  private mutating func live() throws {
    let apps = random.pick(Self.apps)
    for number in 0..<random.pick([2, 3, 3, 4]) { add("abcd"[number], apps) }
    for index in machines.indices.prefix(random.pick([1, 1, 2])) {
      try machines[index].seed(SampleApp.initial, .defaults, at: time, variant: variant)
    }
    for source in machines.indices {
      for target in machines.indices where source != target && !random.oneIn(5) { deliver(source, to: target) }
    }
    for index in machines.indices { try sync(index) }

    try run(random.pick([30, 60, 120]))
    switch random.below(10) {
    case 0..<3: try clone(random.below(machines.count))
    case 3..<6 where machines.count > 2: die(1 + random.below(machines.count - 1))
    case 6, 7:
      add("e", apps)
      try machines[machines.count - 1].seed(SampleApp.initial, .defaults, at: time, variant: variant)
    case 8:
      add("e", apps)
      let contents: JSONValue = [
        "n": 0, "m": 0, "title": "", "tokens": ["e": 1], "rows": [["id": "e", "v": 1]], "tags": [],
      ]
      try machines[machines.count - 1].seed(contents, .contents, at: time, variant: variant)
    default: break
    }
    try run(random.pick([0, 30, 120]))
    for index in machines.indices { machines[index].isOff = false }
    try quiesce()
    try check()
  }

  private mutating func add(_ name: String, _ apps: [Int?]) {
    machines.append(Machine(name: name, app: random.pick(apps).map(SampleApp.init), skew: random.pick(Self.skews)))
  }

  private var living: [Int] { machines.indices.filter { !machines[$0].isDead } }

  private mutating func run(_ steps: Int) throws {
    for _ in 0..<steps {
      time += random.below(4)
      let index = random.pick(living)
      switch random.below(100) {
      case 0..<40: try act(index)
      case 40..<70:
        let other = random.pick(living)
        if other != index, !machines[index].isOff, !machines[other].isOff {
          deliver(index, to: other, share: random.pick([30, 70, 100]))
        }
      case 70..<92: try sync(index)
      case 92..<94:
        // Killed after it had appended, before it noted anything.
        try export(index)
        machines[index].restart()
      case 94: machines[index].skew = random.pick(Self.skews)
      default: machines[index].isOff.toggle()
      }
    }
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

  private static func differ(_ one: [JournalLine], _ other: [JournalLine]) -> Bool {
    zip(one, other).contains { $0.id != $1.id }
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

  /// A second machine with the same state folder. Each begins with what the log had.
  private mutating func clone(_ index: Int) throws {
    try export(index)
    machines.append(machines[index])
  }

  /// A machine never comes back. Its journals may be removed from all folders.
  private mutating func die(_ index: Int) {
    machines[index].isDead = true
    guard random.oneIn(2) else { return }
    let name = machines[index].name + "."
    for other in machines.indices { machines[other].folder = machines[other].folder.filter { !$0.key.hasPrefix(name) } }
  }

  private mutating func export(_ index: Int) throws {
    let count = machines[index].device.journal.count
    let before = machines[index].log
    let done = machines[index].device.exported
    try machines[index].export(variant)
    deeds.note(machines[index].device.journal[count...], of: before, after: done, by: index)
  }

  private mutating func sync(_ index: Int) throws {
    try export(index)
    let asBytes = random.oneIn(16)
    let name = names + 1
    try machines[index].sync(at: time * 1_000, newName: { "\(name)" }, asBytes: asBytes, variant: variant)
    names = name
    let tokens = machines[index].document?[member: "tokens"]
    guard case .object(let object)? = tokens else { return }
    for key in object.keys {
      let cause = key.split(separator: "/").dropLast().joined(separator: "/")
      if !cause.isEmpty, object[cause] == nil { broke("an effect before its cause") }
    }
  }

  private mutating func quiesce() throws {
    var quiet = 0
    for _ in 0..<24 {
      let before = (living.reduce(0) { $0 + machines[$1].device.journal.count }, conflicts)
      for source in living { for target in living where source != target { deliver(source, to: target) } }
      for index in living { try sync(index) }
      time += 60
      let after = (living.reduce(0) { $0 + machines[$1].device.journal.count }, conflicts)
      quiet = before == after ? quiet + 1 : 0
      if quiet > 2 { return }
    }
    broke("never quiet")
  }
}

// MARK: What people do

extension ShareWorld {
  private mutating func act(_ index: Int) throws {
    guard let document = machines[index].document else { return }
    unique += 1
    let name = "\(machines[index].name)\(unique)"
    guard case .object(let tokens) = document[member: "tokens"] else { return }
    let rows = document[member: "rows"].elements.compactMap(\.id)
    let kind = random.below(100)
    if kind < 7 {
      edit(index, document, name)
    } else if machines[index].app == nil || random.oneIn(7) {
      try useVerb(index, kind, name, tokens)
    } else {
      useApp(index, kind, name, tokens, rows)
    }
  }

  private mutating func useVerb(_ index: Int, _ kind: Int, _ name: String, _ tokens: JSONObject) throws {
    let action: JSONValue
    switch kind {
    case ..<30: action = ["set", .string("\(JSONPointer(["tokens", name]))"), 1]
    case ..<40 where !tokens.isEmpty:
      action = ["set", .string("\(JSONPointer(["tokens", random.pick(tokens.keys) + "/" + name]))"), 1]
    case ..<70: action = ["increment", "/n", 1]
    case ..<90: action = ["append", "/tags", .string(name)]
    default: action = ["set", "/title", .string(name)]
    }
    var document = machines[index].document
    guard let parsed = DocumentAction.all([action]) else { return broke("a verb is unknown") }
    for action in parsed { action.apply(to: &document) }
    machines[index].commit(document, action: action, app: nil, at: time)
  }

  private mutating func useApp(_ index: Int, _ kind: Int, _ name: String, _ tokens: JSONObject, _ rows: [JSONValue]) {
    let action: JSONValue
    switch kind {
    case ..<20: action = ["token", .string(name)]
    case ..<30 where !tokens.isEmpty: action = ["token", .string(random.pick(tokens.keys) + "/" + name)]
    case ..<50: action = ["add", .number(JSONNumber(1 + random.below(5)))]
    case ..<60: action = ["cap", .number(JSONNumber(random.pick([3, 5, 9])))]
    case ..<72: action = ["row", .string(name), .number(JSONNumber(random.below(50)))]
    case ..<80 where !rows.isEmpty: action = ["row+", random.pick(rows)]
    case ..<84 where !rows.isEmpty: action = ["drop", random.pick(rows)]
    case ..<95: action = ["tag", .string(name)]
    default: action = ["title", .string(name)]
    }
    guard let app = machines[index].app,
      let document = try? app.reducing(machines[index].document, by: [action])
    else { return broke("an action is unknown") }
    machines[index].commit(document, action: action, app: app.version, at: time)
  }

  /// An editor saves the machine's own file.
  private mutating func edit(_ index: Int, _ document: JSONValue, _ name: String) {
    guard case .object(var state) = document else { return }
    var rows = document[member: "rows"].elements
    switch random.below(10) {
    case ..<3:
      guard case .object(var tokens) = document[member: "tokens"] else { return }
      tokens[name] = 1
      state["tokens"] = .object(tokens)
    case ..<5: rows.insert(["id": .string(name), "v": 7], at: random.below(rows.count + 1))
    case ..<8 where !rows.isEmpty:
      let place = random.below(rows.count)
      guard case .object(var row) = rows[place] else { return }
      row["note"] = .string(name)
      rows[place] = .object(row)
    default: state["title"] = .string(name)
    }
    state["rows"] = .array(rows)
    machines[index].commit(.object(state), action: nil, app: nil, at: time)
  }
}

// MARK: What must be true

extension ShareWorld {
  private mutating func check() throws {
    let first = machines[living[0]]
    for index in living where machines[index].document != first.document { broke("machines differ") }
    for index in living where !machines[index].hasExportedAll { broke("something was not exported") }
    try checkJoining(first.document)
    guard let document = first.document else { return }
    var known: Set<LineID> = []
    for index in living {
      known.formUnion(machines[index].kept.map(\.id))
      known.formUnion((machines[index].former + machines[index].device.journal).map(\.id))
    }
    for breach in deeds.breaches(of: document, among: known) { broke(breach) }
    checkExact(document, first.device)
  }

  /// A machine that joins last, and has nothing but what lies in the folder, comes to the same.
  private mutating func checkJoining(_ document: JSONValue?) throws {
    let others = living
    machines.append(Machine(name: "z", app: nil, skew: 0))
    let last = machines.count - 1
    for index in others { deliver(index, to: last) }
    for _ in 0..<8 {
      try sync(last)
      time += 60
      for index in others {
        deliver(last, to: index)
        try sync(index)
        deliver(index, to: last)
      }
    }
    if machines[last].document != document { broke("a machine that joins has something else") }
    machines.removeLast()
  }

  /// As if all actions had been reduced one after another, by the newest app that is about.
  private mutating func checkExact(_ document: JSONValue, _ device: Device) {
    var fold = device.fold
    let newest = fold.lines.counted.compactMap { id -> AppVersion? in
      guard let number = fold.lines.number(of: id) else { return nil }
      return switch fold.lines.line(number).contents {
      case .entry(let entry): entry.app
      case .settled(let settled): settled.app
      default: nil
      }
    }.max()
    let here = living.compactMap { machines[$0].app?.version }
    guard newest == nil || newest.map(here.contains) == true else { return }
    if document[member: "n"].integer != deeds.sum {
      broke("the counter is \(document[member: "n"].integer) of \(deeds.sum)")
    }
    guard let newest else { return }
    if fold.reduced(by: SampleApp(newest.version)) != document { broke("not as if reduced one after another") }
  }
}

extension String {
  fileprivate subscript(place: Int) -> String { String(self[index(startIndex, offsetBy: place)]) }
}
