import Glibc
import StateJSON
import TestSupport
import Testing

@testable import HotReload

/// What becomes of a log that has grown too large.
extension VersionLogTests {
  @Test(arguments: [false, true])
  func `a log that makes no sense goes on with a whole version when it was to be thinned`(isAside: Bool) throws {
    let place = try Place()
    let log = place.log()
    log.thinsAside = isAside
    try append(1...2, to: log)
    try appendNonsense(3, to: place)
    var number = 3
    while try place.status(of: "state/\(place.logName)").size < Place.sizeLimit {
      number += 1
      try append(number...number, to: log)
    }
    #expect(try log.history() == nil)
    #expect(
      try eventually {
        try append(number + 1...number + 3, to: log)
        number += 3
        return try numbers(log).first == UInt64(number)
      })
  }

  @Test(arguments: [false, true])
  func `a log that is damaged goes on with a whole version once it is thinned`(isAside: Bool) throws {
    let place = try Place()
    let log = place.smallLog()
    log.thinsAside = isAside
    try append(1...50, to: log)
    let path = "state/\(try place.logName)"
    var lines = try place.text(of: path).split(separator: "\n").map(String.init)
    lines[20] = lines[20].replacing("a", with: "b")
    try place.write(lines.joined(separator: "\n") + "\n", to: path)
    var number = 50
    try appendUntilThinned(after: &number, to: log, of: place)
    try append(number + 1...number + 2, to: log)
    #expect(try numbers(place.smallLog()).prefix(2) == [UInt64(number + 2), UInt64(number + 1)])
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
      return LogThinning.Candidate(
        version: Self.version(second, at: now - Int64(100_000 - second) * 1000, cause), size: 188)
    }
    let kept = LogThinning.kept(of: candidates, now: now, limit: .max)
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
      LogThinning.Candidate(
        version: Self.version(number, at: now - age, age == 60_000 ? .edit : .action), size: 188)
    }
    let kept = LogThinning.kept(of: candidates, now: now, limit: 500_000)
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
    try one.noteReaders(of: [Self.version(2).hash], at: WallClock.now())
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

  // MARK: Aside

  /// Adds versions until the log is about to be thinned, or is.
  ///
  /// - Returns: The number of the last one.
  private func fill(_ log: VersionLog, of place: Place) throws -> Int {
    try append(1...1, to: log)
    let inode = try place.status(of: "state/\(place.logName)").identity
    var number = 1
    while case let status = try place.status(of: "state/\(place.logName)"), status.identity == inode,
      status.size <= Place.smallSizeLimit
    {
      number += 1
      try append(number...number, to: log)
    }
    return number
  }

  /// Adds versions after one until a thinned log has taken the log's place; then that is the last one.
  private func appendUntilThinned(
    after number: inout Int, to log: VersionLog, of place: Place, at location: SourceLocation = #_sourceLocation
  ) throws {
    let path = "state/\(try place.logName)"
    let inode = try place.status(of: path).identity
    func appendOne() throws {
      number += 1
      try append(number...number, to: log)
    }
    // As many as it takes, however long that takes; from then on it is a matter of time.
    while case let status = try place.status(of: path), status.identity == inode, status.size <= Place.smallSizeLimit {
      try appendOne()
    }
    let isThinned = try eventually {
      if try place.status(of: path).identity != inode { return true }
      try appendOne()
      return false
    }
    #expect(isThinned, sourceLocation: location)
  }

  /// That a log has all of the newest versions, and values of them, and the first ones no more.
  private func expectThinned(_ log: VersionLog, newest: Int, at location: SourceLocation = #_sourceLocation) throws {
    let history = try #require(try log.history(), sourceLocation: location)
    let numbers = history.entries.map { Int($0.version.hash.high) }
    #expect(numbers.prefix(200) == (newest - 199...newest).reversed()[...], sourceLocation: location)
    #expect(numbers.count < newest, sourceLocation: location)
    #expect(!history.entries.contains { !$0.stands }, sourceLocation: location)
    for (index, number) in numbers.enumerated() where index.isMultiple(of: 97) {
      #expect(history.value(at: index) == Self.value(number), sourceLocation: location)
    }
  }

  @Test func `who stays goes on adding versions while a log is thinned, and none is lost`() throws {
    let place = try Place()
    let (one, other) = (place.smallLog(), place.smallLog())
    one.thinsAside = true
    // Under one lock nobody looks again where the log ends.
    one.hold = 1
    var number = try fill(one, of: place)
    try appendUntilThinned(after: &number, to: one, of: place)
    try append(number + 1...number + 1, to: one)
    number += 1
    one.hold = nil
    try expectThinned(place.smallLog(), newest: number)
    try append(number + 1...number + 1, to: other)
    try append(number + 2...number + 2, to: one)
    try expectThinned(place.smallLog(), newest: number + 2)
    #expect(try place.names(in: "state").count == 1)
    #expect(try place.status(of: "state/\(try place.logName)").permissions == 0o600)
  }

  @Test func `what somebody makes a copy of isn't thinned by another, unless he takes too long`() throws {
    let place = try Place()
    let (one, other) = (place.smallLog(), place.smallLog())
    one.thinsAside = true
    try append(1...1, to: one)
    let copyName = "state/\(try place.logName)~"
    try place.write("what somebody has begun", to: copyName)
    let maker = try FileDescriptor(opening: place.path(copyName), O_RDWR)
    #expect(try maker.tryLock())
    var number = 1
    let inode = try place.status(of: "state/\(place.logName)").identity
    while try place.status(of: "state/\(place.logName)").size < Place.smallSizeLimit * 2 - 1000 {
      number += 1
      try append(number...number, to: one)
      try #require(try place.status(of: "state/\(place.logName)").identity == inode)
    }
    #expect(try place.text(of: copyName) == "what somebody has begun")
    #expect(try numbers(place.smallLog()).count == number)
    while try place.status(of: "state/\(place.logName)").size >= Place.smallSizeLimit * 2 - 1000 {
      number += 1
      try append(number...number, to: one)
      try #require(try place.status(of: "state/\(place.logName)").size < Place.smallSizeLimit * 2 + 1000)
    }
    try expectThinned(place.smallLog(), newest: number)
    #expect(try maker.contents(from: 0, upTo: 100) == Array("what somebody has begun".utf8))

    // What a killed instance has begun is begun anew.
    try place.write(String(repeating: "what somebody has begun", count: Place.smallSizeLimit), to: copyName)
    try append(number + 1...number + 5, to: other)
    number += 5
    try appendUntilThinned(after: &number, to: one, of: place)
    try expectThinned(place.smallLog(), newest: number)
  }

  @Test(arguments: ["thinned", "given up", "emptied", "copied"])
  func `a copy that was made in vain is forgotten`(byNow: String) throws {
    let place = try Place()
    let (one, other) = (place.smallLog(), place.smallLog())
    one.thinsAside = true
    var number = try fill(one, of: place)
    // It was begun with the last one, and can take the log's place with the next one at the earliest.
    let copyName = "state/\(try place.logName)~"
    #expect(try eventually { try place.status(of: copyName).size > 0 })
    switch byNow {
    case "thinned":
      number += 1
      try append(number...number, to: other)
    case "given up":
      other.giveUp()
    case "emptied":
      // As who gives it up does who can't remove it.
      try FileDescriptor(opening: place.path("state/\(place.logName)"), O_RDWR).truncate(to: 0)
    default:
      try place.remove(copyName)
      try place.write("somebody else's", to: copyName)
    }
    number += 1
    try append(number...number, to: one)
    let newest = try numbers(place.smallLog()).prefix(150)
    #expect(newest.count == (["given up", "emptied"].contains(byNow) ? 1 : 150))
    #expect(newest.elementsEqual(newest.indices.map { UInt64(number - $0) }))
    try appendUntilThinned(after: &number, to: one, of: place)
    try expectThinned(place.smallLog(), newest: number)
  }

  @Test func `where no copy can be made the log grows on, and that is tried again`() throws {
    let place = try Place()
    let log = place.smallLog()
    log.thinsAside = true
    try append(1...1, to: log)
    let copyName = "state/\(try place.logName)~"
    try place.makeFolder(copyName)
    var number = 1
    while try place.status(of: "state/\(place.logName)").size < Place.smallSizeLimit * 5 / 4 {
      number += 1
      try append(number...number, to: log)
    }
    #expect(try numbers(place.smallLog()).count == number)
    try #require(rmdir(place.path(copyName)) == 0)
    try appendUntilThinned(after: &number, to: log, of: place)
    try expectThinned(place.smallLog(), newest: number)
  }
}
