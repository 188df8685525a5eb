import HotReload
import RemoteControl
import StateJSON

/// The verbs that show recent versions and bring them back.
extension RequestRunner {
  func history(count: Int?, json: Bool) throws -> ExitCode {
    let entries = try recentVersions()?.entries ?? []
    // A name that was mistyped has no versions either; those of a file that is gone are shown.
    if entries.isEmpty, case .missing = try SharedFile(path: request.file, instance: InstanceName.random()).read() {
      throw Failure(.system, "there is no file '\(request.file)'")
    }
    let shown = entries.prefix(count ?? entries.count)
    if json {
      try console.print(.array(shown.map(\.report)), style: Request.GetStyle())
    } else {
      // A version is a line, whatever its members are called.
      for entry in shown { try console.print(entry.line.escapedForTerminalLine + "\n") }
    }
    return .done
  }

  func restore(_ version: String) throws -> ExitCode {
    let history = try recentVersions()
    let hashes = Set((history?.entries ?? []).map(\.version.hash.description).filter { $0.hasPrefix(version) })
    guard hashes.count < 2 else {
      throw Failure(.no, "'\(version)' is the beginning of \(hashes.count) versions; give more digits")
    }
    guard let history, let index = history.index(ofVersion: version) else {
      throw Failure(
        .no, "'\(request.file)' has no recent version '\(version)'; 'replicate history \(request.file)' lists them")
    }
    return try commit(.restore(history.value(at: index)))
  }

  /// If somebody changes the document meanwhile, it is that change that is to be undone.
  func undo() throws -> ExitCode {
    while true {
      let current = try document()
      guard let earlier = try recentVersions()?.newestValue(before: current) else {
        throw Failure(.no, "'\(request.file)' has no earlier version")
      }
      let operation = DocumentOperation.replaceDifference(at: .root, from: current, to: earlier)
      switch try outcome(of: operation, cause: .restore) {
      case .success: return .done
      case .failure(.movedOn): continue
      case .failure(let error): throw Failure(error)
      }
    }
  }

  private func commit(_ operation: DocumentOperation) throws -> ExitCode {
    if case .failure(let error) = try outcome(of: operation, cause: .restore) { throw Failure(error) }
    return .done
  }

  private func recentVersions() throws -> VersionHistory? {
    let file = try SharedFile(path: request.file, instance: InstanceName.random())
    let history = try VersionLog(of: file.resolvedPath).history()
    guard case .contents(let contents) = try file.read() else { return history?.standing() }
    return history?.standing { $0.newest.hash == contents.hash }
  }
}

extension VersionHistory {
  /// The value before the one that is in the file now; that may be a save which no instance has seen yet.
  func newestValue(before current: JSONValue) -> JSONValue? {
    var history = self
    while history.value == current {
      guard history.removeNewest() else { return nil }
      // What was merged stood in the file for an instant only.
      while history.newest.cause == .merged { if !history.removeNewest() { return nil } }
    }
    return history.value
  }
}

extension VersionHistory.Entry {
  /// As many digits as mostly tell versions apart.
  private static let shownDigits = 8
  private static let shownPointers = 4

  /// The places that the version changed.
  var pointers: [JSONPointer] { changes?.operations.map(\.path) ?? [] }

  fileprivate var line: String {
    var words = [
      String(version.hash.description.prefix(Self.shownDigits)),
      WallClock.localTime(milliseconds: version.time),
      cause.padded(to: 7),
      author.padded(to: 8),
    ]
    // What a merge alone changed in a save is what it kept.
    if pointers != kept?.pointers { words += Self.shown(pointers) }
    if let kept {
      let authors = kept.authors.isEmpty ? [] : ["of"] + kept.authors
      words.append("(kept \((Self.shown(kept.pointers) + authors).joined(separator: " ")))")
    }
    if !lost.isEmpty { words.append("(won over \(lost.map { "\($0.pointer)" }.joined(separator: " ")))") }
    return words.joined(separator: "  ")
  }

  private static func shown(_ pointers: [JSONPointer]) -> [String] {
    let words = pointers.prefix(shownPointers).map { $0 == .root ? "\"\"" : "\($0)" }
    return words + (pointers.count > shownPointers ? ["and \(pointers.count - shownPointers) more"] : [])
  }

  private var device: String? { DeviceName.named(by: version.instance) }
  private var cause: String { device == nil || version.cause != .action ? version.cause.told.rawValue : "device" }
  private var author: String { device ?? version.instance }

  fileprivate var report: JSONValue {
    [
      "version": .string("\(version.hash)"),
      "time": .string(WallClock.universalTime(milliseconds: version.time)),
      "cause": .string(cause),
      "instance": .string(author),
      "changed": .array(pointers.map { .string("\($0)") }),
      "lost": .array(
        lost.map { .object(JSONObject(present: ["path": .string("\($0.pointer)"), "value": $0.value])) }),
      "kept": .array((kept?.pointers ?? []).map { .string("\($0)") }),
      "by": .array((kept?.authors ?? []).map(JSONValue.string)),
    ]
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(width - unicodeScalars.count, 0))
  }
}
