import HotReload
import StateJSON

/// The recent versions of a file, read from its log for somebody who looks at them.
struct LogVersions: VersionSource {
  let file: String

  func moments() throws -> [TimelinePane.Moment] {
    let log = try VersionLog(ofFile: file)
    guard let history = try log.history()?.standing() else { return [] }
    let actions = try log.actions()
    return HistorySteps(history, following: nil).map { step in
      let lines = (actions[step.entry.version.hash] ?? []).map { "\($0)" } + step.lines
      let limit = TimelinePane.Moment.limit
      return TimelinePane.Moment(
        version: "\(step.entry.version.hash)", moment: step.entry.version.time,
        time: WallClock.time(of: step.entry.version.time), cause: step.entry.cause, author: step.entry.author,
        changes: Array(lines.prefix(limit)), changeCount: lines.count)
    }
  }

  func documents(of moment: TimelinePane.Moment) throws -> (new: JSONDocument, old: JSONDocument)? {
    guard let step = try history().flatMap({ HistorySteps($0, following: nil).first(where: moment.isOf) }) else {
      return nil
    }
    return (JSONDocument(formatting: step.new), JSONDocument(formatting: step.old))
  }

  /// A version and those that came after it, oldest first, up to what somebody has seen of the file; `nil` if the version
  /// isn't kept any more.
  func steps(from moment: TimelinePane.Moment, to seen: JSONDocument) throws -> [HistoryStep]? {
    guard let history = try history() else { return nil }
    var steps: [HistoryStep] = []
    for step in HistorySteps(history, following: nil) {
      // What came after it is still to be told.
      if step.entry.version.hash == ContentHash(seen.bytes) { steps = [] }
      steps.append(step)
      if moment.isOf(step) { return steps.reversed() }
    }
    return nil
  }

  private func history() throws -> VersionHistory? { try VersionLog(ofFile: file).history()?.standing() }
}

extension TimelinePane.Moment {
  /// Whether it lists a version of the log.
  fileprivate func isOf(_ step: HistoryStep) -> Bool {
    "\(step.entry.version.hash)" == version && step.entry.version.time == moment
  }
}

extension HistoryStep {
  /// What it changed, and what a merge kept and lost, a line each.
  fileprivate var lines: [String] {
    let kept = entry.kept.map { kept in
      kept.pointers.map { pointer in
        let authors = kept.authors.isEmpty ? "" : ", changed by " + kept.authors.joined(separator: ", ")
        return "= \(pointer): kept \(new[pointer].map { "\($0)" } ?? "nothing")\(authors), not what was saved"
      }
    }
    let lost = entry.lost.map { lost in
      "= \(lost.pointer): \(new[lost.pointer].map { "\($0)" } ?? "nothing") won over \(lost.value.map { "\($0)" } ?? "nothing")"
    }
    return changes.map(\.text) + (kept ?? []) + lost
  }
}
