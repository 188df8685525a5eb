import StoreCore
import TerminalScreen

/// All that the screen shows at one moment; what it looks like is a pure function of it.
struct Screen: Sendable {
  var state: NodeState<App, Interface>
  /// The path as it was typed.
  var file: String
  /// Where the app's state has its last change from.
  var cause = Cause.start
  /// What keeps the file and this instance apart, in plain words.
  var problems: [String] = []
  /// Where the app has been, if somebody travels there.
  var timeline: Timeline?

  /// The lines from top to bottom: exactly `size.rows`, each at most `size.columns` wide.
  func lines(size: Size) -> [Line] {
    let foot = notes + [status(size.columns), help(size.columns)]
    let head = [title(size.columns), state.headline(size.columns), .empty]
    let room = Size(columns: size.columns, rows: max(0, size.rows - head.count - foot.count))
    var body = state.body(size: room)
    body = Array((body + Array(repeating: .empty, count: max(0, room.rows - body.count))).prefix(room.rows))
    if let sheet = timeline?.sheet(rows: room.rows) ?? state.sheet { body = sheet.over(body, columns: size.columns) }
    // On a screen that is too low for all of it, the foot matters most.
    return ((head + body).prefix(max(0, size.rows - foot.count)) + foot).suffix(size.rows)
      .map { $0.clipped(to: size.columns) }
  }

  private func title(_ columns: Int) -> Line {
    let show = state.parent.show
    return Line.justified(Line(" \(show.title)", .bar), Line("\(show.network) ", .bar), width: columns, .bar)
  }

  /// What is the matter, the worst first.
  private var notes: [Line] {
    problems.map { Line(" ! \($0)", .bad) } + state.parent.notes
  }

  private func status(_ columns: Int) -> Line {
    let cause = Line(" last change: ", .faint) + Line("\(cause)", cause.style)
    return .justified(cause, Line("\(file) ", .faint), width: columns)
  }

  /// As many of the keys as there is room for.
  private func help(_ columns: Int) -> Line {
    Keymap.help(state, isTravelling: timeline != nil).reduce(Line(" ")) { line, entry in
      let longer = line + Line(entry.key, .bold) + Line(" \(entry.meaning)  ", .faint)
      return longer.columns <= columns ? longer : line
    }
  }
}

extension Cause {
  fileprivate var style: Style {
    switch kind {
    case .action: .good
    case .edit: .warning
    case .instance: .accent
    default: .faint
    }
  }
}

extension NodeState<App, Interface> {
  /// The line below the title: where one is.
  fileprivate func headline(_ columns: Int) -> Line {
    switch place {
    case .list, .filter: searchLine(columns)
    case .episode, .rating, .comments, .writing: Line(" \(parent.route)", .faint)
    }
  }

  fileprivate func body(size: Size) -> [Line] {
    switch place {
    case .list, .filter: listLines(size)
    case .episode(let id), .rating(let id): parent.detailLines(of: id, size)
    case .comments, .writing: commentLines(size)
    }
  }

  fileprivate var sheet: Panel? {
    switch place {
    case .filter: filterSheet
    case .rating(let id): parent.episodes[id: id].map(\.ratingSheet)
    default: nil
    }
  }
}
