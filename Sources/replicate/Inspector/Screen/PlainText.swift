import HotReload
import StateJSON
import TerminalScreen

/// An inspector in sentences, one line at a time, for who can't use a screen: a pure function of it.
enum PlainText {
  static let greeting = "Type a key and Enter; ? lists them, Enter alone goes to the next line, q ends."

  /// What came of a line that somebody typed.
  static func answer(_ inspector: Inspector) -> String {
    switch inspector.mode {
    case .help:
      HelpText.lines(columns: 80).map(\.text).joined(separator: "\n")
        + "\n With /, &, :, e, a, s and o, what they take stands on the same line: /fog or e 42."
    case .reading(let reading): "\(reading.title):\n\(reading.text.escapedForTerminal)"
    case .prompting(let prompt):
      "\(prompt.label)\(prompt.editor.string): \(prompt.complaint ?? "")".escapedForTerminalLine
    case .correcting(let draft):
      "what was saved for \(draft.target.pointer) wasn't taken: \(draft.complaint ?? ""); e edits on, d drops it"
        .escapedForTerminalLine
    case .deciding(let conflict, _):
      """
      \(conflict.edit.pointer) was changed meanwhile; mine: \(text(conflict.mine)); theirs: \(text(conflict.theirs)); \
      m writes mine over it, t leaves it
      """.escapedForTerminalLine
    case .timeline: version(inspector)
    case .browsing:
      [inspector.message?.text, place(inspector)].compactMap(\.self).joined(separator: "\n").escapedForTerminal
    }
  }

  private static func text(_ value: JSONValue?) -> String { value.map { "\($0)" } ?? "nothing" }

  private static func version(_ inspector: Inspector) -> String {
    guard let timeline = inspector.timeline, let choice = timeline.choice else { return "there are no versions" }
    let first = choice.changes.first.map { ", \($0)" } ?? ""
    let more = choice.changeCount > 1 ? " and \(choice.changeCount - 1) more" : ""
    let place = "version \(timeline.chosen + 1) of \(timeline.moments.count)"
    return "\(place), \(choice.time), \(choice.cause), \(choice.author)\(first)\(more)".escapedForTerminalLine
  }

  /// Where the cursor is, and what is there.
  private static func place(_ inspector: Inspector) -> String {
    guard let tree = inspector.tree else {
      return inspector.problems.isEmpty ? "waiting for the file" : "nothing to show yet"
    }
    let row = inspector.read { text, path in text.row(at: path, in: tree) }
    let past = inspector.past.map { "as it was at \($0.moment.time): " } ?? ""
    let name = inspector.pointer.phrase
    switch row?.value {
    case .scalar(_, let text)?: return "\(past)\(name): \(text)"
    case .container(let isObject, let isOpen, let count, _)?:
      let kind = isObject ? "object" : "array"
      let items = count == 1 ? isObject ? "member" : "element" : isObject ? "members" : "elements"
      return "\(past)\(name): \(kind) of \(count) \(items)\(count == 0 ? "" : isOpen ? ", open" : ", closed")"
    case nil: return past + name
    }
  }

  /// More places at once are only counted.
  private static let spoken = 3

  /// What happened since an earlier state, a line each.
  static func news(_ inspector: Inspector, since former: Inspector) -> [String] {
    var lines: [String] = []
    for (code, problem) in inspector.problems where former.problems[code] != problem { lines.append("\(problem)") }
    for code in former.problems.keys where inspector.problems[code] == nil {
      lines.append(code.recovery(of: inspector.file))
    }
    if inspector.notices != former.notices { lines += inspector.notices }
    if let old = former.document, let new = inspector.document, old.document.bytes != new.document.bytes {
      let changes = TreeChanges(from: old, to: new).all
      let who = "\(inspector.last.cause.phrase) at \(inspector.last.time)"
      if changes.count > spoken {
        lines.append("\(changes.count) places, \(who)")
      } else {
        lines += changes.map { "\(who): \(story(of: $0, in: new))" }
      }
    }
    return lines.map(\.escapedForTerminalLine)
  }

  private static func story(of change: TreeChanges.Change, in document: TreeDocument) -> String {
    document.read { text in
      let path = text.path(to: change.place, former: []).path
      let name = text.pointer(of: path).phrase
      let now = text.summary(of: text.node(at: path))
      return switch change.kind {
      case .added: "\(name) is new: \(now)"
      case .changed: "\(name): \(change.old) → \(now)"
      case .shrunken: "something was removed from \(name)"
      }
    }
  }
}
