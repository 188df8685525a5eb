import Foundation
import StoreCore
import StoreRecording
import Testing

@testable import Episodes

/// What was recorded of the app while it was used: today's reducers come to the same states.
@Suite struct `A recorded session` {
  /// Those beside this file, and one that was just made.
  static let files: [String] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Recordings")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let made = ProcessInfo.processInfo.environment["EPISODES_RECORDING"].map { [$0] } ?? []
    return names.sorted().map { folder.appending(path: $0).path } + made
  }()

  @Test func `is there`() {
    #expect(!Self.files.isEmpty)
  }

  @Test(arguments: files) func `comes to the same states`(file: String) throws {
    let recording = try Recording(contentsOf: file)
    #expect(recording.steps.contains { $0.action != nil })
    try recording.verify(with: appReducer, schema: appSchema)
  }

  @Test func `with a reducer that is broken shows where, and what is different`() throws {
    let recording = try Recording(contentsOf: #require(Self.files.first))
    let broken = Reducer<App, AppAction> { app, action in
      appReducer(&app, action)
      // A whole point instead of a half.
      if case .episodes(.episode(let id, .adjustRating(let step))) = action { app.episodes[id: id]?.rating? += step }
    }
    let mismatch = #expect(throws: ReplayMismatchError.self) { try recording.verify(with: broken, schema: appSchema) }
    let text = "\(try #require(mismatch))"
    #expect(
      text.hasSuffix(
        """
        .episodes(.episode(1104, .adjustRating(by: -0.5))), leads to another state than was recorded:
        - episodes[id: 1104].rating: 8.0
        + episodes[id: 1104].rating: 7.5
        """))
  }
}
