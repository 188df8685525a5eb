import Glibc
import StoreCore

/// A folder for the files of those stores that have any.
final class Files {
  private let folder: String
  private var names: [String] = []
  private var stores: [Store<App, Action>] = []

  init() {
    folder = "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/replicate-benchmark-\(getpid())"
    mkdir(folder, 0o700)
  }

  /// The path of a file that is removed in the end.
  func path(_ name: String) -> String {
    names.append(name)
    return "\(folder)/\(name)"
  }

  func closeAtEnd(_ store: Store<App, Action>) { stores.append(store) }

  func remove() async throws {
    for store in stores { try await store.close() }
    for name in names { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }
}
