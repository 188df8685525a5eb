import HotReload
import RemoteControl
import StateJSON

/// The verbs that show recent versions and bring them back.
extension RequestRunner {
  func history(_ wanted: Request.History) throws -> ExitCode {
    let history = try recentVersions()
    // A name that was mistyped has no versions either; those of a file that is gone are shown.
    if history == nil, case .missing = try SharedFile(path: request.file, instance: InstanceName.random()).read() {
      throw Failure(.system, "there is no file '\(request.file)'")
    }
    guard let history else { return try printHistory([], wanted) }
    var steps = HistorySteps(history, following: wanted.pointer)
    var shown: [HistoryStep] = []
    while shown.count < wanted.count ?? .max, let step = steps.next() {
      if let since = wanted.since, step.entry.version.time < since { break }
      if wanted.pointer == nil || !step.changes.isEmpty { shown.append(step) }
    }
    return try printHistory(shown, wanted)
  }

  private func printHistory(_ steps: [HistoryStep], _ wanted: Request.History) throws -> ExitCode {
    let actions = wanted.patch ? try versionLog().actions() : [:]
    if wanted.json {
      let reports = steps.map { $0.report(withValues: wanted.patch, actions: actions[$0.entry.version.hash]) }
      try console.print(.array(reports))
      return .done
    }
    for step in steps {
      // A version is a line, whatever its members are called.
      try console.print(line: step.entry.line)
      guard wanted.patch else { continue }
      for action in actions[step.entry.version.hash] ?? [] { try console.print(line: "  by \(action)") }
      for change in step.changes { try console.print(change, indentation: 2) }
    }
    return .done
  }

  /// How two versions differ, or two files.
  func diff(_ difference: Request.Difference, json: Bool) throws -> ExitCode {
    let (old, new): (JSONValue, JSONValue)
    switch difference {
    case .versions(let version, let newer):
      (old, new) = (try value(ofVersion: version), try newer.map(value(ofVersion:)) ?? document())
    case .otherFile(let path):
      let other = RequestRunner(
        request: Request(file: path, action: request.action), options: options, console: console)
      (old, new) = (try document(), try other.document())
    }
    let changes = ValueChange.list(JSONPatch(from: old, to: new, literals: false), of: old)
    if json {
      try console.print(.array(changes.map(\.report)))
    } else {
      for change in changes { try console.print(change, indentation: 0) }
    }
    return changes.isEmpty ? .done : .no
  }

  /// Which version set each value.
  func blame(_ pointer: JSONPointer, json: Bool) throws -> ExitCode {
    let document = try document()
    _ = try document.value(at: pointer)
    guard let history = try recentVersions() else {
      throw Failure(.no, "'\(request.file)' has no recent versions; they are kept from the first change on")
    }
    let steps = Array(HistorySteps(history, following: nil))
    let actions = try versionLog().actions()
    // What is in the file may be a save that no instance has seen yet, or only be written in another way.
    let unseen = ValueChange.list(JSONPatch(from: history.value, to: document), of: history.value)
    let blame = Blame(document, changes: [unseen] + steps.map(\.changes))
    let lines = blame.lines(of: document).filter { pointer.isPrefix(of: $0.pointer) }
    let reports = lines.map { line in
      let origin: BlameReport.Origin =
        switch line.version {
        case nil: .before(history.entries[history.entries.count - 1])
        case 0: .unseen
        case let index?: .version(steps[index - 1].entry)
        }
      return BlameReport(
        line: line, origin: origin,
        actions: line.version.flatMap { index in
          index == 0 ? nil : actions[steps[index - 1].entry.version.hash]
        })
    }
    if json {
      try console.print(.array(reports.map(\.value)))
    } else {
      for report in reports { try console.print(line: report.text) }
    }
    return .done
  }

  func restore(_ version: String) throws -> ExitCode {
    _ = try outcome(of: .restore(try value(ofVersion: version)), cause: .restore).get()
    return .done
  }

  /// What the document held in a version, which is given by the first digits of its hash.
  func value(ofVersion version: String) throws -> JSONValue {
    let history = try recentVersions()
    let hashes = Set((history?.entries ?? []).map(\.version.hash.description).filter { $0.hasPrefix(version) })
    guard hashes.count < 2 else {
      throw Failure(.no, "'\(version)' is the beginning of \(hashes.count) versions; give more digits")
    }
    guard let history, let index = history.index(ofVersion: version) else {
      throw Failure(
        .no, "'\(request.file)' has no recent version '\(version)'; 'replicate history \(request.file)' lists them")
    }
    return history.value(at: index)
  }

  /// If somebody changes the document meanwhile, it is that change that is to be undone.
  func undo() throws -> ExitCode {
    while true {
      let current = try document()
      guard let earlier = try recentVersions()?.newestValue(before: current) else {
        throw Failure(.no, "'\(request.file)' has no earlier version")
      }
      let operation = DocumentOperation.replaceDifference(at: .root, from: current, to: earlier)
      if try wasDone(outcome(of: operation, cause: .restore)) { return .done }
    }
  }

  /// What came after it stays.
  func undoMine() throws -> ExitCode {
    let own = VerbInstance.mark
    var steps = try recentVersions().map { HistorySteps($0, following: nil) }
    while let step = steps?.next() {
      let version = step.entry.version
      guard version.instance.hasPrefix(own), version.cause == .action || version.cause == .restore,
        !step.changes.isEmpty
      else { continue }
      let edit = Edit(EditTarget(.root), .rewrite(step.new, as: step.old))
      if try wasDone(outcome(of: .edit(edit), cause: .restore)) { return .done }
      throw Failure(
        .no,
        "others have changed the same since version \(step.entry.digits), which was made here; "
          + "'replicate history -p \(request.file)' shows it all")
    }
    throw Failure(.no, "no recent version of '\(request.file)' was made by a verb in this terminal")
  }

  private func versionLog() throws -> VersionLog { try VersionLog(ofFile: request.file) }

  private func recentVersions() throws -> VersionHistory? {
    let file = try SharedFile(path: request.file, instance: InstanceName.random())
    let history = try versionLog().history()
    guard case .contents(let contents) = try file.read() else { return history?.standing() }
    return history?.standing { $0.newest.hash == contents.hash }
  }
}

extension VersionLog {
  /// The log of a file that is named as somebody types it.
  convenience init(ofFile path: String) throws {
    self.init(of: try SharedFile(path: path, instance: InstanceName.random()).resolvedPath)
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
