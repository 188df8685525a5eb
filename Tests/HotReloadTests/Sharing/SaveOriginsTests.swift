import Replication
import StateJSON
import Testing

@testable import HotReload

/// The version that a save was made from, by a device's own log.
@Suite struct SaveOriginsTests {
  private static let base: JSONValue = ["n": 1]
  private static let save: JSONValue = ["n": 1, "mine": true]

  /// A history of values, one after the other, each at a time of its own; and the labels of its versions.
  private static func history(_ versions: [(JSONValue, Version.Cause)]) -> (VersionHistory, labels: [String]) {
    var (history, labels): (VersionHistory?, [String]) = (nil, [])
    for (time, (value, cause)) in versions.enumerated() {
      let version = Version(
        hash: ContentHash(value.bytes()), time: Int64(time + 1), cause: cause, instance: "me")
      if history == nil {
        history = VersionHistory(version, value: value)
      } else {
        history?.append(version, value: value, lost: [])
      }
      labels.append("\(version.hash)-\(time + 1)-1")
    }
    return (history!, labels)
  }

  private static func origin(_ number: Int, of versions: [(JSONValue, Version.Cause)]) -> SaveOrigins.Origin {
    let (history, labels) = history(versions)
    let contents = versions[number].0
    return SaveOrigins(history, finds: [:]).origin(
      of: contents, FileVersion(ContentHash(contents.bytes()), modified: nil), at: labels[number])
  }

  @Test func `a save comes from what is nearest before it`() {
    let origin = Self.origin(2, of: [(["n": 0], .action), (Self.base, .action), (Self.save, .edit)])
    #expect(origin.version?.value == Self.base)
    #expect(!origin.isRestore)
  }

  @Test func `bytes that stood before it are brought back`() {
    #expect(Self.origin(2, of: [(Self.save, .action), (Self.base, .action), (Self.save, .edit)]).isRestore)
  }

  @Test func `bytes that an instance came to after it are not`() {
    let origin = Self.origin(
      1, of: [(Self.base, .action), (Self.save, .edit), (["n": 0], .merged), (Self.save, .merge)])
    #expect(origin.version?.value == Self.base)
    #expect(!origin.isRestore)
  }
}
