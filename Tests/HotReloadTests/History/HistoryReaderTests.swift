import StateJSON
import Testing
import TestSupport

@testable import HotReload

/// Who stays reads of the log what was added, and knows what it would by reading all.
@Suite struct HistoryReaderTests {
  /// All that a history says.
  private static func story(_ history: VersionHistory?) -> String {
    guard let history else { return "none" }
    let entries = history.entries.map { entry in
      let withdrawn = entry.withdrawn.map { "\($0.version.hash.low): \($0.changes)" }
      let lost = entry.lost.map { "\($0.pointer)" }
      return
        "\(entry.version) \(entry.undo) \(String(describing: entry.changes)) \(withdrawn) \(lost) \(entry.wasRead) \(entry.stands)"
    }
    return (["\(history.value)"] + entries).joined(separator: "\n")
  }

  private static func version(_ number: Int, _ cause: Version.Cause = .action) -> Version {
    Version(hash: ContentHash(high: 7, low: UInt64(number)), time: WallClock.now(), cause: cause, instance: "i")
  }

  private static func value(_ number: Int) -> JSONValue {
    // Long enough for the log to be thinned now and then.
    let long = String(repeating: "\(number % 10)", count: 2_000)
    return ["n": .number(JSONNumber(number)), "list": .array([["id": 1, "t": .string(long)]]), "o": [:]]
  }

  @Test func `what was read on is what is read anew`() throws {
    var apart = 0
    for seed in 0..<4 as Range<UInt64> { apart += try readOn(seed) }
    // Else nothing was tried.
    #expect(apart > 5)
  }

  /// Two instances write to a log, and read on.
  ///
  /// - Returns: How often a change was apart from all versions.
  private func readOn(_ seed: UInt64) throws -> Int {
    let place = try VersionLogTests.Place()
    let logs = [place.smallLog(), place.smallLog()]
    var random = SplitMix64(seed: seed)
    var (number, announced) = (0, false)
    var apart = 0
    for _ in 0..<200 {
      let log = random.pick(logs)
      switch random.below(12) {
      case 0: try log.noteReaders(of: [Self.version(random.below(number + 1)).hash], at: 1)
      case 1 where announced:
        try log.abort([Self.version(number)])
        announced = false
      case 2 where announced:
        let addition = VersionLog.Addition(
          version: Self.version(number), content: JSONDocument(formatting: Self.value(number)), predecessor: nil,
          lost: [],
          stands: true)
        try log.confirm(addition)
        announced = false
      case 3 where !announced && number > 0:
        let withdrawn: JSONValue = ["n": 0, "o": ["w": 1]]
        try log.withdraw(
          Self.version(10_000 + number), value: withdrawn, over: (Self.version(number).hash, Self.value(number)))
      default:
        number += 1
        announced = random.oneIn(3)
        try log.append(
          Self.version(number, random.oneIn(9) ? .merged : .action), value: Self.value(number),
          over: random.oneIn(100) ? nil : (Self.version(number - 1).hash, Self.value(number - 1)), stands: !announced)
      }
      guard random.oneIn(3) else { continue }
      let reader = random.pick(logs)
      let anew = try place.smallLog().history()
      #expect(Self.story(try reader.historyUnderLock()) == Self.story(anew), "seed \(seed)")
      let patch = JSONPatch([.replace(at: JSONPointer([random.pick(["n", "o", "list", "other"])]), with: 1)])
      // What is apart is so of all versions that there were, also of those that are thinned out.
      let newest = JSONDocument(formatting: anew?.value ?? .null)
      if try reader.isApart(patch, of: newest) {
        apart += 1
        #expect(anew?.isApart(patch) ?? true, "seed \(seed)")
      }
    }
    return apart
  }

  @Test func `a whole version that isn't the oldest may have changed everything`() throws {
    let place = try VersionLogTests.Place()
    let log = place.log()
    let patch = JSONPatch([.replace(at: JSONPointer(["other"]), with: 1)])
    try log.append(Self.version(1), value: Self.value(1), over: nil)
    func isApart(_ patch: JSONPatch, _ log: VersionLog) throws -> Bool {
      try log.isApart(patch, of: JSONDocument(formatting: try #require(try log.history()).value))
    }
    #expect(try isApart(patch, log))
    try log.append(Self.version(2), value: Self.value(2), over: (Self.version(1).hash, Self.value(1)))
    #expect(try isApart(patch, log))
    // What it had before, whatever it has now, and what it never had.
    for place in [log, place.log()] {
      #expect(try !isApart(JSONPatch([.replace(at: JSONPointer(["n"]), with: 1)]), place))
      #expect(try isApart(JSONPatch([.replace(at: JSONPointer(["n"]), with: 7)]), place))
    }
    try log.abort([Self.version(2)])
    try log.append(Self.version(3), value: Self.value(3), over: nil)
    #expect(try !isApart(patch, log))
    #expect(try !isApart(patch, place.log()))
  }
}
