import TerminalScreen

/// What the list of versions looks like.
struct TimelineLines {
  let timeline: TimelinePane
  let past: TimelinePane.Moment?
  /// Whether the keys are for it.
  let isFocused: Bool

  func lines(rows: Int, columns: Int) -> [Line] {
    guard rows > 0 else { return [] }
    let count = timeline.moments.count
    let title = Line(" \(timeline.title)", Style(isBold: isFocused, isUnderlined: true))
    let room = rows - 1
    let first = min(max(0, timeline.chosen - room / 2), max(0, count - room))
    let rows = timeline.moments.indices.dropFirst(first).prefix(room).map { line($0).clipped(to: columns) }
    return [title.filled(to: columns, Style(isUnderlined: true))]
      + rows.enumerated().map { index, line in
        guard first + index == timeline.chosen else { return line }
        return isFocused
          ? line.filled(to: columns).restyled(\.inverted)
          : line.restyled { style in
            var style = style
            style.isBold = true
            return style
          }
      }
  }

  private func line(_ index: Int) -> Line {
    let moment = timeline.moments[index]
    let isPast = past.map { $0.isSame(as: moment) } ?? (index == 0)
    let isMarked = timeline.marked.map { $0.isSame(as: moment) } ?? false
    let marker = isPast ? "▶" : " "
    let more = moment.changeCount > 1 ? Line("  and \(moment.changeCount - 1) more", .faint) : .empty
    let first = moment.changes.first.map { Line($0.escapedForTerminalLine, DifferenceStyle.style(of: $0)) } ?? .empty
    return Line(marker + (isMarked ? "=" : " ") + " \(moment.time)  ", isMarked ? .accent : .plain)
      + Line(moment.cause.padding(to: 8), style(of: moment.cause))
      + Line(moment.author.escapedForTerminalLine.padding(to: 10), .faint) + first + more
  }

  private func style(of cause: String) -> Style {
    switch cause {
    case "edit": .warning
    case "restore", "merge": .special
    case "device": .accent
    default: .good
    }
  }
}

extension TimelinePane {
  /// How many there are, of what, and how they are played.
  var title: String {
    let count = moments.count
    let what =
      recording.map { "\(count == 1 ? "moment" : "moments") of \($0)" } ?? (count == 1 ? "version" : "versions")
    let pace = playing.map { $0.speed == 1 ? ", playing" : ", playing \($0.speed) times as fast" } ?? ""
    return "\(count) \(what.escapedForTerminalLine)\(pace)"
  }
}

/// The colours of a line that says what was added, removed or changed.
enum DifferenceStyle {
  static func style(of line: String) -> Style {
    switch line.first {
    case "+": .good
    case "-": .bad
    case "~": .warning
    case ">": .accent
    case "=": .special
    default: .plain
    }
  }
}
