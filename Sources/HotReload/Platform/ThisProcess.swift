import Glibc

/// What a person knows this process by.
enum ThisProcess {
  /// The corresponding C function is `getpid`.
  static var identifier: Int { Int(System.calls.getpid()) }

  /// The first 15 bytes of the program's name; empty where the system doesn't tell.
  static var name: String {
    // Without a mounted /proc a process has no name, only a number.
    let bytes = try? FileDescriptor(opening: "/proc/self/comm", O_RDONLY).contents(from: 0, upTo: 64)
    return String(decoding: (bytes ?? []).prefix { $0 != 0x0A }, as: UTF8.self)
  }
}
