import StateJSON
import Testing

@testable import HotReload

/// The time at which a save was found to be made, as a log says it.
@Suite struct FoundTimeTests {
  private static let version = Version(hash: ContentHash(Array("{}".utf8)), time: 1, cause: .edit, instance: "me")

  private static func reading(_ line: [UInt8], of version: ContentHash = version.hash) -> FoundTime? {
    line.withUnsafeBytes { FoundTime.reading(0..<$0.count - 1, of: version, in: $0) }
  }

  @Test(arguments: [0, 1_795_814_353_473_000_123, -1], [true, false])
  func `a time is read as it was said, and whether it stays`(modified: Int64, isSure: Bool) {
    let time = FoundTime(modified: modified, isSure: isSure)
    #expect(Self.reading(time.line(of: Self.version)) == time)
  }

  @Test func `the time of another version says nothing of this one`() {
    let line = FoundTime(modified: 7, isSure: true).line(of: Self.version)
    #expect(Self.reading(line, of: ContentHash(Array("[]".utf8))) == nil)
  }
}
