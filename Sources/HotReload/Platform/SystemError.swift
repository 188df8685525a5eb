import CLinux
import Glibc

/// A system call that failed: which, on what, and why.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the system call, as in its manual page.
  package let call: String
  package let errno: Int32
  package let path: String?
  /// Words that say more than the error number's own, if there are any.
  package let detail: String?

  package init(call: String, errno: Int32, path: String? = nil, detail: String? = nil) {
    self.call = call
    self.errno = errno
    self.path = path
    self.detail = detail
  }

  /// The reason alone, in lower case: `permission denied`.
  package var reason: String {
    if let detail { return detail }
    guard let text = strerrordesc_np(errno) else { return "error \(errno)" }
    let words = String(cString: text)
    return words.prefix(1).lowercased() + words.dropFirst()
  }

  /// What could not be done, to what, and why: `cannot open '/x/y': permission denied`.
  package var description: String {
    "cannot \(action)\(path.map { " '\($0)'" } ?? ""): \(reason)"
  }

  private var action: String {
    switch call {
    case "openat": "open"
    case "fstat", "fstatat", "stat", "statfs", "readlinkat": "examine"
    case "pread": "read"
    case "pwrite", "ftruncate": "write"
    case "flock": "lock"
    case "renameat2": "rename"
    case "linkat": "link"
    case "unlinkat": "remove"
    case "mkdirat": "make"
    case "fsetxattr", "fgetxattr", "lgetxattr", "flistxattr", "fremovexattr": "copy the attributes of"
    case "fchmod", "fchown": "set the permissions of"
    case "fsync", "fdatasync", "sync_file_range": "flush"
    case "getdents64": "list"
    case "bind", "listen": "listen at"
    case "connect", "recv": "ask at"
    case "inotify_add_watch", "inotify_init1": "watch"
    default: call
    }
  }
}

extension SystemError {
  /// Runs a system call again for as long as a signal interrupts it, and turns its failure into an error.
  @discardableResult
  static func check<Result: SignedInteger>(
    _ call: String, _ path: @autoclosure () -> String? = nil, _ body: () -> Result
  ) throws(SystemError) -> Result {
    while true {
      let result = body()
      if result != -1 { return result }
      let code = Glibc.errno
      if code != EINTR { throw SystemError(call: call, errno: code, path: path()) }
    }
  }
}
