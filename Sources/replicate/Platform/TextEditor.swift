import Glibc
import HotReload

/// The editor that somebody has chosen by `VISUAL` or `EDITOR`; otherwise `vi`.
enum TextEditor {
  /// Has a text edited, on the terminal of this process; returns what was saved, and what went wrong with the editor.
  ///
  /// - Throws: Why the editor could not be started, or where what it saved lies if that can't be read.
  static func edited(_ text: String) throws -> (text: String, failure: String?) {
    let path = try temporary(text)
    let editor = [Environment["VISUAL"], Environment["EDITOR"]].compactMap(\.self).first { !$0.isEmpty } ?? "vi"
    // The variable is a command with arguments, which the shell knows how to read.
    let outcome = Result { try Subprocess(command: ["/bin/sh", "-c", "\(editor) \"$0\"", path]).run() }
    let saved: String
    do throws(SystemError) {
      saved = try contents(of: path)
    } catch {
      throw Failure(.system, "\(error); what was saved may be there")
    }
    unlink(path)
    return (saved, try outcome.get() == .exited(0) ? nil : "'\(editor)' failed")
  }

  /// A file that only this user can read.
  private static func temporary(_ text: String) throws(SystemError) -> String {
    let folder = Environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(folder)/replicate-XXXXXX.json".utf8CString)
    let descriptor = mkstemps(&template, 5)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else { throw SystemError(call: "mkstemps", errno: errno, path: path) }
    defer { close(descriptor) }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno != EINTR { throw SystemError(call: "write", errno: errno, path: path) }
      bytes = bytes.dropFirst(max(0, written))
    }
    return path
  }

  private static func contents(of path: String) throws(SystemError) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(call: "open", errno: errno, path: path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw SystemError(call: "read", errno: errno, path: path) }
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}
