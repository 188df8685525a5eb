import Foundation

/// A folder for one test, removed with all that is in it when the test ends.
final class TemporaryFolder: Sendable {
  private static let base = FileManager.default.temporaryDirectory.appending(path: "episodes-tests-\(getpid())")

  private let folder: URL
  /// The file that is mirrored.
  var file: URL { folder.appending(path: "state.json") }

  init() {
    folder = Self.base.appending(path: UUID().uuidString)
    // What instances keep for later goes there too, and not into the home of whoever runs the tests.
    setenv("XDG_STATE_HOME", Self.base.path, 1)
    // Whoever writes into it will hear if this went wrong.
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    // What stays lies where temporary things do.
    try? FileManager.default.removeItem(at: folder)
  }
}
