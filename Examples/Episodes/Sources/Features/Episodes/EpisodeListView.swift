import StoreCore
import TerminalScreen

extension NodeState<App, Interface> {
  /// The episodes that the search admits, with the one that the cursor is on in view.
  func listLines(_ size: Size) -> [Line] {
    let episodes = visibleEpisodes(parent)
    if episodes.isEmpty { return [Line("   \(reasonForEmptiness)", .faint)] }
    let cursor = episodes.firstIndex { $0.id == chosenEpisode?.id } ?? 0
    let first = min(max(0, cursor - size.rows / 2), max(0, episodes.count - size.rows))
    return episodes.indices.dropFirst(first).prefix(size.rows).map { index in
      episodes[index].row(columns: size.columns, isChosen: index == cursor)
    }
  }

  private var reasonForEmptiness: String {
    if !parent.episodes.isEmpty { return "no episode is like that" }
    return parent.loading.isRunning { $0 == .episodes } ? "the episodes are on their way …" : "no episodes yet"
  }
}

extension Episode {
  fileprivate func row(columns: Int, isChosen: Bool) -> Line {
    let name = isChosen ? Line(title, .bold) : Line(title)
    let left = Line(isChosen ? " ▸ " : "   ", .accent) + Line("\(code)  ", .faint) + name
    let right = Line.rating(rating) + Line("\(minutes) min".padded(to: 9), .faint) + watchedMark
    return .justified(left, Line("  ") + right + Line("  "), width: columns)
  }

  private var watchedMark: Line {
    if isWatched { return Line("     ✓", .good) }
    let percent = Int(min(max(progress * 100, 0), 100).rounded())
    return Line(percent > 0 ? "\(percent) %".padded(to: 6) : "      ", .faint)
  }
}

extension Line {
  /// `★ 8.1`, six columns wide.
  fileprivate static func rating(_ rating: Double?) -> Line {
    guard let rating else { return Line("★    –", .faint) }
    return Line("★ ", .warning) + Line("\(rating)".padded(to: 4))
  }
}

extension String {
  /// The text at the right of so many columns.
  fileprivate func padded(to width: Int) -> String { String(repeating: " ", count: max(0, width - columns)) + self }
}
