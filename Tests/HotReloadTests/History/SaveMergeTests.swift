import Glibc
import StateJSON
import Testing
import TestSupport

@testable import HotReload

@Suite struct SaveMergeTests {
  /// Versions of a document from the oldest to the newest.
  static func history(_ texts: [String], newest cause: Version.Cause = .action) throws -> VersionHistory {
    try history(texts.indices.map { ($0 == texts.count - 1 ? cause : .action, texts[$0]) })
  }

  private static func history(_ versions: [(Version.Cause, String)]) throws -> VersionHistory {
    var builder = VersionHistoryBuilder()
    for (index, (cause, text)) in versions.enumerated() {
      let version = Version(hash: ContentHash(Array(text.utf8)), time: Int64(index), cause: cause, instance: "i")
      let value = try JSONValue(parsing: text)
      if let old = builder.value {
        try builder.append(version, JSONPatch(from: old, to: value), lost: [])
      } else {
        builder.append(version, whole: value, lost: [])
      }
    }
    return try #require(builder.history)
  }

  private static let versions = [
    #"{"n":1,"t":"a","l":[1,2]}"#, #"{"n":2,"t":"a","l":[1,2]}"#, #"{"n":3,"t":"a","l":[1,2,3]}"#,
  ]

  @Test(arguments: [
    (#"{ "n": 3.0, "l":[1,2,3], "t":"a" }"#, SaveMerge.Meaning.formatting, #"{"n":3,"t":"a","l":[1,2,3]}"#),
    (#"{"n":3,"t":"b","l":[1,2,3]}"#, .edit(of: 0), #"{"n":3,"t":"b","l":[1,2,3]}"#),
    (#"{"n":2,"t":"b","l":[1,2]}"#, .edit(of: 1), #"{"n":3,"t":"b","l":[1,2,3]}"#),
    (#"{"n":1,"t":"b","l":[1,2]}"#, .edit(of: 2), #"{"n":3,"t":"b","l":[1,2,3]}"#),
    (#"{"n":1,"t":"a","l":[1,2]}"#, .restore(of: 2), #"{"n":1,"t":"a","l":[1,2]}"#),
    (#"{"n":9,"t":"c","l":[]}"#, .edit(of: 1), #"{"n":9,"t":"c","l":[3]}"#),
  ])
  func `a save is merged from the version that it was made from`(
    save: String, meaning: SaveMerge.Meaning, result: String
  ) throws {
    let merge = SaveMerge(try JSONValue(parsing: save), onto: try Self.history(Self.versions))
    #expect(merge.meaning == meaning)
    #expect(merge.value == (try JSONValue(parsing: result)))
  }

  @Test(arguments: [
    (#"{"n":9,"t":"b","l":[1,2]}"#, SaveMerge.Meaning.editOfWithdrawn(0, after: 1), #"{"n":3,"t":"b","l":[1,2,3]}"#),
    (#"{"n":9,"t":"a","l":[1,2]}"#, .editOfWithdrawn(0, after: 1), #"{"n":3,"t":"a","l":[1,2,3]}"#),
    (#"{"n":2,"t":"b","l":[1,2]}"#, .edit(of: 1), #"{"n":3,"t":"b","l":[1,2,3]}"#),
    (#"{"n":3,"t":"a","l":[1,2,3,8]}"#, .editOfWithdrawn(0, after: 0), #"{"n":3,"t":"a","l":[1,2,3]}"#),
  ])
  func `a save may be made from what was withdrawn, which is nothing to go back to`(
    save: String, meaning: SaveMerge.Meaning, result: String
  ) throws {
    let history = try withdrawing(.action)
    let save = try JSONValue(parsing: save)
    let merge = SaveMerge(save, onto: history)
    #expect(merge.meaning == meaning)
    #expect(merge.value == (try JSONValue(parsing: result)))
    #expect(SaveMerge.meaning(of: save, in: history, isLate: true) == meaning)
    // A late save may be part of a merge.
    let merged = try withdrawing(.merge)
    #expect(SaveMerge.meaning(of: save, in: merged) == meaning)
    let late = SaveMerge.meaning(of: save, in: merged, isLate: true)
    if case .editOfWithdrawn = late { Issue.record("\(late)") }
  }

  /// The versions, and two that were withdrawn.
  private func withdrawing(_ cause: Version.Cause) throws -> VersionHistory {
    var builder = VersionHistoryBuilder()
    for (index, text) in Self.versions.enumerated() {
      let value = try JSONValue(parsing: text)
      builder.append(Self.version(index), whole: value, lost: [])
      if index == 1 {
        builder.noteWithdrawn(Self.version(7, cause), JSONPatch([.replace(at: JSONPointer(["n"]), with: 9)]))
      } else if index == 2 {
        builder.noteWithdrawn(Self.version(8, cause), JSONPatch([.add(8, at: JSONPointer(["l", "3"]))]))
      }
    }
    return try #require(builder.history)
  }

  @Test func `what was withdrawn is forgotten after a while, unless its writer has gone on`() throws {
    var builder = VersionHistoryBuilder()
    func append(_ number: Int, by instance: String, _ cause: Version.Cause = .action) {
      let version = Version(
        hash: ContentHash(high: UInt64(number), low: 1), time: Int64(number), cause: cause, instance: instance)
      builder.append(version, whole: ["n": .number(JSONNumber(number))], lost: [])
      builder.noteWithdrawn(version, JSONPatch([.replace(at: JSONPointer(["n"]), with: 9)]))
    }
    append(1, by: "one")
    append(2, by: "other")
    append(3, by: "one", .edit)
    var history = try #require(builder.history)
    history.forgetWithdrawn(at: VersionHistory.withdrawnTime)
    #expect(history.entries.map(\.withdrawn.count) == [1, 1, 1])
    history.forgetWithdrawn(at: VersionHistory.withdrawnTime + 3)
    #expect(history.entries.map(\.withdrawn.count) == [1, 0, 0])
    append(4, by: "other")
    history = try #require(builder.history)
    // What counts is when a save was made, however late it is found.
    for (time, counts) in [
      (VersionHistory.withdrawnTime, [1, 1, 1, 1]), (VersionHistory.withdrawnTime * 2, [0, 0, 1, 0]),
    ] {
      let save = ReplicaWorld.contents("", at: Int(time) * 1_000_000)
      #expect(history.whenMade(save).entries.map(\.withdrawn.count) == counts)
    }
  }

  private static func version(_ number: Int, _ cause: Version.Cause = .action) -> Version {
    Version(hash: ContentHash(high: UInt64(number), low: 1), time: Int64(number), cause: cause, instance: "i")
  }

  @Test func `who saves twice goes on from his own save`() throws {
    let history = try Self.history(Self.versions, newest: .edit)
    let save = try JSONValue(parsing: #"{"n":2,"t":"b","l":[1,2]}"#)
    let merge = SaveMerge(save, onto: history)
    #expect(merge.meaning == .edit(of: 0))
    #expect(merge.value == save)
  }

  @Test(arguments: [0, 1])
  func `a save that was merged and stands there still, or again, changes nothing more`(later: Int) throws {
    var versions: [(Version.Cause, String)] = [
      (.action, #"{"n":1,"t":"a"}"#), (.action, #"{"n":2,"t":"a"}"#), (.merged, #"{"n":1,"t":"b"}"#),
      (.merge, #"{"n":2,"t":"b"}"#),
    ]
    if later > 0 { versions.append((.action, #"{"n":3,"t":"b"}"#)) }
    let merge = SaveMerge(["n": 1, "t": "b"], onto: try Self.history(versions))
    #expect(merge.meaning == .edit(of: 1 + later))
    #expect(merge.value == ["n": later == 0 ? 2 : 3, "t": "b"])
  }

  /// Actions that were there when the first of two editors saved must not be lost to the other's older buffer.
  @Test func `who saves after somebody else may have started from before that`() throws {
    let history = try Self.history(Self.versions, newest: .edit)
    let merge = SaveMerge(try JSONValue(parsing: #"{"n":1,"t":"b","l":[1,2]}"#), onto: history)
    #expect(merge.meaning == .edit(of: 2))
    #expect(merge.value == (try JSONValue(parsing: #"{"n":3,"t":"b","l":[1,2,3]}"#)))
  }

  @Test func `what was kept from the newest version, and what lost to the save, is told`() throws {
    let history = try Self.history([#"{"a":1,"b":1,"c":1,"d":1}"#, #"{"a":2,"b":2,"c":1,"d":1}"#])
    let merge = SaveMerge(try JSONValue(parsing: #"{"a":5,"b":1,"c":1,"d":1}"#), onto: history)
    #expect(merge.value == ["a": 5, "b": 2, "c": 1, "d": 1])
    #expect(merge.kept == JSONPatch([.replace(at: JSONPointer(["b"]), with: 2)]))
    #expect(merge.lost == [LostValue(pointer: JSONPointer(["a"]), value: 2)])
  }

  /// The floors are those of a prototype. `STALE_SAVES=5000 swift test --filter SaveMergeTests` measures more.
  @Test func `saves of stale and fresh buffers change only what their users changed`() throws {
    let count = getenv("STALE_SAVES").flatMap { Int(String(cString: $0)) } ?? 300
    let document = try JSONValue(parsing: sampleState())
    for (isStale, floor) in [(true, 91.0), (false, 93.0)] {
      var generator = SaveGenerator(document, seed: 1)
      var ideal = 0
      for _ in 0..<count {
        let save = generator.save(isStale: isStale)
        if SaveMerge(save.value, onto: save.history).value == save.ideal { ideal += 1 }
      }
      let share = 100 * Double(ideal) / Double(count)
      if count > 300 { print("\(isStale ? "stale" : "fresh"): \(share) % of \(count)") }
      #expect(share >= floor, "\(isStale ? "stale" : "fresh") buffers, seed 1")
    }
  }

  private func sampleState() throws -> String {
    let descriptor = try FileDescriptor(opening: "sample-state.json", O_RDONLY)
    return String(decoding: try descriptor.contents(expecting: 0, limit: .max), as: UTF8.self)
  }
}
