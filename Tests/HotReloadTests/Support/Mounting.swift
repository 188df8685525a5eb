import CLinux
import Glibc
import TestSupport

/// What a test may do only with the right to mount.
enum Mounting {
  /// `MS_BIND`.
  static let bind: UInt = 4096
  /// `MNT_DETACH`.
  static let detach: Int32 = 2

  /// Tries it, in a folder of its own: rights alone don't tell.
  static let isAllowed: Bool = {
    guard let folder = try? TemporaryFolder(), (try? folder.write("", to: "a")) != nil,
      mount(folder.path("a"), folder.path("a"), "none", bind, nil) == 0
    else { return false }
    return umount2(folder.path("a"), detach) == 0
  }()
}
