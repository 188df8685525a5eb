import Glibc
import StateJSON
import TestSupport
import Testing

@testable import HotReload

/// Programs that know another format of the log run beside.
extension VersionLogTests {
  private static let logName = "\(ContentHash(Array("/some/state.json".utf8))).versions"
  private static let logPath = "state/\(logName)"

  /// A whole record of anything.
  private func line(_ text: String) -> [UInt8] {
    Array("\("\(ContentHash(Array(text.utf8)))".prefix(16)) \(text)\n".utf8)
  }

  /// A record as a program writes it that knows a later format.
  private func remark(_ number: Int) -> [UInt8] {
    switch number % 3 {
    case 0: line("seen \(number) by  an-editor")
    case 1: line("remark \(Self.version(number).hash) - 5 whim me {\"of\": \(number)}")
    default: [UInt8(ascii: "?")] + line("of-\(number)")
    }
  }

  private func format(_ format: Int, needs: Int) -> [UInt8] {
    line(#"read 00000000000000000000666f726d6174 - 0 action format {"format":\#(format),"needs":\#(needs),"also":[]}"#)
  }

  private func add(_ bytes: [UInt8], to place: Place) throws {
    let file = try FileDescriptor(opening: place.path(Self.logPath), O_RDWR)
    try file.write(bytes, at: try file.status().size)
  }

  private func lines(of place: Place) throws -> [[UInt8]] {
    try place.bytes(of: Self.logPath).split(separator: UInt8(ascii: "\n")).map { $0 + [UInt8(ascii: "\n")] }
  }

  /// Which of the lines say what the format is.
  private func formats(of place: Place) throws -> [Int] {
    let format = line(#"read 00000000000000000000666f726d6174 - 0 action format {"format":2,"needs":1}"#)
    return try lines(of: place).enumerated().filter { $0.element == format }.map(\.offset)
  }

  @Test(arguments: [false, true])
  func `programs of both formats take turns on one log, and nothing is lost`(isFormerFirst: Bool) throws {
    let place = try Place()
    try place.makeFolder("state")
    let log = place.log()
    let former = FormerVersionLog(path: place.path(Self.logPath))
    var number = 0
    func takeTurns() throws {
      for _ in 1...8 {
        number += 1
        if number.isMultiple(of: 2) != isFormerFirst {
          try former.append(number)
        } else {
          try append(number...number, to: number % 3 == 0 ? place.log() : log)
        }
        #expect(try numbers(log) == (1...UInt64(number)).reversed())
        #expect(try former.numbers() == (1...UInt64(number)).reversed())
      }
    }
    try takeTurns()
    #expect(try formats(of: place) == [isFormerFirst ? 1 : 0])
    try former.noteReader(of: 3)
    try log.noteReaders(of: [Self.version(4).hash], at: WallClock.now())
    try announce(9, over: 8, to: log)
    try former.append(10)
    number = 10
    #expect(try log.newest() == Self.version(10).hash)

    // What a program doesn't know is lost when that rewrites the log.
    try former.rewrite()
    #expect(try formats(of: place) == [])
    #expect(try former.numbers() == (1...10).reversed())
    number = 11
    try append(11...11, to: log)
    #expect(try formats(of: place).count == 1)
    try takeTurns()
    #expect(try formats(of: place).count == 1)

    let history = try #require(try place.log().history())
    for (index, version) in try former.versions().enumerated() {
      #expect(version.value == Self.value(number - index))
      #expect(history.value(at: index) == Self.value(number - index))
      #expect(history.entries[index].wasRead == [3, 4].contains(number - index))
      #expect(history.entries[index].stands)
    }
    #expect(try former.readNumbers() == [3, 4])
  }

  @Test func `what a program of format 1 put where it had cut the log off is found`() throws {
    let place = try Place()
    let log = place.log()
    let former = FormerVersionLog(path: place.path(Self.logPath))
    try append(1...3, to: log)
    try add(remark(3), to: place)
    try append(4...9, to: log)
    let size = try place.status(of: Self.logPath).size
    var number = 100
    while try place.status(of: Self.logPath).size <= size {
      number += 1
      try former.append(number)
    }
    try append(number + 1...number + 1, to: log)
    let expected = (101...UInt64(number) + 1).reversed() + [3, 2, 1]
    #expect(try numbers(place.log()) == expected)
    #expect(try former.numbers() == expected)
  }

  @Test func `records of unknown kinds are remarks, wherever they stand`() throws {
    let place = try Place()
    let (log, other) = (place.log(), place.log())
    func expect(
      _ newest: Int, stands: Bool = true, by readers: [VersionLog], at location: SourceLocation = #_sourceLocation
    ) throws {
      for reader in readers {
        let history = try #require(try reader.history())
        try #require(
          history.entries.map(\.version.hash.high) == (1...UInt64(newest)).reversed(), sourceLocation: location)
        for index in 0..<newest { #expect(history.value(at: index) == Self.value(newest - index)) }
        #expect(history.entries.map(\.stands) == [stands] + Array(repeating: true, count: newest - 1))
        #expect(try reader.newest() == (stands ? Self.version(newest).hash : nil), sourceLocation: location)
      }
    }
    try append(1...2, to: log)
    try add(remark(2), to: place)
    try append(3...3, to: log)
    try append(4...4, to: other)
    try add(remark(3) + remark(4), to: place)
    try expect(4, by: [log, other, place.log()])
    try append(5...5, to: other)
    let mark = try place.status(of: Self.logPath).size
    try announce(6, over: 5, to: log)
    try add(remark(6), to: place)
    try expect(6, stands: false, by: [log, other, place.log()])
    var bytes = try place.bytes(of: Self.logPath)
    try place.log().confirmNewest(ifAfter: Self.version(5).hash.description)
    try expect(6, by: [place.log()])
    bytes[mark] = LogRecord.space
    #expect(try place.bytes(of: Self.logPath) == bytes)
    try announce(7, over: 6, to: log)
    try add(remark(7), to: place)
    // In its place, as there is something after it.
    try append(8...8, to: log)
    try add(remark(8), to: place)
    try expect(8, by: [log, other, place.log()])
    // Nor is it one that is taken back.
    try announce(9, over: 8, to: log)
    try add(remark(9), to: place)
    try log.abort([Self.version(9)])
    #expect(try numbers(log) == (1...8).reversed())
    let lines = try lines(of: place)
    for number in [2, 3, 4, 6, 7, 8, 9] { #expect(lines.count { $0 == remark(number) } == 1) }
  }

  @Test(arguments: [false, true])
  func `records of unknown kinds outlive thinning with the version that they follow`(isAside: Bool) throws {
    let place = try Place()
    let log = place.smallLog()
    try place.makeFolder("state")
    let format = format(7, needs: 2)
    try place.write(format + remark(0), to: Self.logPath)
    log.thinsAside = isAside
    let inode = try place.status(of: Self.logPath).identity
    var number = 0
    func appendOne() throws {
      number += 1
      try #require(number < 10_000, "it doesn't grow")
      try append(number...number, to: log)
      if number.isMultiple(of: 5) { try add(remark(number) + remark(number + 1), to: place) }
    }
    while case let status = try place.status(of: Self.logPath), status.size < Place.smallSizeLimit,
      status.identity == inode
    {
      try appendOne()
    }
    #expect(
      try eventually {
        try appendOne()
        return try place.status(of: Self.logPath).identity != inode
      })
    for _ in 1...10 { try appendOne() }

    let numbers = try numbers(place.log()).map(Int.init)
    #expect(numbers.prefix(50).elementsEqual((number - 49...number).reversed()))
    #expect(numbers.count < number)
    let lines = try lines(of: place)
    #expect(lines.first == format)
    #expect(lines.count == 1 + numbers.count + 2 * numbers.count { $0.isMultiple(of: 5) })
    for number in numbers where number.isMultiple(of: 5) {
      let place = try #require(
        lines.firstIndex { String(decoding: $0, as: UTF8.self).contains(" \(Self.version(number).hash) ") })
      #expect(lines[(place + 1)...].prefix(2) == [remark(number), remark(number + 1)])
    }
  }

  @Test(arguments: ["before", "instead", "within"], [false, true])
  func `a log that needs a program which knows more stays as it is`(isThere: String, thinsAside: Bool) throws {
    let place = try Place()
    let writer = place.log()
    try append(1...30, to: writer)
    try announce(31, over: 30, to: writer)
    let text = try place.bytes(of: Self.logPath)
    // Which would be thinned, and whose end is torn.
    let log = VersionLog(of: "/some/state.json", in: place.path("state"), sizeLimit: 1000)
    log.thinsAside = thinsAside
    if isThere != "before" { #expect(try log.newest() == nil) }
    let needed = format(4, needs: 3)
    if isThere == "within" {
      try add(needed + needed.dropLast(5), to: place)
    } else {
      try place.write(needed + text + text.prefix(40), to: "new")
      try place.rename("new", to: Self.logPath)
    }
    let bytes = try place.bytes(of: Self.logPath)

    func expectRefusal(
      at location: SourceLocation = #_sourceLocation, _ body: (VersionLog) throws -> Void
    ) throws {
      for log in [log, writer, VersionLog(of: "/some/state.json", in: place.path("state"), sizeLimit: 1000)] {
        let error = #expect(throws: SystemError.self, sourceLocation: location) { try body(log) }
        #expect(
          error?.description == "cannot open '\(place.path(Self.logPath))': "
            + "only programs that know format 3 of such logs may, this one knows format 2", sourceLocation: location)
        #expect(try place.bytes(of: Self.logPath) == bytes, sourceLocation: location)
        #expect(try place.names(in: "state") == [Self.logName], sourceLocation: location)
      }
    }
    let addition = VersionLog.Addition(
      version: Self.version(31), content: JSONDocument(formatting: Self.value(31)),
      predecessor: (Self.version(30).hash, .parsed(Self.value(30))), lost: [], stands: true)
    try expectRefusal { log in try append(31...31, to: log) }
    try expectRefusal { log in try append(32...32, to: log) }
    try expectRefusal { log in try announce(32, over: 31, to: log) }
    try expectRefusal { log in try log.confirm(addition) }
    try expectRefusal { log in try log.confirmNewest(ifBeginningWith: "") }
    try expectRefusal { log in try log.confirmNewest(ifAfter: "") }
    try expectRefusal { log in try log.abort([Self.version(31)]) }
    try expectRefusal { log in try log.noteReaders(of: [Self.version(30).hash], at: 1) }
    try expectRefusal { log in
      try log.withdraw(Self.version(32), value: 1, over: (Self.version(31).hash, Self.value(31)))
    }
    try expectRefusal { log in _ = try log.newest() }
    try expectRefusal { log in _ = try log.history() }
    try expectRefusal { log in _ = try log.historyUnderLock() }

    // The next log is another one.
    try place.remove(Self.logPath)
    try append(32...33, to: log)
    #expect(try numbers(writer) == [33, 32])
    #expect(try formats(of: place) == [0])
  }
}
