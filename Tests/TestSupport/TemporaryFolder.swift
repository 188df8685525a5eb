import CLinux
import Glibc
import HotReload

/// A folder for one test, removed with all that is in it when the test ends. Below the build folder, since editors
/// treat `/tmp` specially and it may be another kind of file system.
open class TemporaryFolder {
  public let path: String

  public init() throws {
    _ = TestStateFolder.path
    guard let current = getcwd(nil, 0) else { throw SystemError(call: "getcwd", errno: errno) }
    defer { free(current) }
    let name = (0..<8).map { _ in String(UInt8.random(in: 0...255), radix: 16) }.joined()
    let build = String(cString: current) + "/.build"
    // Not there if the tests were built elsewhere.
    mkdir(build, 0o755)
    path = build + "/fixtures-" + name
    try check("mkdirat", mkdir(path, 0o755))
  }

  deinit { Self.remove(path) }

  public func path(_ name: String) -> String { path + "/" + name }

  /// Everything in the folder, in alphabetical order.
  public var names: [String] { get throws { try Self.names(in: path).sorted() } }

  /// Everything in a folder in it, in alphabetical order.
  public func names(in folder: String) throws -> [String] { try Self.names(in: path(folder)).sorted() }

  public func makeFolder(_ name: String) throws {
    try check("mkdirat", mkdir(path(name), 0o755))
  }

  public func link(_ name: String, to target: String) throws {
    try check("symlink", symlink(target, path(name)))
  }

  /// Saves as most editors do not: truncates the file and writes it.
  public func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

  public func write(_ bytes: [UInt8], to name: String) throws {
    try FileDescriptor(opening: path(name), O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o644).write(bytes)
  }

  /// Saves as many editors do: writes another file and renames it over.
  public func save(_ text: String, to name: String) throws {
    try write(text, to: name + "~new")
    try rename(name + "~new", to: name)
  }

  public func rename(_ old: String, to new: String) throws {
    try check("renameat2", Glibc.rename(path(old), path(new)))
  }

  public func remove(_ name: String) throws {
    try check("unlinkat", unlink(path(name)))
  }

  public func bytes(of name: String) throws -> [UInt8] {
    try FileDescriptor(opening: path(name), O_RDONLY).contents(expecting: 0, limit: .max)
  }

  public func text(of name: String) throws -> String { String(decoding: try bytes(of: name), as: UTF8.self) }

  package func status(of name: String) throws -> FileStatus {
    try FileDescriptor(opening: path(name), Int32(LINUX_O_PATH) | O_NOFOLLOW).status()
  }

  /// Lets a file look as if it had been written at another time, in nanoseconds since 1970.
  public func setModified(_ time: Int64, of name: String) throws {
    let times = [
      timespec(tv_sec: 0, tv_nsec: Int(LINUX_UTIME_OMIT)),
      timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000)),
    ]
    try check("utimensat", utimensat(AT_FDCWD, path(name), times, 0))
  }

  private func check(_ call: String, _ result: Int32) throws {
    if result != 0 { throw SystemError(call: call, errno: errno, path: path) }
  }

  private static func names(in path: String) throws -> [String] {
    try Folder(path: path).names(startingWith: "").filter { $0 != "." && $0 != ".." }
  }

  static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    for name in (try? names(in: path)) ?? [] { remove(path + "/" + name) }
    rmdir(path)
  }
}
