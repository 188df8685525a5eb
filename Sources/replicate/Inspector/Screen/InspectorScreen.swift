import HotReload
import StateJSON
import StoreCore
import TerminalScreen

/// What an inspector looks like: a pure function of it.
struct InspectorScreen {
  let inspector: Inspector
  private var columns: Int { inspector.size.columns }

  init(_ inspector: Inspector) { self.inspector = inspector }

  /// The lines from top to bottom: as many as the screen has, each at most as wide.
  var lines: [Line] {
    let foot = foot
    let room = max(0, inspector.size.rows - 1 - foot.count)
    var body: [Line]
    switch inspector.mode {
    case .help(let first): body = page(HelpText.lines(columns: columns), first: first, rows: room)
    case .reading(let reading): body = page(lines(of: reading), first: reading.first, rows: room)
    case .browsing, .prompting, .timeline: body = panes(rows: room)
    case .correcting(let draft): body = sheet(of: draft).over(filled(panes(rows: room), room), columns: columns)
    case .deciding(let conflict, let next):
      body = sheet(of: conflict, canGoOn: next == .browsing, rows: room).over(
        filled(panes(rows: room), room), columns: columns)
    }
    body = filled(body, room)
    return Array(([head] + body).prefix(max(0, inspector.size.rows - foot.count)) + foot).suffix(inspector.size.rows)
      .map { $0.clipped(to: columns) }
  }

  /// The tree, below it the versions, and below these what is wrong in the file.
  private func panes(rows: Int) -> [Line] {
    guard let excerpt = inspector.excerpt else { return treeAndVersions(rows: rows) }
    let below = ExcerptLines(excerpt: excerpt).lines(rows: min(inspector.excerptRows, rows), columns: columns)
    return filled(treeAndVersions(rows: rows - below.count), rows - below.count) + below
  }

  private func treeAndVersions(rows: Int) -> [Line] {
    guard let timeline = inspector.timeline else { return tree(rows: rows) }
    let below = min(inspector.timelineRows, rows)
    let pane = TimelineLines(timeline: timeline, past: inspector.past?.moment, isFocused: inspector.mode == .timeline)
    return filled(tree(rows: rows - below), rows - below) + pane.lines(rows: below, columns: columns)
  }

  private func lines(of reading: Inspector.Reading) -> [Line] {
    reading.text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      let style = reading.isDifference ? DifferenceStyle.style(of: String(line)) : .plain
      return String(line).escapedForTerminal.replacing("\t", with: "  ").wrapped(toColumns: max(1, columns - 1))
        .map { Line($0, style) }
    }
  }

  private func filled(_ lines: [Line], _ rows: Int) -> [Line] {
    Array((lines + Array(repeating: .empty, count: max(0, rows - lines.count))).prefix(rows))
  }

  private func page(_ lines: [Line], first: Int, rows: Int) -> [Line] {
    Array(lines.dropFirst(min(first, max(0, lines.count - rows))).prefix(rows))
  }

  // MARK: - The first line

  private var head: Line {
    let place: String =
      switch inspector.mode {
      case .help: "keys"
      case .reading(let reading): reading.title
      default: "\(inspector.pointer)"
      }
    let past = inspector.past.map { "as it was at \($0.moment.time)" }
    let capture = inspector.capture.map { "recording into \($0.escapedForTerminalLine)" }
    let right = [
      capture, past, inspector.filter.map { "& \($0.text)" }, inspector.isFollowing ? "following" : nil, progress,
    ]
    .compactMap(\.self).joined(separator: " · ")
    let left = Line(" \(inspector.file.escapedForTerminalLine)", Style(isBold: true, isInverse: true))
    return .justified(
      left + Line("  \(place.escapedForTerminalLine)", .bar), Line(" \(right) ", .bar), width: columns, .bar)
  }

  /// How far down the cursor is.
  private var progress: String? {
    inspector.read { text, path in
      let root = text.range(of: text.node(at: text.path(to: inspector.position.root, former: []).path))
      let start = text.range(of: text.node(at: path)).lowerBound - root.lowerBound
      return "\(root.isEmpty ? 0 : 100 * start / root.count)%"
    }
  }

  // MARK: - The tree

  private func tree(rows: Int) -> [Line] {
    guard let tree = inspector.tree, rows > 0 else {
      return ["", inspector.problems.isEmpty ? "  waiting for the file" : "  nothing to show yet"].map {
        Line($0, .faint)
      }
    }
    return tree.document.read { text in
      let cursor = text.path(to: inspector.position.cursor, former: inspector.position.indices).path
      return tree.paths(around: cursor, before: min(inspector.position.row, rows - 1), rows: rows, text).map { path in
        RowLine(
          row: text.row(at: path, in: tree), isCursor: path == cursor, isInBackground: inspector.mode == .timeline,
          mark: marks[text.place(of: path)],
          glow: glow(text.place(of: path)), file: inspector.file,
          search: inspector.search?.text
        ).line(columns: columns)
      }
    }
  }

  /// Of an earlier version what it changed stands out as long as it is looked at.
  private var marks: Marks { inspector.past?.marks ?? inspector.marks }

  private func glow(_ place: Place) -> Marks.Glow {
    inspector.past.map { $0.marks.glow(place, at: $0.marks.newest) } ?? inspector.marks.glow(place, at: inspector.now)
  }

  // MARK: - The last lines

  private var foot: [Line] {
    notes + (inspector.size.rows < 8 ? [status] : [status, keys])
  }

  private var notes: [Line] {
    let problems = inspector.problems.count
    return inspector.notes.enumerated().map { index, text in
      index < problems || inspector.notices.isEmpty ? Line(" ! \(text)", .bad) : Line(" i \(text)", .accent)
    }
  }

  private var status: Line {
    if case .prompting(let prompt) = inspector.mode { return promptLine(prompt) }
    if let message = inspector.message {
      return Line(" \(message.text.escapedForTerminalLine)", message.isBad ? .bad : .good)
    }
    if let mark = marks[inspector.position.cursor] {
      let old = mark.change.old.isEmpty ? "" : ", was \(mark.change.old)"
      return Line(" \(mark.cause.phrase) at \(mark.time)\(old)".escapedForTerminalLine, .faint)
    }
    guard !inspector.last.time.isEmpty else { return .empty }
    return Line(" \(inspector.last.cause.phrase) at \(inspector.last.time)".escapedForTerminalLine, .faint)
  }

  private func promptLine(_ prompt: Prompt) -> Line {
    let label = Line(" \(prompt.label.escapedForTerminalLine)", .bold).clipped(to: max(4, columns / 3))
    let complaint = prompt.complaint.map { Line("  \($0) ", .bad) } ?? .empty
    let room = max(8, columns - label.columns - complaint.columns)
    let typed = label + prompt.editor.line(columns: min(room, max(8, columns - label.columns)))
    return Line.justified(typed, complaint.clipped(to: max(0, columns - typed.columns)), width: columns)
  }

  private var keys: Line {
    var line = Line(" ")
    for entry in HelpText.keyLine(inspector) {
      let longer = line + Line(entry.key, .bold) + Line(" \(entry.meaning)  ", .faint)
      if longer.columns > columns { break }
      line = longer
    }
    return line
  }

  // MARK: - Questions

  private func sheet(of draft: Draft) -> Panel {
    Panel(
      title: "what was saved for \(draft.target.pointer) wasn't taken".escapedForTerminalLine,
      lines: (draft.complaint ?? "").escapedForTerminalLine.wrapped(toColumns: max(8, columns - 10)).map {
        Line($0, .bad)
      } + [
        .empty, Line("e", .bold) + Line(" edit on  ", .faint) + Line("d", .bold) + Line(" drop it", .faint),
      ])
  }

  private func sheet(of conflict: Conflict, canGoOn: Bool, rows: Int) -> Panel {
    let width = max(8, columns - 10)
    func value(_ name: String, _ value: JSONValue?) -> [Line] {
      let text = value.map { "\($0)".escapedForTerminalLine } ?? "nothing"
      let lines = text.wrapped(toColumns: max(8, width - 8)).prefix(max(1, (rows - 8) / 2))
      return lines.enumerated().map { index, line in
        Line((index == 0 ? name : "").padding(to: 8), .faint) + Line(line, name == "mine" ? .good : .warning)
      }
    }
    let keys = Line("m", .bold) + Line(" mine over it  ", .faint) + Line("t", .bold) + Line(" leave it  ", .faint)
    let more =
      conflict.mine == nil || conflict.theirs == nil || !canGoOn
      ? Line.empty : Line("e", .bold) + Line(" edit on", .faint)
    return Panel(
      title: "\(conflict.edit.pointer) was changed meanwhile".escapedForTerminalLine,
      lines: value("mine", conflict.mine) + value("theirs", conflict.theirs) + [.empty, keys + more])
  }
}
