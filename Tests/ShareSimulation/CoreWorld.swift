import Replication
import StateJSON
import TestSupport

/// Devices that hear of each other's lines, in any order, late, in part or never: what `Replication` alone makes of them, with no files,
/// engine, processes or kills between. So there can be many more runs than of ``ShareWorld``.
///
/// All that happens follows from the seed.
public struct CoreWorld {
  /// A device, and what is done on it.
  struct Member {
    var device: Device
    let app: SampleApp?
    let skew: Int
    var instances: [Instance]
    var document: JSONValue?
    var log: [LocalCommit] = []
    /// What stands in its file, where that lies in the folder itself.
    var file = CoreFile()
    /// Whether it never comes back.
    var isGone = false
  }

  var random: SplitMix64
  let variant: ShareVariant?
  var members: [Member] = []
  private var deeds = Deeds()
  var time = 100_000
  /// Whether the file lies in the folder itself.
  let isInside: Bool
  let fileVariant: FileVariant?
  let engine: CoreEngine
  let hardship: FileHardship?
  /// Whether the engine keeps the times of files in this world.
  let keepsTimes: Bool
  /// How often something was put into a file.
  var momentCount = 0
  /// What people have saved there.
  var saved: Set<String> = []
  /// What somebody has brought back, after all had fallen quiet.
  var restored: JSONValue?
  /// Whether the third device never returns.
  private var leaves = false
  /// Whether those that are left had something to say as long as they were heard.
  private var isNeverQuiet = false

  /// Runs one world to its end.
  ///
  /// - Parameters:
  ///   - seed: What happens follows from it.
  ///   - isInside: Whether the file lies in the folder itself, where the engine replaces it, and people save what they like.
  ///   - hardship: What else such files meet.
  ///   - variant: What is broken: `nothingSettled` or `nothingCarried`.
  ///   - fileVariant: What is broken of what is made of the file.
  /// - Returns: The promises that were broken.
  public static func run(
    seed: UInt64, isInside: Bool = false, hardship: FileHardship? = nil, variant: ShareVariant? = nil,
    fileVariant: FileVariant? = nil
  ) -> [String] {
    var world = CoreWorld(
      random: SplitMix64(seed: seed), variant: variant, isInside: isInside, hardship: hardship,
      fileVariant: fileVariant)
    do {
      try world.live()
      return try world.breaches()
    } catch {
      return ["a step failed: \(error)"]
    }
  }

  private init(
    random: SplitMix64, variant: ShareVariant?, isInside: Bool, hardship: FileHardship?, fileVariant: FileVariant?
  ) {
    var random = random
    (self.variant, self.isInside, self.hardship, self.fileVariant) = (variant, isInside, hardship, fileVariant)
    keepsTimes = hardship != .lostTimes || random.oneIn(2)
    engine = random.pick(CoreEngine.allCases)
    self.random = random
  }

  // MARK: A life

  private static let apps: [[Int?]] = [[0], [nil], [0, nil], [0, 1, nil]]
  private static let skews = [0, 0, -60, 90, 5_000, -315_360_000_000]

  private mutating func live() throws {
    let apps = random.pick(Self.apps)
    for name in ["a", "b", "c"].prefix(random.pick([2, 2, 3])) { add(name, apps) }
    leaves = members.count > 2 && random.oneIn(2)
    try commit(SampleApp.initial, seed: .defaults, by: 0)
    for index in members.indices.dropFirst() where !random.oneIn(4) { try hear(index, of: [0]) }
    for number in 0..<random.pick([4, 8, 16]) {
      time += random.below(4)
      let index = random.below(members.count)
      if random.oneIn(3) { try hear(index, of: members.indices.filter { $0 != index && !random.oneIn(3) }) }
      if isInside, random.oneIn(3) { deliverFile(to: index, from: random.below(members.count)) }
      if isInside, random.oneIn(24) { takeAwayFile(of: index) }
      if isInside, random.oneIn(5) { saveInside(index, number) } else { try act(index, "\(number)") }
    }
    // What it has said last may have reached some.
    if leaves {
      // Where only its file had reached anybody, nobody could tell what that was made of.
      if isInside { try hear(2, []); try hear(0, members[2].device.journal[...].withCarried) }
      members[2].isGone = true
    }
    try rest()
    if isInside, keepsTimes, random.oneIn(4), restoreInside() { try rest() }
  }

  private mutating func add(_ name: String, _ apps: [Int?]) {
    guard let writer = Writer(device: name, incarnation: "0") else { preconditionFailure("a bad name") }
    let app = random.pick(apps).map(SampleApp.init)
    let others: [Instance] = isInside ? [.verbs] : [.verbs, .editor(buffer: nil)]
    members.append(
      Member(
        device: Device(share: "share", writer: writer), app: app, skew: random.pick(Self.skews),
        instances: [app.map(Instance.app) ?? .verbs, random.pick(others)]))
  }

  private mutating func act(_ index: Int, _ name: String) throws {
    if isInside { lookAtFile(index, isLast: false) }
    guard let document = members[index].document else { return }
    let instance = random.below(2)
    let deed = try members[index].instances[instance].act(
      on: document, members[index].device.writer.device + name, &random)
    guard let deed else { return }
    try commit(deed.document, action: deed.action, app: deed.app, by: index)
  }

  /// Does something to a member's document, which is said now, or together with what comes next.
  private mutating func commit(
    _ after: JSONValue?, action: JSONValue? = nil, app: AppVersion? = nil, seed: JournalEntry.Seed? = nil, by index: Int
  ) throws {
    members[index].log.append(
      LocalCommit(
        label: "\(members[index].log.count + 1)", time: max(2, time + members[index].skew),
        before: members[index].document, after: after, actions: action.map { [$0] }, app: app, seed: seed))
    members[index].document = after
    if isInside { writeFile(index) }
    // Of a version between two that it told together, nobody else can know what it held.
    if random.oneIn(2) || isInside && leaves && index == 2 { try tell(index) }
  }

  private mutating func tell(_ index: Int) throws {
    let said = max(members[index].device.exported.flatMap { Int($0) } ?? 0, members[index].file.told)
    for commit in Array(members[index].log[said...]).joined {
      // One after the other, as what was said is what a save can have been made from.
      let commit = resolved(commit, by: index)
      if commit.save != nil { try declareFile(index, before: Int(commit.label) ?? 0) }
      deeds.note(try members[index].device.export([commit]), of: members[index].log, by: index)
    }
    members[index].file.told = members[index].log.count
    try declareFile(index)
  }

  // MARK: Hearing of others

  /// Some lines of others come, those of each from any one on, up to any other; and it says what is to be said to that.
  private mutating func hear(_ index: Int, of others: [Int]) throws {
    var lines: [JournalLine] = []
    for other in others {
      let journal = members[other].device.journal
      let start = random.oneIn(4) ? random.below(journal.count + 1) : 0
      let end = random.oneIn(2) ? journal.count : random.below(journal.count + 1)
      lines += journal[min(start, end)..<end].withCarried
    }
    try hear(index, lines)
  }

  private mutating func hear(_ index: Int, _ lines: [JournalLine], isLast: Bool = false) throws {
    if isInside {
      lookAtFile(index, isLast: isLast)
      try declareReading(index)
    }
    members[index].device.take(lines)
    if members[index].device.exported == nil {
      let nothing = LocalCommit(label: "0", time: 0, before: members[index].document, after: members[index].document)
      let commits = members[index].log
      deeds.note(
        try members[index].device.export(commits.isEmpty ? [nothing] : commits, isReading: commits.isEmpty),
        of: commits, by: index)
    }
    try tell(index)
    let journals = members.compactMap { $0.isGone ? nil : $0.device.journal }
    let app = variant == .nothingSettled ? nil : members[index].app
    let member = members[index]
    _ = try members[index].device.respond(
      app: app, at: time * 1_000,
      nearest: { contents, _, isLater in
        member.nearest(to: contents, isBroken: fileVariant == .laterBase, besides: isLater)
      }
    ) { id in
      variant == .nothingCarried || journals.contains { $0.contains { $0.id == id } }
    }
    members[index].document = members[index].device.document
    (members[index].file.finds, members[index].file.hasFound) = ([], false)
    if isInside { try bringIntoFile(index, isLast: isLast) }
  }

  /// What stays the same of a member once all is quiet.
  private struct Quiet: Equatable {
    let (lineCount, commitCount): (Int, Int)
    let found: CoreFile.Found?

    init(of member: Member) {
      (lineCount, commitCount) = (member.device.journal.count, member.log.count)
      found = member.file.found
    }
  }

  /// All that are left hear all that the others say, until nobody says anything more.
  private mutating func rest() throws {
    let living = members.indices.filter { !members[$0].isGone }
    var heard = members.map { _ in members.map { _ in 0 } }
    var quiet = 0
    for _ in 0..<32 where quiet < 2 {
      let before = living.map { Quiet(of: members[$0]) }
      for index in living {
        var lines: [JournalLine] = []
        for other in living where other != index {
          let journal = members[other].device.journal
          lines += journal[heard[index][other]...].withCarried
          heard[index][other] = journal.count
          if isInside { deliverFile(to: index, from: other) }
        }
        try hear(index, lines, isLast: quiet > 0)
      }
      // What is missed for so long is asked for.
      time += 60
      let isQuiet = living.map { Quiet(of: members[$0]) } == before
      quiet = isQuiet ? quiet + 1 : 0
    }
    if quiet < 2 { isNeverQuiet = true }
  }

  // MARK: What must be true

  private mutating func breaches() throws -> [String] {
    let document = members[0].document
    if members.contains(where: \.isGone) {
      // One more, which has nothing but what the others have said, and asks for what it misses.
      add("z", [nil])
      try rest()
    }
    var breaches = isNeverQuiet ? ["never quiet"] : []
    let living = members.filter { !$0.isGone }
    if !living.allSatisfy({ $0.document == document }) { breaches.append("devices differ") }
    var lines = living.flatMap { $0.device.journal[...].withCarried }
    lines.shuffle(using: &random)
    var device = Device(share: "share", writer: members[0].device.writer)
    device.take(lines)
    if device.document != document { breaches.append("the same lines in another order come to something else") }
    guard let document else { return breaches + ["there is no document"] }
    if isInside { breaches += breachesOfFiles(document) }
    // What was done before is gone on purpose.
    if restored != nil { return breaches }
    breaches += deeds.breaches(of: document, among: device.fold.lines, isPunctual: false)
    // Who has seen a title in the file, before what it was made of has arrived, has seen it all the same; then the clocks decide.
    if isInside { breaches.removeAll { $0 == "a title is back" } }
    breaches += deeds.breachesOfReduction(document, device.fold, living.compactMap { $0.app?.version })
    return breaches
  }
}

extension ArraySlice<JournalLine> {
  /// They, and those that they carry.
  fileprivate var withCarried: [JournalLine] { flatMap { [$0] + ($0.carriedLine.map { [$0] } ?? []) } }
}
