import CLinux
import Glibc

/// The way from a path to the file it means: every directory and symbolic link passed, in order.
///
/// Whoever wants to notice that the path means another file must watch all of them.
struct PathWalk: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case directory
    case symbolicLink
    /// The last name of the path, whatever stands there.
    case target
    /// A directory on the way does not exist; the walk ends here.
    case missing
  }

  /// One name looked up in one directory.
  struct Step: Hashable, Sendable {
    /// The directory's own path, free of symbolic links.
    let directory: String
    let name: String
    let kind: Kind

    var path: String { directory == "/" ? "/\(name)" : "\(directory)/\(name)" }
  }

  let steps: [Step]

  /// Where the file stands, whether it is there or not. Nil when a directory on the way is missing.
  var target: Step? { steps.last.flatMap { $0.kind == .target ? $0 : nil } }

  /// How many symbolic links may follow one another, as in the kernel.
  static let linkLimit = 40

  /// Walks an absolute path.
  ///
  /// - Throws: `ELOOP` after 40 links, `EISDIR` where no file can be (`/`, `a/.`, `a/`), `ENOTDIR`, and whatever `lstat` reports.
  init(_ path: String) throws(SystemError) {
    var steps: [Step] = []
    var directory: [Substring] = []
    var rest = Self.components(of: path)
    if path.hasSuffix("/") { rest.append(".") }
    var links = 0
    func joined(_ names: [Substring]) -> String { "/" + names.joined(separator: "/") }

    while !rest.isEmpty {
      let name = rest.removeFirst()
      if name == "." || name == ".." {
        if name == ".." { _ = directory.popLast() }
        if rest.isEmpty {
          throw SystemError(call: "openat", errno: EISDIR, path: path)
        }
        continue
      }
      let full = joined(directory + [name])
      func step(_ kind: Kind) -> Step { Step(directory: joined(directory), name: String(name), kind: kind) }
      guard let status = try FileStatus(ofLinkIfThere: full) else {
        self.steps = steps + [step(rest.isEmpty ? .target : .missing)]
        return
      }
      if status.isSymbolicLink {
        links += 1
        if links > Self.linkLimit { throw SystemError(call: "openat", errno: ELOOP, path: path) }
        try Self.checkFollowing(status, in: joined(directory), path: full)
        steps.append(step(.symbolicLink))
        let target = try Self.target(ofLink: full)
        if target.hasPrefix("/") { directory = [] }
        if target.hasSuffix("/") && rest.isEmpty { rest = ["."] }
        rest = Self.components(of: target) + rest
      } else if status.isDirectory, !rest.isEmpty {
        steps.append(step(.directory))
        directory.append(name)
      } else {
        guard rest.isEmpty else { throw SystemError(call: "openat", errno: ENOTDIR, path: full) }
        steps.append(step(.target))
      }
    }
    guard steps.last?.kind == .target else { throw SystemError(call: "openat", errno: EISDIR, path: path) }
    self.steps = steps
  }

  /// Makes a path absolute by the process's current directory.
  static func absolute(_ path: String) throws(SystemError) -> String {
    if path.isEmpty { throw SystemError(call: "openat", errno: ENOENT, path: path) }
    if path.utf8.contains(0) {
      throw SystemError(call: "openat", errno: EINVAL, path: path, detail: "a path can't contain a zero byte")
    }
    if path.hasPrefix("/") { return path }
    guard let current = getcwd(nil, 0) else { throw SystemError(call: "getcwd", errno: errno) }
    defer { free(current) }
    return String(cString: current) + "/" + path
  }

  /// Refuses a link that anybody may have put where anybody may, as the kernel does where `fs.protected_symlinks` is
  /// set: whoever made it could let us write over any file of this user.
  private static func checkFollowing(
    _ link: FileStatus, in directory: String, path: String
  ) throws(SystemError) {
    if link.owner == User.effective { return }
    let place = try FileStatus(of: directory)
    guard place.isSticky, place.mode & S_IWOTH != 0, place.owner != link.owner else { return }
    throw SystemError(
      call: "openat", errno: EACCES, path: path,
      detail: "a symbolic link of another user in a folder that everybody may write to")
  }

  private static func components(of path: String) -> [Substring] { path.split(separator: "/") }

  private static func target(ofLink path: String) throws(SystemError) -> String {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = try SystemError.check("readlinkat", path) {
      bytes.withUnsafeMutableBytes { buffer in
        System.calls.readlink(path, buffer.bindMemory(to: CChar.self).baseAddress!, buffer.count)
      }
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
