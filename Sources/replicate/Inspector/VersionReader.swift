import HotReload
import StateJSON

/// The recent versions of a file, read from its log for somebody who looks at them.
struct VersionReader {
  let file: String

  /// The newest first.
  func moments() throws -> [TimelinePane.Moment] {
    guard let history = try history() else { return [] }
    return HistorySteps(history, following: nil).map { step in
      let lines = step.lines
      let limit = TimelinePane.Moment.limit
      return TimelinePane.Moment(
        version: "\(step.entry.version.hash)", moment: step.entry.version.time,
        time: WallClock.time(of: step.entry.version.time), cause: step.entry.cause, author: step.entry.author,
        changes: Array(lines.prefix(limit)), changeCount: lines.count)
    }
  }

  /// What the file held in a version, and in the one before it.
  func documents(of moment: TimelinePane.Moment) throws -> (new: JSONDocument, old: JSONDocument)? {
    guard let history = try history(),
      let step = HistorySteps(history, following: nil).first(where: {
        "\($0.entry.version.hash)" == moment.version && $0.entry.version.time == moment.moment
      })
    else { return nil }
    return (JSONDocument(formatting: step.new), JSONDocument(formatting: step.old))
  }

  private func history() throws -> VersionHistory? {
    let file = try SharedFile(path: file, instance: InstanceName.random())
    return try VersionLog(of: file.resolvedPath).history()?.standing()
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
