import Glibc
import HotReload
import RemoteControl

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
    let saved: [UInt8]
    do throws(SystemError) {
      saved = try FileDescriptor(opening: path, O_RDONLY).contents(expecting: text.utf8.count, limit: .max)
    } catch {
      throw Failure(.system, "\(error); what was saved may be there")
    }
    unlink(path)
    return (String(decoding: saved, as: UTF8.self), try outcome.get() == .exited(0) ? nil : "'\(editor)' failed")
  }

  /// A file that only this user can read.
  private static func temporary(_ text: String) throws -> String {
    let folder = Environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(folder)/replicate-XXXXXX.json".utf8CString)
    let descriptor = mkstemps(&template, 5)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else { throw SystemError(call: "mkstemps", errno: errno, path: path) }
    defer { close(descriptor) }
    try ByteStream(descriptor: descriptor, name: path).write(Array(text.utf8))
    return path
  }
}
