import Glibc
import HotReload

/// The session that a terminal, or whatever started this process, has opened.
enum TerminalSession {
  /// What tells it from other sessions on this machine, also from those before a restart. The corresponding C function is `getsid`.
  static var identifier: String { "\(getsid(0)) \(boot)" }

  private static var boot: String {
    let path = "/proc/sys/kernel/random/boot_id"
    // Where that can't be read, sessions of another day may have the same name.
    let bytes = try? FileDescriptor(opening: path, O_RDONLY).contents(expecting: 64, limit: 4096)
    return String(decoding: bytes ?? [], as: UTF8.self)
  }
}
