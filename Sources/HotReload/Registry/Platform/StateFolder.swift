import Glibc

/// Where this user's instances keep what must outlive them: `$XDG_STATE_HOME/replicate`, by default
/// `~/.local/state/replicate`. Never the folder of the shared file, which may be synced.
enum StateFolder {
  static let path: String = {
    if let base = Environment["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/replicate" }
    let home = Environment["HOME"] ?? getpwuid(User.effective).map { String(cString: $0.pointee.pw_dir) } ?? "/"
    return home + "/.local/state/replicate"
  }()

  /// Opens a state folder; makes it, readable by this user only, where it is missing.
  static func open(_ path: String) throws(SystemError) -> Folder {
    var missing: [String] = []
    var existing = path[...]
    while true {
      do throws(SystemError) {
        let folder = try Folder(path: existing.isEmpty ? "/" : String(existing))
        if missing.isEmpty { return try checked(folder) }
        break
      } catch {
        guard error.errno == ENOENT, let slash = existing.lastIndex(of: "/") else { throw error }
        missing.append(String(existing))
        existing = existing[..<slash]
      }
    }
    for path in missing.reversed() {
      do throws(SystemError) {
        try SystemError.check("mkdirat", path) { System.calls.mkdirat(AT_FDCWD, path, 0o700) }
      } catch {
        // Another instance may have been quicker.
        if error.errno != EEXIST { throw error }
      }
    }
    return try checked(Folder(path: path))
  }

  /// Opens a state folder, or returns nil where there is none.
  static func existing(_ path: String) throws(SystemError) -> Folder? {
    do throws(SystemError) {
      return try checked(Folder(path: path))
    } catch {
      if error.errno == ENOENT { return nil }
      throw error
    }
  }

  /// Refuses a folder in which others could have put what is read here, or put links that are written through.
  private static func checked(_ folder: Folder) throws(SystemError) -> Folder {
    func refusal(_ reason: String) -> SystemError {
      SystemError(
        call: "openat", errno: EPERM, path: folder.path, detail: reason + "; set XDG_STATE_HOME to a folder of yours")
    }
    let status = try folder.descriptor.status()
    guard status.owner == User.effective else { throw refusal("belongs to another user") }
    guard status.mode & (S_IWGRP | S_IWOTH) == 0 else { throw refusal("other users may write to it") }
    let link = try FileStatus(ofLink: folder.path)
    guard !link.isSymbolicLink || link.owner == User.effective || link.owner == 0 else {
      throw refusal("is a symbolic link of another user")
    }
    return folder
  }
}
