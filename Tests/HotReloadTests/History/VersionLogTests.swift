import Glibc
import StateJSON
import Testing
import TestSupport

@testable import HotReload

@Suite struct VersionLogTests {
  /// A log in a folder of its own, and the versions written to it.
  final class Place: TemporaryFolder {
    /// A log that is thinned after few versions.
    func log() -> VersionLog { VersionLog(of: "/some/state.json", in: path("state"), sizeLimit: Self.sizeLimit) }

    static let sizeLimit = 1 << 20

    /// A log that is thinned after even fewer.
    func smallLog() -> VersionLog {
      VersionLog(of: "/some/state.json", in: path("state"), sizeLimit: Self.smallSizeLimit)
    }

    static let smallSizeLimit = 1 << 18

    var logName: String { get throws { try #require(try names(in: "state").first { $0.hasSuffix(".versions") }) } }

  }

  static func version(
    _ number: Int, at time: Int64 = 0, _ cause: Version.Cause = .action
  ) -> Version {
    Version(
      hash: ContentHash(high: UInt64(number), low: 1), time: time == 0 ? WallClock.now() : time, cause: cause,
      instance: "me")
  }

  static func value(_ number: Int) -> JSONValue {
    [
      "n": .number(JSONNumber(number)), "list": [["id": 1, "t": "a"], ["id": 2, "t": "é\n"]], "big": 1_000_000_000_000,
    ]
  }

  func numbers(_ log: VersionLog) throws -> [UInt64] {
    try log.history()?.entries.map(\.version.hash.high) ?? []
  }

  func append(_ numbers: ClosedRange<Int>, to log: VersionLog, at time: Int64 = 0) throws {
    for number in numbers {
      try log.append(
        Self.version(number, at: time), value: Self.value(number),
        over: (Self.version(number - 1).hash, Self.value(number - 1)))
    }
  }

  @Test func `what one instance adds another finds, and goes on from`() throws {
    let place = try Place()
    let (one, other) = (place.log(), place.log())
    #expect(try one.history() == nil)
    for number in stride(from: 1, to: 20, by: 2) {
      try append(number...number, to: one)
      try append(number + 1...number + 1, to: other)
    }
    let history = try #require(try one.history())
    #expect(history.entries.map(\.version.hash.high) == (1...20).reversed())
    #expect(history.value(at: 0) == Self.value(20))
    #expect(history.value(at: 19) == Self.value(1))
    // One whole value, and patches.
    let text = try place.text(of: "state/\(try place.logName)")
    #expect(text.split(separator: "\n").filter { $0.contains(" whole ") }.count == 1)
    #expect(try place.status(of: "state/\(try place.logName)").permissions == 0o600)
  }

  @Test func `what is known of the end holds as long as the lock does`() throws {
    let place = try Place()
    let (one, other) = (place.log(), place.log())
    for hold in 1...3 {
      one.hold = hold
      try append(hold * 3 - 2...hold * 3 - 1, to: one)
      try append(hold * 3...hold * 3, to: other)
    }
    #expect(try numbers(one) == (1...9).reversed())
  }

  @Test func `an end that could not be looked for is looked for again, under the same lock too`() throws {
    let place = try Place()
    let (one, other) = (place.log(), place.log())
    one.hold = 1
    try append(1...1, to: one)
    try append(2...2, to: other)
    one.hold = 2
    try place.rename("state", to: "away")
    try place.write("", to: "state")
    #expect(throws: SystemError.self) { try append(3...3, to: one) }
    try place.remove("state")
    try place.rename("away", to: "state")
    try append(3...3, to: one)
    #expect(try numbers(other) == [3, 2, 1])
  }

  @Test func `a torn last record is overwritten, whoever comes next`() throws {
    let place = try Place()
    let log = place.log()
    try append(1...3, to: log)
    let path = "state/\(try place.logName)"
    let text = try place.text(of: path)
    for length in [text.utf8.count - 1, text.utf8.count - 40] {
      for heir in [log, place.log()] {
        try place.write(Array(text.utf8.prefix(length)), to: path)
        #expect(try numbers(heir) == [2, 1])
        try append(4...4, to: heir)
        #expect(try numbers(heir) == [4, 2, 1])
        #expect(try heir.history()?.value(at: 1) == Self.value(2))
      }
    }
  }

  @Test func `a version that was taken back is none`() throws {
    let place = try Place()
    let log = place.log()
    try append(1...3, to: log)
    try log.abort([Self.version(2), Self.version(3)])
    #expect(try numbers(log) == [1])
    try append(2...3, to: log)
    try log.abort([Self.version(3)])
    #expect(try numbers(log) == [2, 1])
    #expect(try log.history()?.value(at: 0) == Self.value(2))
    try append(4...4, to: log)
    #expect(try numbers(place.log()) == [4, 2, 1])
  }

  func announce(_ number: Int, over predecessor: Int, to log: VersionLog) throws {
    try log.append(
      Self.version(number), value: Self.value(number), over: (Self.version(predecessor).hash, Self.value(predecessor)),
      stands: false)
  }

  private func confirm(_ number: Int, over predecessor: Int, to log: VersionLog) throws {
    try log.confirm(
      .init(
        version: Self.version(number), content: JSONDocument(formatting: Self.value(number)),
        predecessor: (Self.version(predecessor).hash, .parsed(Self.value(predecessor))), lost: [],
        stands: true))
  }

  @Test func `an older version is not taken back with one that was never added`() throws {
    let place = try Place()
    let log = place.log()
    try append(1...3, to: log)
    try log.abort([Self.version(1)])
    #expect(try numbers(log) == [3, 2, 1])
    // Nor is one with the same bytes.
    try log.append(Self.version(1), value: Self.value(1), over: (Self.version(3).hash, Self.value(3)))
    try log.abort([Self.version(3), Self.version(1)])
    #expect(try numbers(log) == [2, 1])
    #expect(try numbers(place.log()) == [2, 1])
  }

  @Test func `one that was given up begins anew, also for those who remember where it ended`() throws {
    let place = try Place()
    let (log, other) = (place.log(), place.log())
    try append(1...3, to: log)
    #expect(try other.newest() == Self.version(3).hash)
    log.giveUp()
    #expect(try log.history() == nil)
    // It grows beyond where it had ended, which the other has not looked at since.
    try append(100...112, to: log)
    #expect(try other.newest() == Self.version(112).hash)
    try append(113...113, to: other)
    #expect(try numbers(log) == Array((100...113).reversed()))
  }

  @Test func `a version counts once it is confirmed, whoever looks`() throws {
    let place = try Place()
    let (log, other) = (place.log(), place.log())
    try append(1...2, to: log)
    try announce(3, over: 2, to: log)
    for reader in [log, other, place.log()] {
      #expect(try reader.history()?.standing()?.newest.hash == Self.version(2).hash)
      let known = try reader.history()?.standing { $0.newest.hash == Self.version(3).hash }
      #expect(known?.newest.hash == Self.version(3).hash)
    }
    let size = try place.status(of: "state/\(try place.logName)").size
    // Also by who has not announced it, after somebody noted a reader.
    try other.noteReaders(of: [Self.version(2).hash], at: WallClock.now())
    let grown = try place.status(of: "state/\(try place.logName)").size
    try confirm(3, over: 2, to: other)
    #expect(size < grown)
    #expect(try place.status(of: "state/\(try place.logName)").size == grown)
    for reader in [log, other, place.log()] {
      #expect(try reader.history()?.standing()?.newest.hash == Self.version(3).hash)
    }
    try append(4...4, to: log)
    #expect(try numbers(place.log()) == [4, 3, 2, 1])
    #expect(try place.log().history()?.entries.allSatisfy(\.stands) == true)
  }

  @Test func `a version that nobody confirmed is forgotten by who goes on from another`() throws {
    let place = try Place()
    let log = place.log()
    try append(1...2, to: log)
    try announce(3, over: 2, to: log)
    // From the one before it: it never stood.
    try announce(4, over: 2, to: place.log())
    #expect(try numbers(log) == [4, 2, 1])
    // From it: it did.
    try announce(5, over: 4, to: log)
    #expect(try numbers(place.log()) == [5, 4, 2, 1])
    #expect(try place.log().history()?.value(at: 0) == Self.value(5))
  }

  @Test func `a version that is known to have stood counts, if nobody has gone on from another`() throws {
    let place = try Place()
    let (log, other) = (place.log(), place.log())
    let digits = (2...4).map { String(Self.version($0).hash.description.prefix(16)) }
    try append(1...2, to: log)
    try announce(3, over: 2, to: log)
    try other.confirmNewest(ifBeginningWith: digits[0])
    #expect(try place.log().history()?.standing()?.newest.hash == Self.version(2).hash)
    try other.confirmNewest(ifBeginningWith: digits[1])
    #expect(try place.log().history()?.standing()?.newest.hash == Self.version(3).hash)
    try announce(4, over: 2, to: log)
    try other.confirmNewest(ifBeginningWith: digits[1])
    #expect(try place.log().history()?.standing()?.newest.hash == Self.version(3).hash)
    #expect(try numbers(log) == [4, 3, 2, 1])
  }

  @Test func `the newest version counts if the one before it is known to have given way`() throws {
    let place = try Place()
    let (log, other) = (place.log(), place.log())
    let digits = (1...3).map { String(Self.version($0).hash.description.prefix(16)) }
    try append(1...2, to: log)
    try announce(3, over: 2, to: log)
    try other.confirmNewest(ifAfter: digits[0])
    try other.confirmNewest(ifAfter: digits[2])
    #expect(try place.log().history()?.standing()?.newest.hash == Self.version(2).hash)
    try other.confirmNewest(ifAfter: digits[1])
    #expect(try place.log().history()?.standing()?.newest.hash == Self.version(3).hash)
    // It has been noted, and what comes after it hasn't.
    try other.confirmNewest(ifAfter: digits[1])
    try announce(4, over: 3, to: log)
    try other.confirmNewest(ifAfter: digits[1])
    #expect(try place.log().history()?.standing()?.newest.hash == Self.version(3).hash)
  }

  @Test(arguments: [(Version.Cause.edit, [3, 2, 1] as [UInt64]), (.merged, [2, 1])])
  func `a save with the bytes of an announced version counts as what it is itself`(
    cause: Version.Cause, versions: [UInt64]
  ) throws {
    let place = try Place()
    try append(1...2, to: place.log())
    try announce(3, over: 2, to: place.log())
    try place.log().append(
      Self.version(3, cause), value: Self.value(3), over: (Self.version(2).hash, Self.value(2)))
    let history = try #require(try place.log().history())
    #expect(history.entries.map(\.version.hash.high) == [3, 2, 1])
    #expect(history.standing()?.entries.map(\.version.hash.high) == versions)
  }

  @Test func `a version that somebody goes on from stands, whatever becomes of the next`() throws {
    let place = try Place()
    try append(1...2, to: place.log())
    try announce(3, over: 2, to: place.log())
    try announce(4, over: 3, to: place.log())
    try place.log().abort([Self.version(4)])
    #expect(try place.log().history()?.standing()?.newest.hash == Self.version(3).hash)
  }

  /// In one write with the next, if it isn't long.
  @Test(arguments: [10, 3_000])
  func `a version that is gone on from by who announced it is noted just as by another`(length: Int) throws {
    func text(_ log: (Place) -> VersionLog) throws -> String {
      let place = try Place()
      var former: (ContentHash, JSONValue)?
      for number in 1...4 {
        let value = JSONValue.string(String(repeating: "\(number)", count: length))
        let version = Self.version(number, at: 1_000)
        try log(place).append(version, value: value, over: former, stands: number == 1)
        former = (version.hash, value)
      }
      let history = try #require(try place.log().history())
      #expect(history.entries.map(\.stands) == [false, true, true, true])
      #expect(history.value(at: 0) == former?.1)
      return try place.text(of: "state/\(place.logName)")
    }
    var one: VersionLog?
    let alone = try text { place in
      one = one ?? place.log()
      return one!
    }
    #expect(try alone == text { $0.log() })
  }

  @Test func `what others have added after an announced version isn't written over`() throws {
    let place = try Place()
    let (log, other) = (place.log(), place.log())
    try append(1...2, to: log)
    try announce(3, over: 2, to: log)
    try announce(4, over: 3, to: other)
    try announce(5, over: 4, to: log)
    try other.noteReaders(of: [Self.version(5).hash], at: WallClock.now())
    try announce(6, over: 5, to: log)
    let history = try #require(try place.log().history())
    #expect(history.entries.map(\.version.hash.high) == [6, 5, 4, 3, 2, 1])
    for index in 0..<6 { #expect(history.value(at: index) == Self.value(6 - index)) }
    #expect(history.entries.map(\.stands) == [false, true, true, true, true, true])
    #expect(history.entries[1].wasRead)
  }

  @Test(arguments: [false, true])
  func `what stood before a version that came to nothing counts as read`(isWriterKilled: Bool) throws {
    let place = try Place()
    let (log, other) = (place.log(), place.log())
    try append(1...2, to: log)
    try announce(3, over: 2, to: log)
    if !isWriterKilled { try log.abort([Self.version(3)]) }
    try announce(4, over: 2, to: other)
    let history = try #require(try place.log().history())
    #expect(history.entries.map(\.version.hash.high) == [4, 2, 1])
    #expect(history.entries.map(\.wasRead) == [false, true, false])
  }

  @Test func `a version that two were about to write counts if one of them did`() throws {
    let place = try Place()
    let (log, other) = (place.log(), place.log())
    try append(1...2, to: log)
    try announce(3, over: 2, to: log)
    try announce(3, over: 2, to: other)
    try confirm(3, over: 2, to: other)
    try announce(4, over: 2, to: log)
    #expect(try numbers(place.log()) == [4, 3, 2, 1])
  }

  @Test func `a version that could not be announced is added when it is confirmed`() throws {
    let place = try Place()
    try append(1...2, to: place.log())
    try confirm(3, over: 2, to: place.log())
    #expect(try place.log().history()?.standing()?.newest.hash == Self.version(3).hash)
  }

  @Test func `of versions added together the last may be one to come`() throws {
    let place = try Place()
    let log = place.log()
    func addition(_ number: Int, _ cause: Version.Cause, stands: Bool) -> VersionLog.Addition {
      VersionLog.Addition(
        version: Self.version(number, cause), content: JSONDocument(formatting: Self.value(number)),
        predecessor: (Self.version(number - 1).hash, .parsed(Self.value(number - 1))), lost: [],
        stands: stands)
    }
    try append(1...2, to: log)
    try log.append([
      addition(3, .merged, stands: true), addition(4, .merge, stands: true), addition(5, .action, stands: false),
    ])
    for reader in [log, place.log()] {
      #expect(try numbers(reader) == [5, 4, 3, 2, 1])
      #expect(try reader.history()?.standing()?.newest.hash == Self.version(4).hash)
    }
    try confirm(5, over: 4, to: place.log())
    #expect(try log.history()?.standing()?.value == Self.value(5))
    #expect(
      try place.text(of: "state/\(try place.logName)").split(separator: "\n").filter { $0.contains(" whole ") }.count
        == 1)
  }

  @Test func `a save that was to be part of a version goes with it`() throws {
    let place = try Place()
    let log = place.log()
    try append(1...2, to: log)
    try log.append(Self.version(3, .merged), value: Self.value(3), over: nil)
    try announce(4, over: 3, to: log)
    try announce(5, over: 2, to: place.log())
    #expect(try numbers(log) == [5, 2, 1])
  }

  @Test func `a log that is damaged is cut off there`() throws {
    let place = try Place()
    let log = place.log()
    try append(1...50, to: log)
    let path = "state/\(try place.logName)"
    var lines = try place.text(of: path).split(separator: "\n").map(String.init)
    // After what it says of its format, and two versions.
    lines[3] = lines[3].replacing("a", with: "b")
    try place.write(lines.joined(separator: "\n") + "\n", to: path)
    #expect(try numbers(place.log()) == [2, 1])
    try append(51...51, to: place.log())
    #expect(try numbers(log) == [51, 2, 1])
  }

  /// Adds a patch that was made from something else.
  func appendNonsense(_ number: Int, to place: Place) throws {
    let removal = LogRecord(
      kind: .patch, version: Self.version(number), before: Self.version(number - 1).hash,
      body: JSONPatch([.remove(at: JSONPointer(["nowhere"]))]).value)
    let path = "state/\(try place.logName)"
    try place.write(try place.bytes(of: path) + removal.line, to: path)
  }

  @Test func `a log that makes no sense ends there for who finds out, and goes on with a whole version`() throws {
    let place = try Place()
    let log = place.log()
    try append(1...2, to: log)
    try appendNonsense(3, to: place)
    try append(4...4, to: place.log())
    #expect(try log.history() == nil)
    #expect(try log.historyUnderLock() == nil)
    try log.append(Self.version(5), value: Self.value(5), over: (Self.version(4).hash, Self.value(4)))
    try append(6...6, to: place.log())
    #expect(try numbers(place.log()) == [6, 5])
  }

  @Test func `what was withdrawn stays with the version that it stood over, and with no other`() throws {
    let place = try Place()
    let log = place.log()
    try append(1...2, to: log)
    try announce(3, over: 2, to: log)
    try confirm(3, over: 2, to: log)
    try log.abort([Self.version(3)])
    try log.withdraw(Self.version(3), value: Self.value(3), over: (Self.version(2).hash, Self.value(2)))
    // Of another version than the newest, and with changes that can't be made.
    try log.withdraw(Self.version(4), value: Self.value(4), over: (Self.version(1).hash, Self.value(1)))
    try append(5...5, to: place.log())
    let history = try #require(try log.history())
    #expect(history.entries.map(\.version.hash.high) == [5, 2, 1])
    #expect(history.entries.map(\.withdrawn.count) == [0, 1, 0])
    #expect(history.value(ofWithdrawn: 0, after: 1) == Self.value(3))
    #expect(try log.newest() == Self.version(5).hash)
  }

  /// The log was given up, as a mark could not be taken off.
  @Test func `what was withdrawn is known also to a log that begins with it`() throws {
    let place = try Place()
    let log = place.log()
    try log.withdraw(Self.version(3), value: Self.value(3), over: (Self.version(2).hash, Self.value(2)))
    try append(5...5, to: log)
    let history = try #require(try log.history())
    #expect(history.entries.map(\.version.hash.high) == [5, 2])
    try #require(history.entries.map(\.withdrawn.count) == [0, 1])
    #expect(history.value(ofWithdrawn: 0, after: 1) == Self.value(3))
  }

  @Test func `what lost a conflict stays with the version that won`() throws {
    let place = try Place()
    let log = place.log()
    let lost = [
      LostValue(pointer: JSONPointer(["a/b"]), value: ["x": 1]), LostValue(pointer: JSONPointer(["gone"]), value: nil),
    ]
    try log.append(Self.version(1), value: Self.value(1), over: nil)
    try log.append(Self.version(2), value: Self.value(2), over: (Self.version(1).hash, Self.value(1)), lost: lost)
    try append(3...3, to: log)
    #expect(try log.history()?.entries.map(\.lost) == [[], lost, []])
  }

  @Test func `the end of a log tells of what is announced, and how long a whole value was`() {
    let whole = LogRecord(kind: .whole, version: Self.version(1), before: nil, body: Self.value(1)).line
    let patch = LogRecord(kind: .patch, version: Self.version(2), before: Self.version(1).hash, body: []).line
    let lost = LogRecord(kind: .lost, version: Self.version(2), before: Self.version(2).hash, body: []).line
    let tail = LogTail(whole + [LogRecord.mark] + patch + lost + lost.dropLast(3))
    #expect(tail.end == whole.count + 1 + patch.count + lost.count)
    #expect(tail.mark == whole.count)
    #expect(tail.largest == whole.count)
    #expect(tail.version(after: nil)?.hash == Self.version(2).hash)
    #expect(LogTail([]).version(after: Self.version(3))?.hash == Self.version(3).hash)
  }

  /// The end of a log, from the start and from any place in it.
  @Test(arguments: ["", "?", "lost", "?lost", "aborted", "read", "withdrawn", "torn", "damaged", "unknown", "?unknown"])
  func `the end of a log is known by its last lines`(ending: String) {
    func line(_ kind: LogRecord.Kind, _ number: Int) -> [UInt8] {
      LogRecord(
        kind: kind, version: Self.version(number), before: Self.version(number - 1).hash, body: Self.value(number)
      ).line
    }
    var text = line(.whole, 1) + line(.patch, 2) + line(.lost, 2) + line(.read, 1) + line(.patch, 3)
    let unknown = text.count
    text += (ending.hasPrefix("?") ? [LogRecord.mark] : []) + line(.patch, 4)
    switch ending {
    case "lost", "?lost": text += line(.lost, 4)
    case "aborted": text += line(.aborted, 4)
    case "read": text += line(.read, 3)
    case "withdrawn": text += line(.withdrawn, 5)
    case "unknown", "?unknown": text += Array("\("\(ContentHash(Array("seen 4".utf8)))".prefix(16)) seen 4\n".utf8)
    case "torn": text += line(.patch, 5).dropLast(9)
    case "damaged": text += line(.patch, 5).map { $0 == UInt8(ascii: "n") ? UInt8(ascii: "m") : $0 }
    default: break
    }
    let whole = LogTail(text)
    for start in 0..<text.count {
      guard let tail = LogTail(endOf: Array(text[start...])) else {
        #expect(start >= unknown)
        continue
      }
      #expect(start + tail.end == whole.end)
      #expect(tail.mark.map { $0 + start } == whole.mark)
      #expect(tail.version(after: nil) == whole.version(after: nil))
    }
  }

  @Test func `what many others have added is gone on from, and how large their values are is known`() throws {
    let place = try Place()
    let (one, other) = (place.log(), place.log())
    try append(1...1, to: one)
    try append(2...100, to: other)
    try announce(101, over: 100, to: other)
    try append(102...102, to: one)
    #expect(try numbers(place.log()) == (1...102).reversed())
    #expect(try place.log().history()?.entries.allSatisfy(\.stands) == true)

    // Nothing is thinned before it is eight times as large as the largest value.
    let large = JSONValue.string(String(repeating: "x", count: Place.sizeLimit / 4))
    try other.append(Self.version(103), value: large, over: nil)
    try other.append(Self.version(104), value: Self.value(104), over: (Self.version(103).hash, large))
    var (number, size) = (105, 0)
    while size < Place.sizeLimit * 5 / 4 {
      try append(number...number, to: one)
      number += 1
      let grown = try place.status(of: "state/\(place.logName)").size
      try #require(grown > size, "thinned after \(number)")
      size = grown
    }
    #expect(try numbers(place.log()).count == number - 1)
  }

  @Test func `where the state folder can't be written to, that is said`() throws {
    let place = try Place()
    try place.write("", to: "state")
    let error = #expect(throws: SystemError.self) {
      try place.log().append(Self.version(1), value: 1, over: nil)
    }
    #expect(error?.description == "cannot open '\(place.path("state"))': not a directory")
  }
}
