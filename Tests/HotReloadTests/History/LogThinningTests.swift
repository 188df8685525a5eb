import StateJSON
import TestSupport
import Testing

@testable import HotReload

@Suite struct LogThinningTests {
  private static let now: Int64 = 1_000_000_000_000

  /// The lines of a log in which all kinds of records follow each other, some of which make no sense.
  private struct Writer {
    var random: SplitMix64
    private(set) var lines: [UInt8] = []
    private var number = 0
    private var time = LogThinningTests.now - 5_000_000
    /// The versions that stand, with their values.
    private var stack: [(version: Version, value: JSONValue)] = []
    /// The records of unknown kinds that follow a version.
    private(set) var remarks: [Version: [[UInt8]]] = [:]

    init(seed: UInt64, count: Int) {
      random = SplitMix64(seed: seed)
      for _ in 0..<count { add() }
    }

    private mutating func next(_ cause: Version.Cause) -> Version {
      number += 1
      // Now and then nothing happens for long, and the end comes in a burst.
      time += .random(in: 0..<10, using: &random) == 0 ? 60_000 : 5
      return Version(
        hash: ContentHash(high: UInt64(number), low: 1), time: min(time, LogThinningTests.now), cause: cause,
        instance: "me")
    }

    private mutating func write(
      _ kind: LogRecord.Kind, _ version: Version, before: ContentHash? = nil, _ body: JSONValue = .null
    ) {
      lines += LogRecord(kind: kind, version: version, before: before, body: body).line
    }

    private mutating func version(_ cause: Version.Cause) {
      let version = next(cause)
      // Of which one member changes now and then, and back again.
      let value: JSONValue = [
        "n": .number(JSONNumber(number)), "text": .string(.init(repeating: "x", count: number / 3 % 3)),
      ]
      if let (former, old) = stack.last, .random(in: 0..<20, using: &random) > 0 {
        write(.patch, version, before: former.hash, JSONPatch(from: old, to: value).value)
      } else {
        write(.whole, version, before: stack.last?.version.hash, value)
      }
      stack.append((version, value))
    }

    private mutating func add() {
      switch Int.random(in: 0..<200, using: &random) {
      case 0:
        // Made from something else: no version can be made of it, nor of those before.
        let version = next(.action)
        write(.patch, version, before: stack.last?.version.hash, [["op": "remove", "path": "/nowhere"]])
        stack = []
      case 1:
        write(.patch, next(.action), before: ContentHash(high: 0, low: 0), [])
        stack = []
      case 2..<10:
        guard let last = stack.popLast() else { return }
        write(.aborted, last.version, before: last.version.hash)
        while stack.last?.version.cause == .merged { stack.removeLast() }
      case 10..<20:
        version(.merged)
        version(.merge)
        let lost = [LostValue(pointer: JSONPointer(["n"]), value: .number(JSONNumber(number)))]
        write(.lost, stack[stack.count - 1].version, before: stack.last?.version.hash, .array(lost.elements))
      case 20..<30:
        guard let read = stack.randomElement(using: &random) else { return }
        write(.read, read.version)
      case 30..<40:
        guard let (version, value) = stack.last else { return }
        write(.withdrawn, next(.action), before: version.hash, JSONPatch(from: value, to: ["n": -1]).value)
      case 40..<50:
        number += 1
        let text = "seen \(number)"
        let line = Array("\("\(ContentHash(Array(text.utf8)))".prefix(16)) \(text)\n".utf8)
        lines += line
        if let newest = stack.last?.version { remarks[newest, default: []].append(line) }
      default: version(.action)
      }
    }
  }

  @Test(arguments: 1...80 as ClosedRange<UInt64>)
  func `what a thinned log says of the versions in it is what the whole log said`(seed: UInt64) throws {
    let writer = Writer(seed: seed, count: Int(seed % 40) * 20 + 5)
    let records = LogRecords(writer.lines)
    let tail = LogTail(records.text)
    let last = records.heads.last { !$0.kind.isRemark }
    #expect(tail.end == records.end && tail.end == records.text.count)
    #expect(tail.version(after: nil) == (last?.kind == .aborted ? nil : last?.version))
    #expect(tail.mark == nil)
    let history = records.history
    let limit = seed.isMultiple(of: 2) ? 4_000 : 40_000
    let lines = LogThinning.lines(of: records, now: Self.now, limit: limit)
    // What has no value at its end has no history; what is left of its records may have one.
    guard let history else { return }
    let thinned = LogRecords(try #require(lines))
    #expect(thinned.end == lines?.count)
    let copy = try #require(thinned.history)
    #expect(copy.newest == history.newest)
    #expect(copy.entries.count < history.entries.count || history.entries.count < 100)
    for (index, entry) in copy.entries.enumerated() {
      let original = try #require(history.entries.firstIndex { $0.version == entry.version })
      #expect(copy.value(at: index) == history.value(at: original))
      #expect(entry.lost == history.entries[original].lost)
      #expect(entry.wasRead == history.entries[original].wasRead)
      #expect(entry.withdrawn.map(\.version) == history.entries[original].withdrawn.map(\.version))
      for number in entry.withdrawn.indices {
        #expect(
          copy.value(ofWithdrawn: number, after: index) == history.value(ofWithdrawn: number, after: original))
      }
    }
    #expect(thinned.format?.line == LogFormat.own.line)
    let remarks = thinned.heads.indices.flatMap(thinned.unknown).map(Array.init)
    #expect(remarks == copy.entries.reversed().flatMap { writer.remarks[$0.version] ?? [] })
    let kinds = thinned.heads.map(\.kind)
    #expect(kinds.count { $0 == .whole } == 1)
    // Once thinned there is nothing left to do.
    #expect(LogThinning.lines(of: thinned, now: Self.now, limit: .max) == lines)
  }
}
