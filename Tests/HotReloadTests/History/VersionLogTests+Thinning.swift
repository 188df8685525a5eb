import Glibc
import StateJSON
import TestSupport
import Testing

@testable import HotReload

/// What becomes of a log that has grown too large.
extension VersionLogTests {
  @Test func `a log that makes no sense goes on with a whole version when it was to be thinned`() throws {
    let place = try Place()
    let log = place.log()
    try append(1...2, to: log)
    try appendNonsense(3, to: place)
    var number = 3
    while try place.status(of: "state/\(place.logName)").size < Place.sizeLimit {
      number += 1
      try append(number...number, to: log)
    }
    #expect(try log.history() == nil)
    try append(number + 1...number + 3, to: log)
    let newest = UInt64(number + 3)
    #expect(try numbers(log).first == newest)
  }

  @Test func `what was withdrawn outlives thinning`() throws {
    let place = try Place()
    let log = place.log()
    // The same for all, however long the test takes.
    let now = WallClock.now()
    let long = String(repeating: "x", count: Place.sizeLimit / 64)
    try append(1...1, to: log, at: now - 3_600_000)
    try log.withdraw(Self.version(2), value: Self.value(2), over: (Self.version(1).hash, Self.value(1)))
    let inode = try place.status(of: "state/\(try place.logName)").identity
    for number in 3...200 where try place.status(of: "state/\(try place.logName)").identity == inode {
      try log.append(Self.version(number, at: now), value: ["long": .string("\(number)" + long)], over: nil)
    }
    #expect(try place.status(of: "state/\(try place.logName)").identity != inode)
    let history = try #require(try place.log().history())
    let index = try #require(history.entries.firstIndex { $0.version.hash == Self.version(1).hash })
    #expect(history.value(ofWithdrawn: 0, after: index) == Self.value(2))
  }

  @Test func `a log that has grown too large is thinned, and all instances go on with the new one`() throws {
    let place = try Place()
    let (one, other) = (place.log(), place.log())
    let now = WallClock.now()
    var largest = 0
    for number in 1...8000 {
      // Ten a second for the last hour or so.
      let version = Self.version(number, at: now - Int64(8000 - number) * 500)
      let log = number.isMultiple(of: 7) ? other : one
      try log.append(
        version, value: Self.value(number), over: (Self.version(number - 1).hash, Self.value(number - 1)))
      if number.isMultiple(of: 50) {
        largest = max(largest, try place.status(of: "state/\(try place.logName)").size)
      }
    }
    #expect(largest < Place.sizeLimit + 100_000)
    let history = try #require(try one.history())
    #expect(history.entries.count < 6000)
    for (index, entry) in history.entries.enumerated() where index.isMultiple(of: 97) {
      #expect(history.value(at: index) == Self.value(Int(entry.version.hash.high)))
    }
    #expect(try place.names(in: "state").count == 1)
    #expect(try place.status(of: "state/\(try place.logName)").permissions == 0o600)
  }

  @Test func `of old versions ever fewer are kept, but all that somebody saved`() throws {
    let now: Int64 = 1_000_000_000_000
    let candidates = (0..<100_000).map { second in
      let cause: Version.Cause = second == 20_000 ? .edit : .action
      return VersionThinning.Candidate(
        version: Self.version(second, at: now - Int64(100_000 - second) * 1000, cause), size: 188)
    }
    let kept = VersionThinning.kept(of: candidates, now: now, limit: .max)
    let ages = kept.map { (now - candidates[$0].version.time) / 1000 }
    #expect(ages.suffix(10) == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    #expect(ages.contains(80_000))
    #expect(ages.allSatisfy { $0 <= 86_400 })
    #expect(150...260 ~= kept.count, "\(kept.count)")
  }

  @Test func `a burst of commits pushes out neither a save nor what was before the burst`() throws {
    let now: Int64 = 1_000_000_000_000
    // Each second for an hour, with a save a minute ago; then two thousand a second.
    let seconds: [Int64] = (7...3600).reversed().map { $0 * 1000 }
    let burst: [Int64] = (0..<12_000).reversed().map { $0 / 2 }
    let ages = seconds + burst
    let candidates = ages.enumerated().map { number, age in
      VersionThinning.Candidate(
        version: Self.version(number, at: now - age, age == 60_000 ? .edit : .action), size: 188)
    }
    let kept = VersionThinning.kept(of: candidates, now: now, limit: 500_000)
    let times = kept.map { now - candidates[$0].version.time }
    #expect(kept.contains { candidates[$0].version.cause == .edit })
    #expect(times.contains { $0 > 3_000_000 })
    // Of the burst, all of the end, and some of the rest.
    #expect(times.count { $0 <= 500 } == 1_002)
    #expect(times.contains { 4_000...6_000 ~= $0 })
    #expect(kept.count < 3_000)
  }

  @Test func `a version that somebody has read outlasts any number that nobody has`() throws {
    let place = try Place()
    let (one, other) = (place.log(), place.log())
    try append(1...3, to: one)
    try one.noteReader(of: Self.version(2).hash, at: WallClock.now())
    // The other goes on from the last version, not from the one that was read.
    try append(4...4, to: other)
    #expect(try numbers(one) == [4, 3, 2, 1])
    try append(5...12_000, to: one)
    let history = try #require(try other.history())
    let index = try #require(history.entries.firstIndex { $0.version.hash == Self.version(2).hash })
    #expect(history.entries[index].wasRead)
    #expect(history.value(at: index) == Self.value(2))
    #expect(history.entries.count { $0.wasRead } == 1)
    #expect(!history.entries.contains { $0.version.hash == Self.version(1000).hash })
  }
}
