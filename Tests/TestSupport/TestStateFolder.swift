import Glibc
import HotReload

/// Where all instances of a test run keep what must outlive them, and the commands it starts: never in the home folder of
/// whoever runs the tests.
public enum TestStateFolder {
  /// The folder of this run, below the build folder, removed when the run ends. Everybody is led there by
  /// `XDG_STATE_HOME`.
  public static let path: String = {
    let path = (currentFolder ?? "") + "/.build/fixtures-state-\(getpid())"
    setenv("XDG_STATE_HOME", path, 1)
    atexit { TemporaryFolder.remove(TestStateFolder.path) }
    return path
  }()

  private static var currentFolder: String? {
    guard let current = getcwd(nil, 0) else { return nil }
    defer { free(current) }
    return String(cString: current)
  }
}
